// Names shared by the harness and by verif/harness.py, which mirrors the list of checks.
package ga2_tb_pkg;

  localparam int CLOCK_PERIOD = 10;  // ns

  localparam logic [3:0] OPCODE_LD = 4'd1;
  localparam logic [3:0] OPCODE_ST = 4'd2;

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

  // Checks, each with a count of how often it looked and how often it found something wrong.
  localparam int CHECK_KNOWN         = 0;   // no X on halted, fault, valids, pc and counters
  localparam int CHECK_COUNTER_LAW   = 1;   // cyc_total = cycles = 2*n_inst + units + phase
  localparam int CHECK_STATE         = 2;   // FETCH, ISSUE, busy, halted follow each other legally
  localparam int CHECK_PC            = 3;   // pc stays, and advances by one at a retire only
  localparam int CHECK_IDLE          = 4;   // outside a program nothing moves: no traffic, all hold
  localparam int CHECK_RESET         = 5;   // in the cycle after rst everything is 0
  localparam int CHECK_REQUEST_TURN  = 6;   // a request belongs to a running LD, in address order
  localparam int CHECK_REQUEST_BOUND = 7;   // a request stays below ext_words
  localparam int CHECK_WRITE_TURN    = 8;   // a write belongs to a running ST, in address order
  localparam int CHECK_WRITE_BOUND   = 9;   // a write stays below ext_words
  localparam int CHECK_RESPONSE      = 10;  // a response answers an outstanding request
  localparam int CHECK_DRAINED       = 11;  // no request is outstanding when an instruction ends
  localparam int CHECKS              = 12;

endpackage
