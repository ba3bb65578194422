// Runs one program whenever run_id changes, with the resets and starts that its schedule asks for, and
// answers with done_id = run_id when everything has settled.
//
// start is high in cycle 0, so FETCH of pc 0 is cycle 1. The schedule of a run:
//   reset_first      rst for one cycle before start
//   reset_cycle      rst high in that cycle; the run ends with the idle chip (0: none)
//   start_from, _to  start also high in these cycles (start_to = 0: none); a start that meets the
//                    halted chip runs the program again, and the run lasts until the last has halted
//   cycle_limit      the watchdog: a run that lasts longer, give or take WatchInterval, ends as hung
//
// Without a schedule the block sleeps from start to halt: it reads one net a clock, `attention`.
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
    output logic clear,    // to the checks: a new run begins
    output logic distrust  // to the checks: the run was given up, ignore the chip until rst
);

  // Cycles watched after the end: what is halted or idle must stay so.
  localparam logic [1:0] SettleCycles = 2'd2;
  localparam int WatchInterval = 64;

  typedef enum logic [2:0] {
    PowerUp,
    Waiting,
    Starting,
    Running,
    Settling
  } step_e;

  step_e        step;
  logic  [31:0] now;  // cycle of the run; stands still while the block sleeps
  logic  [ 1:0] settle;
  logic  [63:0] deadline;
  logic         expired;

  wire          scheduled = reset_cycle != 0 || start_to != 0;
  wire          attention = step != Running || scheduled || start || halted || expired;

  initial begin
    step = PowerUp;
    done_id = '0;
    hung = 1'b0;
    was_reset = 1'b0;
    rst = 1'b1;
    start = 1'b0;
    clear = 1'b0;
    distrust = 1'b0;
    now = '0;
    settle = '0;
    deadline = '0;
    expired = 1'b0;
  end

  always #(WatchInterval * ClockPeriod) expired = step == Running && $time >= deadline;

  always @(posedge clk) begin
    if (attention) begin
      case (step)
        PowerUp: begin
          rst  <= 1'b0;
          step <= Waiting;
        end
        Waiting:
        if (run_id != done_id) begin
          rst <= reset_first;
          clear <= 1'b1;
          hung <= 1'b0;
          was_reset <= 1'b0;
          step <= Starting;
        end
        Starting: begin
          rst <= 1'b0;
          clear <= 1'b0;
          start <= 1'b1;
          now <= '0;
          deadline <= $time + cycle_limit * ClockPeriod;
          step <= Running;
        end
        Running: begin
          // This edge ends cycle `now`. The levels of the next follow the schedule, unless this is the end.
          now   <= now + 1;
          rst   <= now + 1 == reset_cycle;
          start <= start_from <= now + 1 && now + 1 <= start_to;
          if (rst) begin
            was_reset <= 1'b1;
            settle_down;
          end else if (halted === 1'b1 && now != 0 && !start && now >= start_to) begin
            settle_down;
          end else if (expired) begin
            hung <= 1'b1;
            distrust <= 1'b1;
            settle_down;
          end
        end
        default: begin
          distrust <= 1'b0;
          settle   <= settle - 1;
          if (settle == 1) begin
            done_id <= run_id;
            step <= Waiting;
          end
        end
      endcase
    end
  end

  task static settle_down;
    rst <= 1'b0;
    start <= 1'b0;
    settle <= SettleCycles;
    step <= Settling;
  endtask

endmodule
