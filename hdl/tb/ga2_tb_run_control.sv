// Runs one program whenever run_id changes, with the resets and starts that its schedule asks for, and
// answers with done_id = run_id when everything has settled.
//
// start is high in cycle 0, so FETCH of pc 0 is cycle 1. The schedule of a run:
//   reset_first      rst for one cycle before start
//   reset_cycle      rst high in that cycle; the run ends with the idle chip (0: none)
//   start_from, _to  start also high in these cycles (start_to = 0: none); a start that meets the
//                    halted chip runs the program again, and the run lasts until the last has halted
//   cycle_limit      the watchdog: a run that lasts longer ends as hung
//
// Without a schedule the process sleeps from start to halt and costs nothing in between.
module ga2_tb_run_control
  import ga2_tb_pkg::*;
(
    input logic clk,
    input logic halted,

    input  logic [31:0] run_id,
    input  logic        reset_first,
    input  logic [31:0] reset_cycle,
    input  logic [31:0] start_from,
    input  logic [31:0] start_to,
    input  logic [31:0] cycle_limit,
    output logic [31:0] done_id,
    output logic        hung,
    output logic        was_reset,    // reset_cycle came before the end

    output logic rst,
    output logic start,
    output logic clear,
    output logic distrust
);

  localparam int SettleCycles = 2;  // watched after the end: what is halted or idle must stay so

  initial begin
    done_id = '0;
    hung = 1'b0;
    was_reset = 1'b0;
    rst = 1'b1;
    start = 1'b0;
    clear = 1'b0;
    distrust = 1'b0;
  end

  // The chip comes up in reset; then one pass of the inner loop is one run.
  always begin
    repeat (2) @(posedge clk);
    rst <= 1'b0;
    forever begin
      wait (run_id != done_id);
      @(posedge clk);
      clear <= 1'b1;
      hung <= 1'b0;
      was_reset <= 1'b0;
      rst <= reset_first;
      @(posedge clk);
      clear <= 1'b0;
      rst   <= 1'b0;
      start <= 1'b1;
      @(posedge clk);
      start <= 1'b0;
      if (reset_cycle == 0 && start_to == 0) sleep_until_halted;
      else follow_schedule;
      repeat (SettleCycles) @(posedge clk);
      done_id <= run_id;
      @(posedge clk);
    end
  end

  task static sleep_until_halted;
    @(posedge clk);  // a chip that was halted before has left that state
    fork
      wait (halted === 1'b1);
      begin
        #(cycle_limit * ClockPeriod);
        give_up;
      end
    join_any
    disable fork;
  endtask

  // Drives the levels of each cycle from FETCH on, until reset, the last halt or the watchdog.
  task automatic follow_schedule;
    logic [31:0] now;
    logic        over;
    now  = 32'd1;
    over = 1'b0;
    while (!over) begin
      rst   <= now == reset_cycle;
      start <= start_from <= now && now <= start_to;
      @(posedge clk);
      if (rst) begin
        was_reset <= 1'b1;
        over = 1'b1;
      end else if (halted === 1'b1 && !start && now >= start_to) begin
        over = 1'b1;
      end else if (now >= cycle_limit) begin
        give_up;
        over = 1'b1;
      end
      now = now + 1;
    end
    rst   <= 1'b0;
    start <= 1'b0;
  endtask

  // The chip keeps running; the checks ignore it until the next reset.
  task static give_up;
    hung <= 1'b1;
    distrust <= 1'b1;
    @(posedge clk);
    distrust <= 1'b0;
  endtask

endmodule
