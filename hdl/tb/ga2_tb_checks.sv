// What must hold in every cycle, read off the ports of ga2 alone, so that it holds for any RTL.
//
// The counters tell the phase: cyc_total - (2*n_inst + cyc_mm + cyc_dma + cyc_vec) is 0 in FETCH, 1 in
// ISSUE, 2 in busy cycles and when halted. So one sum a cycle checks the counter law, recognizes the
// phase, and with it every legal step of the sequencer.
//
// Each check has three numbers: how often it looked, how often it failed, and the first failing cycle
// (FETCH of pc 0 is cycle 1). The bench compares how often a check looked with how often it must
// have, so a check that never ran is a failure too.
//
// Icarus pays for every net that is read in a clock. The commonest cycle, busy without traffic, is
// therefore told by `eventful`, a net that hardly ever changes, and the counters; every other cycle
// goes through examine().
module ga2_tb_checks
  import ga2_tb_pkg::*;
(
  input  logic        clk,
  input  logic        rst,
  input  logic        start,
  input  logic        clear,      // a new run begins: all numbers return to 0
  input  logic        distrust,   // the run was given up: nothing is promised until rst
  input  logic [16:0] ext_words,

  input  logic        halted,
  input  logic        fault,
  input  logic [15:0] imem_addr,
  input  logic [ 3:0] opcode,     // of the word at imem_addr
  input  logic [15:0] ext_base,   // its external address, for LD and ST
  input  logic        req_valid,
  input  logic [15:0] req_addr,
  input  logic        resp_valid,
  input  logic        wr_valid,
  input  logic [15:0] wr_addr,
  input  logic [31:0] cyc_total,
  input  logic [31:0] cyc_mm,
  input  logic [31:0] cyc_dma,
  input  logic [31:0] cyc_vec,
  input  logic [31:0] n_inst,

  output logic [31:0] starts      // honoured starts since the simulation began
);

  logic [31:0] n_checked[0:CHECKS-1];
  logic [31:0] n_failed[0:CHECKS-1];
  logic [31:0] first_failure[0:CHECKS-1];

  state_e      state;             // of the cycle before
  logic        was_reset;         // rst was high at the last edge
  logic        was_fault;         // how the program ended
  logic [31:0] cycle;             // what cyc_total must be
  logic [31:0] retired;           // what n_inst must be
  logic [15:0] pc;                // what imem_addr must be
  logic [15:0] ext_addr;          // of the next request or write
  logic [31:0] outstanding;       // requests without an answer
  logic [31:0] banked;            // cycles of this program that n_checked already holds

  wire [31:0] accounted = cyc_mm + cyc_dma + cyc_vec + {n_inst[30:0], 1'b0};
  wire        control = rst | start | clear | distrust;
  wire [ 7:0] eventful = {
    state != StateBusy, control, halted, fault, req_valid, wr_valid, resp_valid, imem_addr !== pc
  };

  initial begin
    clear_numbers();
    state = StateUnknown;
    was_reset = 1'b0;
    was_fault = 1'b0;
    cycle = '0;
    retired = '0;
    pc = '0;
    ext_addr = '0;
    outstanding = '0;
    banked = '0;
    starts = '0;
  end

  always @(posedge clk) begin
    if (eventful === 8'd0 && cyc_total === cycle && cyc_total - accounted === 32'd2) begin
      cycle = cycle + 1;
    end else begin
      examine();
    end
  end

  // One cycle that is not plainly busy: what does it show, is that legal, and what follows?
  task automatic examine;
    case (state)
      StateUnknown: ;
      StateIdle, StateHalted: examine_outside();
      default: examine_program();
    endcase
    if (resp_valid) begin
      count(CHECK_RESPONSE, outstanding != 0);
      if (outstanding != 0) outstanding = outstanding - 1;
    end
    if (req_valid === 1'b1) outstanding = outstanding + 1;

    was_reset = rst;
    if (clear) clear_numbers();
    if (rst || distrust) begin
      bank_cycles();
      if (rst) state = StateIdle;
      else state = StateUnknown;
      pc = '0;
      outstanding = '0;
    end else if (start && (state == StateIdle || state == StateHalted)) begin
      state = StateStarted;
      starts = starts + 1;
      cycle = '0;
      banked = '0;
      retired = '0;
      pc = '0;
    end
  endtask

  // Idle or halted: no traffic, and every output holds.
  task automatic examine_outside;
    logic quiet;
    quiet = {req_valid, wr_valid} === 2'b00 && imem_addr === pc;
    if (state == StateHalted) begin
      quiet = quiet && {halted, fault} === {1'b1, was_fault} && n_inst === retired
          && cyc_total === cycle && cyc_total - accounted === 32'd2;
    end else begin
      quiet = quiet && {halted, fault, cyc_total, cyc_mm, cyc_dma, cyc_vec, n_inst} === '0;
    end
    count(was_reset ? CHECK_RESET : CHECK_IDLE, quiet);
  endtask

  task automatic examine_program;
    state_e shown;
    logic   retire;
    if (halted === 1'b1) shown = StateHalted;
    else
      case (cyc_total - accounted)
        32'd0:   shown = StateFetch;
        32'd1:   shown = StateIssue;
        default: shown = StateBusy;
      endcase
    retire = state == StateBusy && shown == StateFetch;
    if (retire) begin
      retired = retired + 1;
      pc = pc + 1;
    end

    if (^{halted, fault, req_valid, wr_valid, imem_addr, cyc_total, accounted} === 1'bx) begin
      fail(CHECK_KNOWN);
    end
    if (cyc_total !== cycle || n_inst !== retired || cyc_total - accounted > 32'd2) begin
      fail(CHECK_COUNTER_LAW);
    end
    if (!follows(shown) || fault === 1'b1 && shown != StateHalted) fail(CHECK_STATE);
    if (imem_addr !== pc) fail(CHECK_PC);
    examine_traffic(shown);
    if (retire || shown == StateHalted) count(CHECK_DRAINED, outstanding == 0);

    // One wrong step is one failure: go on from what the chip shows.
    state = shown;
    retired = n_inst;
    pc = imem_addr;
    if (shown == StateIssue) ext_addr = ext_base;
    if (shown == StateHalted) begin
      was_fault = fault;
      bank_cycles();
    end else begin
      cycle = cycle + 1;
    end
  endtask

  task automatic examine_traffic(input state_e shown);
    if (req_valid === 1'b1) begin
      count(CHECK_REQUEST_TURN, shown == StateBusy && opcode == OPCODE_LD && req_addr === ext_addr);
      count(CHECK_REQUEST_BOUND, {1'b0, req_addr} < ext_words);
      ext_addr = ext_addr + 1;
    end
    if (wr_valid === 1'b1) begin
      count(CHECK_WRITE_TURN, shown == StateBusy && opcode == OPCODE_ST && wr_addr === ext_addr);
      count(CHECK_WRITE_BOUND, {1'b0, wr_addr} < ext_words);
      ext_addr = ext_addr + 1;
    end
  endtask

  function automatic logic follows(input state_e shown);
    case (state)
      StateStarted: follows = shown == StateFetch;
      StateFetch:   follows = shown == StateIssue;
      StateIssue:   follows = shown == StateBusy || shown == StateHalted;
      default:      follows = shown == StateBusy || shown == StateFetch;
    endcase
  endfunction

  task automatic count(input int check, input logic good);
    n_checked[check] = n_checked[check] + 1;
    if (good !== 1'b1) fail(check);
  endtask

  task automatic fail(input int check);
    if (n_failed[check] == 0) first_failure[check] = cycle + 1;
    n_failed[check] = n_failed[check] + 1;
  endtask

  task automatic clear_numbers;
    for (int check = 0; check < CHECKS; check++) begin
      n_checked[check] = '0;
      n_failed[check] = '0;
      first_failure[check] = '0;
    end
  endtask

  // The four checks of every cycle in a program look once a cycle, so `cycle` is their count.
  task automatic bank_cycles;
    for (int check = CHECK_KNOWN; check <= CHECK_PC; check++) begin
      n_checked[check] = n_checked[check] + cycle - banked;
    end
    banked = cycle;
  endtask

endmodule
