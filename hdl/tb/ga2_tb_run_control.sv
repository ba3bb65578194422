// Runs one program whenever run_id changes, with the resets and starts that its schedule asks for, and
// answers with done_id = run_id when everything has settled.
//
// start is high in cycle 0, so FETCH of pc 0 is cycle 1. The schedule of a run:
//   reset_first      rst before start
//   reset_cycle      rst high from that cycle on (0: none)
//   reset_width      for so many cycles, in both cases
//   reset_gap        so many cycles later once more, for as many cycles (0: not)
//   start_from, _to  start also high in these cycles (start_to = 0: none); a start that meets the halted or the
//                    idle chip runs the program again
//   idle_cycles      watched after the end, beyond SettleCycles
//   cycle_limit      the watchdog: a run that lasts longer, give or take WatchInterval, ends as hung
// The run ends when the chip has halted or been reset and no start is to come. A reset_cycle after that does not
// count, but the second rst of a pair always comes.
//
// Without a schedule the block sleeps from start to halt. While a bus driver answers reads it stays awake, since the
// driver counts time by `now`.
//
// `met` tells what the chip was doing at the edges of this run that saw start (element 0), rst (element 1) and a
// response that answers nothing (element 2), a bit a situation: {group, opcode of the current word}. What comes
// under rst counts as rst alone, which wins. The block is awake at such an edge anyway.
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
    input logic        stray,      // a response that answers nothing

    input  logic [31:0] run_id,
    input  logic        reset_first,
    input  logic [31:0] reset_cycle,
    input  logic [ 3:0] reset_width,
    input  logic [15:0] reset_gap,
    input  logic [31:0] start_from,
    input  logic [31:0] start_to,
    input  logic [15:0] idle_cycles,
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

  logic [63:0] met[3];

  // Cycles watched after the end: what is halted or idle must stay so.
  localparam logic [16:0] SettleCycles = 17'd2;
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
  logic  [16:0] settle;
  logic         idle;  // after rst, before a start
  logic  [31:0] lead;  // cycles with reset_first so far
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
  logic [5:0] situation;

  logic scheduled;  // of this run
  wire attention = step != Running || scheduled || start || stray || halted || expired;

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
    idle = 1'b1;
    lead = '0;
    deadline = '0;
    expired = 1'b0;
    scheduled = 1'b0;
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
          lead <= 32'd1;
          clear <= 1'b1;
          hung <= 1'b0;
          was_reset <= 1'b0;
          scheduled <= reset_cycle != 0 || start_to != 0 || bus_mode;
          forget;
          step <= Starting;
        end
        Starting: begin
          meet;
          clear <= 1'b0;
          lead  <= lead + 1;
          if (rst) idle <= 1'b1;
          if (reset_first && lead < reset_span()) begin
            rst <= under_reset(lead);
          end else begin
            rst <= 1'b0;
            start <= 1'b1;
            now <= '0;
            deadline <= $time + cycle_limit * ClockPeriod;
            step <= Running;
          end
        end
        Running: begin
          meet;
          // This edge ends cycle `now`. The levels of the next follow the schedule, unless this is the end.
          now   <= now + 1;
          rst   <= reset_cycle != 0 && now + 1 >= reset_cycle && under_reset(now + 1 - reset_cycle);
          start <= start_from <= now + 1 && now + 1 <= start_to;
          if (rst) begin
            was_reset <= 1'b1;
            idle <= 1'b1;
          end else if (start) begin
            idle <= 1'b0;
          end
          if ((rst || (idle || halted === 1'b1 && now != 0) && !start) && !waits()) begin
            settle_down;
          end else if (expired && $time >= deadline) begin
            // `expired` alone may still be that of the run before.
            hung <= 1'b1;
            distrust <= 1'b1;
            settle_down;
          end
        end
        default: begin
          meet;
          distrust <= 1'b0;
          settle   <= settle - 1;
          if (settle == 1) begin
            done_id <= run_id;
            step <= Waiting;
          end
        end
      endcase
    end
`ifndef VERILATOR
    wait (attention);
`endif
  end

  // Functions, for Verilator evaluates a net of the settings at every edge. rst is high in `reset_width` cycles, and
  // in as many after the gap: `offset` is how far into them the schedule is.
  function automatic logic under_reset(input logic [31:0] offset);
    under_reset = offset < {28'd0, reset_width} ||
        offset >= {28'd0, reset_width} + {16'd0, reset_gap} && offset < reset_span();
  endfunction

  function automatic logic [31:0] reset_span();
    reset_span = {28'd0, reset_width};
    if (reset_gap != 0) reset_span = reset_span + {16'd0, reset_gap} + {28'd0, reset_width};
  endfunction

  function automatic logic waits();
    waits = now < start_to || (was_reset || rst) && now + 1 < reset_cycle + reset_span();
  endfunction

  // What does the chip do in the cycle that this edge ends? Told from the counters.
  task static meet;
    if (rst || start || stray) begin
      phase = cyc_total - cyc_mm - cyc_dma - cyc_vec - n_inst - n_inst;
      if (halted === 1'b1) situation = {Outside, 3'd0, fault} + 6'd1;
      else if (idle) situation = {Outside, 4'd0};
      else
        case (phase)
          32'd0:   situation = {Fetch, opcode};
          32'd1:   situation = {Issue, opcode};
          default: situation = {Busy, opcode};
        endcase
      if (start && !rst) met[0][situation] = 1'b1;
      if (rst) met[1][situation] = 1'b1;
      if (stray && !rst) met[2][situation] = 1'b1;
    end
  endtask

  task static forget;
    met[0] = '0;
    met[1] = '0;
    met[2] = '0;
  endtask

  task static settle_down;
    rst <= 1'b0;
    start <= 1'b0;
    settle <= SettleCycles + {1'b0, idle_cycles};
    step <= Settling;
  endtask

endmodule
