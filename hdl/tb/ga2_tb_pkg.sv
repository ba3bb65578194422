// Names shared by the harness and by verif/bfm/harness.py, which mirrors the list of checks.
//
// The harness is compiled before the chip, so that no directive of the chip's files reaches it. It sets its own
// time unit here and ends with a resetall in ga2_tb.sv, so that the chip does not inherit it.
`timescale 1ns / 1ps

package ga2_tb_pkg;

  localparam int ClockPeriod = 10;  // ns

  localparam logic [3:0] OpcodeLoad = 4'd1;
  localparam logic [3:0] OpcodeStore = 4'd2;

  // What the harness can tell of the chip's sequencer from its ports alone. In a program, cyc_total
  // runs ahead of 2*n_inst + cyc_mm + cyc_dma + cyc_vec by 0 in FETCH, 1 in ISSUE and 2 from then on.
  typedef enum logic [2:0] {
    StateUnknown,  // before the first reset, and after a hang: nothing is promised
    StateIdle,     // after reset: everything is 0
    StateStarted,  // a start was honoured at the last edge
    StateFetch,
    StateIssue,
    StateBusy,
    StateHalted
  } state_e;

  // Events of the trace, in the lower half of a byte; TraceRetire has the opcode in the upper.
  localparam logic [3:0] TraceStart = 4'd0;
  localparam logic [3:0] TraceRetire = 4'd1;
  localparam logic [3:0] TraceEnd = 4'd2;
  localparam logic [3:0] TraceScratchpad = 4'd3;
  localparam logic [3:0] TraceExt = 4'd4;

  // Checks, each with a count of how often it looked and how often it found something wrong.
  localparam int CheckKnown = 0;  // no X on halted, fault, valids, pc and counters
  localparam int CheckCounterLaw = 1;  // cyc_total = cycles = 2*n_inst + units + phase
  localparam int CheckState = 2;  // FETCH, ISSUE, busy, halted follow each other legally
  localparam int CheckPc = 3;  // pc stays, and advances by one at a retire only
  localparam int CheckIdle = 4;  // outside a program nothing moves: no traffic, all hold
  localparam int CheckReset = 5;  // in the cycle after rst everything is 0
  localparam int CheckRequestTurn = 6;  // a request belongs to a running LD, in address order
  localparam int CheckRequestBound = 7;  // a request stays below ext_words
  localparam int CheckWriteTurn = 8;  // a write belongs to a running ST, in address order
  localparam int CheckWriteBound = 9;  // a write stays below ext_words
  localparam int CheckResponse = 10;  // a response answers an outstanding request
  localparam int CheckDrained = 11;  // no request is outstanding when an instruction ends
  localparam int Checks = 12;

endpackage
