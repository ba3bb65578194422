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
// Icarus pays for every net that is read in a clock, not for those that could change. A busy cycle is
// therefore told by `steady` and `traffic`, which hardly ever change, and the counters; every other cycle
// goes through examine. Static tasks, because Icarus allocates the frame of an automatic one at each call.
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
  logic [31:0] overhead;  // FETCH and ISSUE of all instructions up to this one
  logic [31:0] issued;  // the cycle of the last ISSUE
  logic [31:0] phase;  // how far cyc_total is ahead of what it accounts for
  logic [15:0] pc;  // what imem_addr must be
  logic [3:0] running;  // opcode of the instruction
  logic [15:0] ext_first;  // its first external address,
  logic [15:0] ext_next;  // that of its next request or write,
  logic [15:0] ext_answered;  // and that of the next response
  logic [31:0] requests;  // of this program, as the next two
  logic [31:0] responses;
  logic [31:0] writes;
  logic banked;  // n_checked already holds this program's counts

  wire moved = imem_addr !== pc || n_inst !== retired;
  wire steady = {state != StateBusy, rst, distrust, halted, fault, moved} === 6'd0;
  wire loading = opcode == OpcodeLoad;
  wire storing = opcode == OpcodeStore;
  wire misplaced = (req_valid || resp_valid) && !loading || wr_valid && !storing;
  wire [3:0] traffic = {misplaced, req_valid, wr_valid, resp_valid};

  initial begin
    clear_numbers;
    state = StateUnknown;
    was_reset = 1'b0;
    was_fault = 1'b0;
    phase = '0;
    issued = '0;
    running = '0;
    begin_program;
    banked = 1'b1;
    starts = '0;
  end

  always @(posedge clk) begin
    if (steady && cyc_total === cycle && cyc_mm + cyc_dma + cyc_vec + overhead === cycle) begin
      case (traffic)
        4'b0000: ;
        4'b0100, 4'b0101, 4'b0001: begin
          if (resp_valid) begin
            if (ext_answered === ext_next) fail(CheckResponse);
            ext_answered = ext_answered + 1;
          end
          if (req_valid) begin
            if (req_addr !== ext_next) fail(CheckRequestTurn);
            if (!({1'b0, req_addr} < ext_words)) fail(CheckRequestBound);
            ext_next = ext_next + 1;
          end
        end
        4'b0010: begin
          if (wr_addr !== ext_next) fail(CheckWriteTurn);
          if (!({1'b0, wr_addr} < ext_words)) fail(CheckWriteBound);
          ext_next = ext_next + 1;
        end
        default: examine_misplaced;
      endcase
      cycle = cycle + 1;
    end else begin
      examine;
    end
  end

  // One cycle that is not plainly busy: what does it show, is that legal, and what follows?
  task static examine;
    phase = cyc_total - cyc_mm - cyc_dma - cyc_vec - {n_inst[30:0], 1'b0};
    case (state)
      StateUnknown: ;
      StateIdle, StateHalted: examine_outside;
      default: examine_program;
    endcase
    was_reset = rst;
    if (clear) clear_numbers;
    if (rst || distrust) begin
      end_instruction;
      bank_counts;
      if (rst) state = StateIdle;
      else state = StateUnknown;
      pc = '0;
      if (clear) cycle = '0;  // a reset before the start: the cycles of the run before are over
    end else if (start && (state == StateIdle || state == StateHalted)) begin
      begin_program;
      state = StateStarted;
      starts <= starts + 1;  // seen by the log at the end of FETCH
    end
  endtask

  task static begin_program;
    cycle = '0;
    retired = '0;
    overhead = 32'd2;
    pc = '0;
    ext_first = '0;
    ext_next = '0;
    ext_answered = '0;
    requests = '0;
    responses = '0;
    writes = '0;
    banked = 1'b0;
  endtask

  // Idle or halted: no traffic, and every output holds.
  task static examine_outside;
    logic quiet;
    quiet = {req_valid, wr_valid, resp_valid} === 3'b000 && imem_addr === pc;
    if (state == StateHalted) begin
      quiet = quiet && {halted, fault} === {1'b1, was_fault} && n_inst === retired;
      quiet = quiet && cyc_total === cycle && phase === 32'd2;
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
      case (phase)
        32'd0:   shown = StateFetch;
        32'd1:   shown = StateIssue;
        default: shown = StateBusy;
      endcase
    retire = state == StateBusy && shown == StateFetch;
    if (retire) begin
      retired = retired + 1;
      pc = pc + 1;
    end

    if (^{halted, fault, imem_addr, cyc_total, phase} === 1'bx) fail(CheckKnown);
    if (cyc_total !== cycle || n_inst !== retired || phase > 32'd2) fail(CheckCounterLaw);
    if (!follows(shown) || fault === 1'b1 && shown != StateHalted) fail(CheckState);
    if (imem_addr !== pc) fail(CheckPc);
    if (shown == StateIssue) begin
      running = opcode;
      ext_first = ext_base;
      ext_next = ext_base;
      ext_answered = ext_base;
    end
    if (shown != StateBusy) examine_misplaced;
    else if (req_valid || wr_valid)
      ext_next = ext_next + 1;  // a cycle that rst cuts, or that fails anyway
    if (retire || shown == StateHalted) begin
      count(CheckDrained, running != OpcodeLoad || ext_answered === ext_next);
      end_instruction;
    end

    // One wrong step is one failure: go on from what the chip shows. What follows ISSUE is taken for a
    // busy cycle; if it was a halt or another FETCH, `issued` tells.
    state = shown;
    if (shown == StateIssue) begin
      state  = StateBusy;
      issued = cycle;
    end
    retired = n_inst;
    overhead = {n_inst[30:0], 1'b0} + 32'd2;
    pc = imem_addr;
    if (shown == StateHalted) begin
      was_fault = fault;
      bank_counts;
    end else begin
      cycle = cycle + 1;
    end
  endtask

  // Traffic that is unknown or in no busy cycle of its instruction.
  task static examine_misplaced;
    if (^traffic === 1'bx) fail(CheckKnown);
    if (resp_valid) begin
      responses = responses + 1;
      fail(CheckResponse);
    end
    if (req_valid === 1'b1) begin
      requests = requests + 1;
      fail(CheckRequestTurn);
    end
    if (wr_valid === 1'b1) begin
      writes = writes + 1;
      fail(CheckWriteTurn);
    end
  endtask

  // Its transfers were counted by the addresses.
  task static end_instruction;
    logic [15:0] transferred, answered;
    transferred = ext_next - ext_first;
    answered = ext_answered - ext_first;
    if (running == OpcodeLoad) begin
      requests  = requests + {16'd0, transferred};
      responses = responses + {16'd0, answered};
    end
    if (running == OpcodeStore) writes = writes + {16'd0, transferred};
    running = '0;
  endtask

  // Is what the chip shows legal after the state before? ISSUE is followed by a busy cycle or by the halt.
  function automatic logic follows(input state_e shown);
    case (state)
      StateStarted: follows = shown == StateFetch;
      StateFetch:   follows = shown == StateIssue;
      default: begin
        if (cycle == issued + 1) follows = shown == StateBusy || shown == StateHalted;
        else follows = shown == StateBusy || shown == StateFetch;
      end
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
