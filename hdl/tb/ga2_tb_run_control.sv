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
// Without a schedule the block sleeps from start to halt: it reads one net a clock, `attention`. While a bus driver
// answers reads, the block stays awake, since the driver counts time by `now`.
//
// `met` tells what the chip was doing at the edges of this run that saw start (element 0) and rst (element 1),
// a bit a situation: {group, opcode of the current word}. A start under rst counts as rst alone, which wins.
// The block is awake at such an edge anyway.
module ga2_tb_run_control
  import ga2_tb_pkg::*;
(
    input logic        clk,
    input logic        halted,
    input logic        fault,
    input logic [ 3:0] opcode,     // of the word at pc
    input logic [31:0] cyc_total,
    input logic [31:0] cyc_mm,
    input logic [31:0] cyc_dma,
    input logic [31:0] cyc_vec,
    input logic [31:0] n_inst,

    input  logic [31:0] run_id,
    input  logic        reset_first,
    input  logic [31:0] reset_cycle,
    input  logic [31:0] start_from,
    input  logic [31:0] start_to,
    input  logic [31:0] cycle_limit,
    input  logic        bus_mode,
    output logic [31:0] done_id,
    output logic        hung,
    output logic        was_reset,    // reset_cycle came before the end

    output logic rst,
    output logic start,
    output logic clear,    // to the checks: a new run begins
    output logic distrust  // to the checks: the run was given up, ignore the chip until rst
);

  logic [63:0] met[2];

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

  // Situations have 16 opcodes in each group; outside a program the opcode tells which: 0 idle, 1 halted,
  // 2 halted by a fault.
  typedef enum logic [1:0] {
    Outside,
    Fetch,
    Issue,
    Busy
  } group_e;

  logic [31:0] phase;
  logic [ 5:0] situation;

  wire         scheduled = reset_cycle != 0 || start_to != 0 || bus_mode;
  wire         attention = step != Running || scheduled || start || halted || expired;

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
    forget;
    phase = '0;
    situation = '0;
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
          forget;
          step <= Starting;
        end
        Starting: begin
          meet;
          rst <= 1'b0;
          clear <= 1'b0;
          start <= 1'b1;
          now <= '0;
          deadline <= $time + cycle_limit * ClockPeriod;
          step <= Running;
        end
        Running: begin
          meet;
          // This edge ends cycle `now`. The levels of the next follow the schedule, unless this is the end.
          now   <= now + 1;
          rst   <= now + 1 == reset_cycle;
          start <= start_from <= now + 1 && now + 1 <= start_to;
          if (rst) begin
            was_reset <= 1'b1;
            settle_down;
          end else if (halted === 1'b1 && now != 0 && !start && now >= start_to) begin
            settle_down;
          end else if (expired && $time >= deadline) begin
            // `expired` alone may still be that of the run before.
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

  // What does the chip do in the cycle that this edge ends? Told from the counters; in
  // cycle 0 and before, the chip is outside any program.
  task static meet;
    if (rst || start) begin
      phase = cyc_total - cyc_mm - cyc_dma - cyc_vec - n_inst - n_inst;
      if (halted === 1'b1) situation = {Outside, 3'd0, fault} + 6'd1;
      else if (step == Starting || now == 0) situation = {Outside, 4'd0};
      else
        case (phase)
          32'd0:   situation = {Fetch, opcode};
          32'd1:   situation = {Issue, opcode};
          default: situation = {Busy, opcode};
        endcase
      if (start && !rst) met[0][situation] = 1'b1;
      if (rst) met[1][situation] = 1'b1;
    end
  endtask

  task static forget;
    met[0] = '0;
    met[1] = '0;
  endtask

  task static settle_down;
    rst <= 1'b0;
    start <= 1'b0;
    settle <= SettleCycles;
    step <= Settling;
  endtask

endmodule
