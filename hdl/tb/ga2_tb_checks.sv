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
// Icarus pays for every net that is read in a clock. A busy cycle is therefore told by `steady` and
// `traffic`, nets that hardly ever change, and the counters; every other cycle goes through examine().
// Static tasks, because Icarus allocates the frame of an automatic one at each call.
module ga2_tb_checks
  import ga2_tb_pkg::*;
(
    input logic        clk,
    input logic        rst,
    input logic        start,
    input logic        clear,     // a new run begins: all numbers return to 0
    input logic        distrust,  // the run was given up: nothing is promised until rst
    input logic [16:0] ext_words,

    input logic        halted,
    input logic        fault,
    input logic [15:0] imem_addr,
    input logic [ 3:0] opcode,      // of the word at imem_addr
    input logic [15:0] ext_base,    // its external address, for LD and ST
    input logic        req_valid,
    input logic [15:0] req_addr,
    input logic        resp_valid,
    input logic        wr_valid,
    input logic [15:0] wr_addr,
    input logic [31:0] cyc_total,
    input logic [31:0] cyc_mm,
    input logic [31:0] cyc_dma,
    input logic [31:0] cyc_vec,
    input logic [31:0] n_inst,

    output logic [31:0] starts  // honoured starts since the simulation began
);

  logic [31:0] n_checked[Checks];
  logic [31:0] n_failed[Checks];
  logic [31:0] first_failure[Checks];

  state_e state;  // of the cycle before
  logic was_reset;  // rst was high at the last edge
  logic was_fault;  // how the program ended
  logic [31:0] cycle;  // what cyc_total must be
  logic [31:0] retired;  // what n_inst must be
  logic [15:0] pc;  // what imem_addr must be
  logic [15:0] ext_addr;  // of the next request or write
  logic [31:0] requests;  // of this program, as the next two
  logic [31:0] responses;
  logic [31:0] writes;
  logic banked;  // n_checked already holds this program's counts

  wire [31:0] accounted = cyc_mm + cyc_dma + cyc_vec + {n_inst[30:0], 1'b0};
  wire control = rst | start | clear | distrust;
  wire steady = {state != StateBusy, control, halted, fault, imem_addr !== pc} === 5'd0;
  wire [2:0] traffic = {req_valid, wr_valid, resp_valid};

  initial begin
    clear_numbers;
    state = StateUnknown;
    was_reset = 1'b0;
    was_fault = 1'b0;
    cycle = '0;
    retired = '0;
    pc = '0;
    ext_addr = '0;
    requests = '0;
    responses = '0;
    writes = '0;
    banked = 1'b1;
    starts = '0;
  end

  always @(posedge clk) begin
    if (steady && cyc_total === cycle && cyc_total - accounted === 32'd2) begin
      if (traffic !== 3'd0) examine_traffic(StateBusy);
      cycle = cycle + 1;
    end else begin
      examine;
    end
  end

  // One cycle that is not plainly busy: what does it show, is that legal, and what follows?
  task static examine;
    case (state)
      StateUnknown: ;
      StateIdle, StateHalted: examine_outside;
      default: examine_program;
    endcase
    was_reset = rst;
    if (clear) clear_numbers;
    if (rst || distrust) begin
      bank_counts;
      if (rst) state = StateIdle;
      else state = StateUnknown;
      pc = '0;
    end else if (start && (state == StateIdle || state == StateHalted)) begin
      state = StateStarted;
      starts <= starts + 1;  // seen by the log at the end of FETCH
      cycle = '0;
      requests = '0;
      responses = '0;
      writes = '0;
      banked = 1'b0;
      retired = '0;
      pc = '0;
    end
  endtask

  // Idle or halted: no traffic, and every output holds.
  task static examine_outside;
    logic quiet;
    quiet = {req_valid, wr_valid, resp_valid} === 3'b000 && imem_addr === pc;
    if (state == StateHalted) begin
      quiet = quiet && {halted, fault} === {1'b1, was_fault} && n_inst === retired
          && cyc_total === cycle && cyc_total - accounted === 32'd2;
    end else begin
      quiet = quiet && {halted, fault, cyc_total, cyc_mm, cyc_dma, cyc_vec, n_inst} === '0;
    end
    count(was_reset ? CheckReset : CheckIdle, quiet);
  endtask

  task static examine_program;
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

    if (^{halted, fault, imem_addr, cyc_total, accounted} === 1'bx) begin
      fail(CheckKnown);
    end
    if (cyc_total !== cycle || n_inst !== retired || cyc_total - accounted > 32'd2) begin
      fail(CheckCounterLaw);
    end
    if (!follows(shown) || fault === 1'b1 && shown != StateHalted) fail(CheckState);
    if (imem_addr !== pc) fail(CheckPc);
    examine_traffic(shown);
    if (retire || shown == StateHalted) count(CheckDrained, responses == requests);

    // One wrong step is one failure: go on from what the chip shows.
    state = shown;
    retired = n_inst;
    pc = imem_addr;
    if (shown == StateIssue) ext_addr = ext_base;
    if (shown == StateHalted) begin
      was_fault = fault;
      bank_counts;
    end else begin
      cycle = cycle + 1;
    end
  endtask

  task static examine_traffic(input state_e shown);
    if (^traffic === 1'bx) fail(CheckKnown);
    if (resp_valid) begin
      if (responses == requests) fail(CheckResponse);
      responses = responses + 1;
    end
    if (req_valid === 1'b1) begin
      if (shown != StateBusy || opcode != OpcodeLoad || req_addr !== ext_addr)
        fail(CheckRequestTurn);
      if (!({1'b0, req_addr} < ext_words)) fail(CheckRequestBound);
      ext_addr = ext_addr + 1;
      requests = requests + 1;
    end
    if (wr_valid === 1'b1) begin
      if (shown != StateBusy || opcode != OpcodeStore || wr_addr !== ext_addr) fail(CheckWriteTurn);
      if (!({1'b0, wr_addr} < ext_words)) fail(CheckWriteBound);
      ext_addr = ext_addr + 1;
      writes   = writes + 1;
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

  task static count(input int check, input logic good);
    n_checked[check] = n_checked[check] + 1;
    if (good !== 1'b1) fail(check);
  endtask

  task static fail(input int check);
    if (n_failed[check] == 0) first_failure[check] = cycle + 1;
    n_failed[check] = n_failed[check] + 1;
  endtask

  task static clear_numbers;
    for (int check = 0; check < Checks; check++) begin
      n_checked[check] = '0;
      n_failed[check] = '0;
      first_failure[check] = '0;
    end
  endtask

  // The checks of every cycle and of every transfer look once at each, so the numbers of cycles and
  // transfers are their counts; they are added when a program ends.
  task static bank_counts;
    if (!banked) begin
      for (int check = CheckKnown; check <= CheckPc; check++)
      n_checked[check] = n_checked[check] + cycle;
      n_checked[CheckRequestTurn] = n_checked[CheckRequestTurn] + requests;
      n_checked[CheckRequestBound] = n_checked[CheckRequestBound] + requests;
      n_checked[CheckWriteTurn] = n_checked[CheckWriteTurn] + writes;
      n_checked[CheckWriteBound] = n_checked[CheckWriteBound] + writes;
      n_checked[CheckResponse] = n_checked[CheckResponse] + responses;
    end
    banked = 1'b1;
  endtask

endmodule
