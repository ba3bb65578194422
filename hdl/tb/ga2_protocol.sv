// The contract of docs/isa.md about ports, reset, start, faults and time, cycle by cycle.
//
// A reference sequencer samples imem_data at the end of each FETCH, as the chip must, knows from the word how long
// the instruction is busy (LD from ISSUE and the responses it sees), and so predicts every output in every cycle.
// It reads ports of ga2 alone and fits any RTL. In simulation ga2_protocol_counts counts; a proof reads `failing`.
//
// Every check is named after a sentence (ga2_rules). What is wrong is reported once, where it begins to be: a
// counter that stays one behind is one failure.
//
// Icarus pays for every net that is read in a clock. A cycle in which the prediction does not change and is met is
// told by `plain`, which hardly ever changes, and two counters; all others go through `step`. Tasks are static by
// default: Icarus allocates the frame of an automatic one at each call, and yosys does not know the word `static`.
// verilog_lint: waive-start explicit-task-lifetime
module ga2_protocol (
    input logic        clk,
    input logic        rst,
    input logic        start,
    input logic        clear,     // a new run begins: all numbers return to 0
    input logic        distrust,  // the run was given up: nothing is promised until rst
    input logic [16:0] ext_words,

    input logic         halted,
    input logic         fault,
    input logic [ 15:0] imem_addr,
    input logic [127:0] imem_data,
    input logic         req_valid,
    input logic [ 15:0] req_addr,
    input logic         resp_valid,
    input logic         wr_valid,
    input logic [ 15:0] wr_addr,
    input logic [ 31:0] cyc_total,
    input logic [ 31:0] cyc_mm,
    input logic [ 31:0] cyc_dma,
    input logic [ 31:0] cyc_vec,
    input logic [ 31:0] n_inst,

    // For the rest of the harness, stable from edge to edge
    // state: ga2_rules::state_e, what the chip does in this cycle; opcode: of the word at pc
    // starts: honoured since the simulation began; failing: the checks that the last cycle failed
    output logic [                  2:0] state,
    output logic [                  3:0] opcode,
    output logic [                 31:0] starts,
    output logic [ga2_rules::Checks-1:0] failing
);

  // The prediction for this cycle. The counter of `unit` is `lag` behind cyc_total, the others stand still.
  logic [2:0] at;  // as `state`
  logic x_halted, x_fault, x_req, x_wr;
  logic [15:0] pc, address;  // address: of the next request or write
  logic [31:0] cycle, retired, mm, dma, vec, lag;
  logic [1:0] unit;
  logic slow;  // the next cycle needs a closer look, whatever it shows

  // The instruction
  logic [127:0] word, issue_word;  // as it stood in FETCH, which counts, and in ISSUE
  logic [3:0] running, running_q;  // its operation code
  logic stops;  // it is HALT or faults
  logic [31:0] issued;  // the cycle of its ISSUE
  logic [31:0] wake;  // the cycle in which the prediction changes next
  logic [15:0] asked_left, answers_left;  // words of an LD without request, without response
  logic [31:0] words;  // sampled by this program
  logic overdue;  // it should have retired and has not

  // How the chip came here
  logic [1:0] won;  // rst won over start at the last edge, at the one before
  logic lost, lost_before;  // start was lost at the last edge, at the one before
  logic stray, strayed;  // a response outside an LD at the last edge, since the last LD
  logic start_before;  // start was high at the last edge
  logic held, faulted;  // this program's start was held from before, came after a fault
  logic [31:0] ended, outside;  // the last cycle's number, and idle or halted cycles since
  logic ran;  // this run's first start was honoured
  logic [31:0] starts_before;  // without the one that came at the last edge
  logic awaited;  // at the last edge a start came that must be honoured
  logic banked;  // the numbers hold this program's counts

  // A chip that stays halted has lost the start. (From idle, a lost one shows at no port yet.)
  assign starts = starts_before + {31'd0, awaited && halted !== 1'b1};

  // How far each output was off already, so that what stays wrong is told once
  logic [31:0] off_total, off_mm, off_dma, off_vec, off_inst;
  logic [15:0] off_pc;
  logic off_halted, off_fault, off;

  wire [31:0] active = unit == 2'd0 ? cyc_mm : unit == 2'd1 ? cyc_dma : cyc_vec;
  wire moved_mm = unit != 2'd0 && cyc_mm !== mm;
  wire moved_dma = unit != 2'd1 && cyc_dma !== dma;
  wire moved_vec = unit != 2'd2 && cyc_vec !== vec;
  wire calm = {halted, fault, req_valid, wr_valid, moved_mm, moved_dma, moved_vec} ===
      {x_halted, x_fault, x_req, x_wr, 3'd0} && imem_addr === pc && n_inst === retired;
  wire plain = {calm, slow, rst, start, clear, distrust} === 6'b100000;
  wire traffic = req_valid | wr_valid | resp_valid;

  assign opcode = state == ga2_rules::Fetch ? imem_data[127:124] : running_q;

  initial begin
    at = ga2_rules::Unknown;
    state = ga2_rules::Unknown;
    {starts_before, awaited, failing, running, running_q, stops} = '0;
    {word, issue_word, issued, wake, unit} = '0;
    {asked_left, answers_left, won, lost, lost_before, stray, strayed} = '0;
    {start_before, held, faulted, ended, ran, address} = '0;
    slow = 1'b1;
    banked = 1'b1;
    return_to_zero;
    forget_offsets;
    clear_numbers;
  end

  always @(posedge clk) begin
`ifdef FORMAL
    step;
`else
    if (plain && cyc_total === cycle && cyc_total - active === lag && cycle !== wake) begin
      if (traffic) begin
        transfer;
        if (failing != '0) record;
      end
      cycle = cycle + 32'd1;
    end else begin
      step;
    end
`endif
  end

`ifdef FORMAL
  always_comb no_check_fails : assert (failing == '0);
`endif

  // One cycle: judge it, then predict the next.
  task step;
    failing = '0;
    starts_before <= starts;
    awaited <= 1'b0;
    if (clear) begin
      clear_numbers;
      ran = 1'b0;
      // What reset did not clear is reported by the run that finds it.
      if (at == ga2_rules::Idle) forget_offsets;
    end
    if (at == ga2_rules::Astray && halted === 1'b1) follow_halted;
    if (at >= ga2_rules::Idle) begin
      if (!(calm && cyc_total === cycle && cyc_total - active === lag)) judge;
      else if (off) forget_offsets;
    end
    lost_before = lost;
    lost = 1'b0;
    stray = 1'b0;
    won = {won[0], 1'b0};
    if (traffic && at >= ga2_rules::Idle) transfer;
    if (failing != '0) record;
    go_on;
    slow = at != ga2_rules::Busy || lost || lost_before || stray || off || failing != '0;
    start_before = start;
    state <= at;
    running_q <= running;
  endtask

  // ---- The prediction ----

  task go_on;
    if (rst) begin
      if (at == ga2_rules::Halted || at == ga2_rules::Idle) ended = ended + outside;
      else ended = cycle;
      ended = ended + 32'd1;
      bank(cycle + 32'd1);
      return_to_zero;
      at = ga2_rules::Idle;
      strayed = 1'b0;
      won[0] = start;
      if (start) look(ga2_rules::CheckResetWins);
      look(ga2_rules::CheckResetClears);
    end else if (distrust) begin
      bank(cycle);
      at = ga2_rules::Unknown;
    end else begin
      if (start && at >= ga2_rules::Fetch && at <= ga2_rules::Busy) begin
        lost = 1'b1;
        look(ga2_rules::CheckStartLost);
      end
      case (at)
        ga2_rules::Idle, ga2_rules::Halted: go_on_outside;
        ga2_rules::Fetch: sample;
        ga2_rules::Issue: issue;
        ga2_rules::Busy: begin
          if (cycle === wake && !overdue) go_on_busy;
          cycle = cycle + 32'd1;
        end
        default: ;
      endcase
    end
  endtask

  // Idle or halted; the first such cycle is looked at by what led there.
  task go_on_outside;
    if (outside != 0) begin
      if (at == ga2_rules::Idle) look(ga2_rules::CheckIdleHolds);
      else look(ga2_rules::CheckHaltedHolds);
    end
    faulted = x_fault;
    held = at == ga2_rules::Halted && outside == 0 && start_before;
    outside = outside + 32'd1;
    if (start) begin
      look(ga2_rules::CheckStartHonoured);
      look(ga2_rules::CheckStartClears);
      if (held) look(ga2_rules::CheckStartHeld);
      if (faulted) look(ga2_rules::CheckStartAfterFault);
      return_to_zero;
      at = ga2_rules::Fetch;
      banked = 1'b0;
      ran = 1'b1;
      awaited <= 1'b1;
    end
  endtask

  task sample;
    word = imem_data;
    running = word[127:124];
    words = words + 32'd1;
    stops = running == ga2_rules::OpHalt || ga2_rules::faults(word);
    if (!stops && unit != ga2_rules::unit_of(running)) begin
      case (unit)
        2'd0: mm = cycle - lag;
        2'd1: dma = cycle - lag;
        default: vec = cycle - lag;
      endcase
      unit = ga2_rules::unit_of(running);
      lag  = cycle - (unit == 2'd0 ? mm : unit == 2'd1 ? dma : vec);
    end
    cycle = cycle + 32'd1;
    lag = lag + 32'd1;
    at = ga2_rules::Issue;
  endtask

  task issue;
    issue_word = imem_data;
    issued = cycle;
    cycle = cycle + 32'd1;
    lag = lag + 32'd1;
    overdue = 1'b0;
    if (stops) begin
      at = ga2_rules::Halted;
      x_halted = 1'b1;
      x_fault = running != ga2_rules::OpHalt;
      ended = cycle;
      outside = '0;
      if (x_fault) look(ga2_rules::CheckFaultStops);
      else look(ga2_rules::CheckHaltStops);
      look(ga2_rules::CheckPcAtEnd);
      bank(cycle);
    end else begin
      at   = ga2_rules::Busy;
      wake = issued + ga2_rules::busy_cycles(word);
      if (running == ga2_rules::OpLoad) begin
        x_req = 1'b1;
        address = word[107:92];
        asked_left = word[91:76];
        answers_left = word[91:76];
      end
      if (running == ga2_rules::OpStore) begin
        wake = issued + 32'd2;
        address = word[107:92];
      end
    end
  endtask

  // What follows the busy cycle `wake`? LD has made its last request or got its last response the cycle before;
  // ST begins or ends to write.
  task go_on_busy;
    if (running == ga2_rules::OpLoad && x_req) begin
      x_req = 1'b0;
    end else if (running == ga2_rules::OpStore && !x_wr) begin
      x_wr = 1'b1;
      wake = issued + ga2_rules::busy_cycles(word);
    end else begin
      retire;
    end
  endtask

  task retire;
    at = ga2_rules::Fetch;
    pc = pc + 16'd1;
    retired = retired + 32'd1;
    x_req = 1'b0;
    x_wr = 1'b0;
    overdue = 1'b0;
    if (running == ga2_rules::OpLoad) strayed = 1'b0;
    count_instruction;
  endtask

  // Requests, responses and writes of this cycle
  task transfer;
    if (resp_valid) begin
      if (at == ga2_rules::Busy && running == ga2_rules::OpLoad) begin
        if (answers_left <= asked_left) failing[ga2_rules::CheckResponseAsked] = 1'b1;
        else begin
          answers_left = answers_left - 16'd1;
          if (answers_left == 16'd0) wake = cycle + 32'd1;
        end
      end else begin
        look(ga2_rules::CheckResponseIgnored);
        stray = 1'b1;
        strayed = 1'b1;
        slow = 1'b1;
      end
    end
    if (x_req) begin
      if (req_addr !== address) failing[ga2_rules::CheckLoadAddresses] = req_valid === 1'b1;
      else if ({1'b0, req_addr} >= ext_words) failing[ga2_rules::CheckRequestBound] = 1'b1;
      address = address + 16'd1;
      asked_left = asked_left - 16'd1;
    end
    if (x_wr) begin
      if (wr_addr !== address) failing[ga2_rules::CheckStoreAddresses] = wr_valid === 1'b1;
      else if ({1'b0, wr_addr} >= ext_words) failing[ga2_rules::CheckWriteBound] = 1'b1;
      address = address + 16'd1;
    end
  endtask

  task return_to_zero;
    {x_halted, x_fault, x_req, x_wr, overdue} = '0;
    {pc, cycle, retired, mm, dma, vec, lag, words, outside} = '0;
  endtask

  // ---- The judgement of a cycle that is not as predicted ----

  logic w_halted, w_fault, w_pc, w_total, w_mm, w_dma, w_vec, w_inst, w_req, w_wr;
  logic wrong, unknown, restarted, other_word;
  logic [31:0] x_active, x_mm, x_dma, x_vec;
  logic [6:0] blamed;  // the check that answers for all that is wrong; Checks: each for itself

  task judge;
    if (at == ga2_rules::Busy || at == ga2_rules::Fetch) judge_retire;
    find_wrong;
    if (unknown) begin
      failing[ga2_rules::CheckKnown] = wrong || w_req || w_wr;
    end else if (wrong || w_req || w_wr) begin
      find_cause;
      if (blamed != 7'(ga2_rules::Checks)) begin
        if (wrong) failing[blamed[5:0]] = 1'b1;
        if (w_req || w_wr) begin
          if (outside == 0) failing[blamed[5:0]] = 1'b1;
          else failing[ga2_rules::CheckValidsLow] = 1'b1;
        end
      end else if (at == ga2_rules::Fetch && words == 0) begin
        judge_start;
      end else if (at == ga2_rules::Issue && words == 1 && cyc_total === '0) begin
        blame_start;
      end else begin
        judge_running;
      end
      resume;
    end
  endtask

  // An instruction that retires early, or does not when it should
  task judge_retire;
    if (at == ga2_rules::Busy) begin
      if (imem_addr === pc + 16'd1 && n_inst === retired + 32'd1) begin
        if (!overdue) blame_time;
        retire;
      end else if (overdue && (imem_addr === pc + 16'd1 || n_inst === retired + 32'd1)) begin
        retire;
      end
    end else if (words != 0 && imem_addr === pc - 16'd1 && n_inst === retired - 32'd1) begin
      if (active === cycle - lag) blame_time;
      else failing[ga2_rules::CheckFetchIssueTime] = 1'b1;
      at = ga2_rules::Busy;
      pc = pc - 16'd1;
      retired = retired - 32'd1;
      overdue = 1'b1;
    end
  endtask

  task blame_time;
    if (running == ga2_rules::OpLoad && strayed) failing[ga2_rules::CheckResponseIgnored] = 1'b1;
    else failing[ga2_rules::CheckLoadTime+{2'd0, running}-6'd1] = 1'b1;
  endtask

  task find_wrong;
    x_active = cycle - lag;
    x_mm = unit == 2'd0 ? x_active : mm;
    x_dma = unit == 2'd1 ? x_active : dma;
    x_vec = unit == 2'd2 ? x_active : vec;
    w_halted = halted !== x_halted && !off_halted;
    w_fault = fault !== x_fault && !off_fault;
    w_pc = imem_addr !== pc && imem_addr - pc !== off_pc;
    w_total = cyc_total !== cycle && cyc_total - cycle !== off_total;
    w_mm = cyc_mm !== x_mm && cyc_mm - x_mm !== off_mm;
    w_dma = cyc_dma !== x_dma && cyc_dma - x_dma !== off_dma;
    w_vec = cyc_vec !== x_vec && cyc_vec - x_vec !== off_vec;
    w_inst = n_inst !== retired && n_inst - retired !== off_inst;
    w_req = req_valid !== x_req;
    w_wr = wr_valid !== x_wr;
`ifdef FORMAL
    unknown = 1'b0;  // a proof knows no X
`else
    unknown = ^{halted, fault, req_valid, wr_valid, imem_addr} === 1'bx ||
        ^{cyc_total, cyc_mm, cyc_dma, cyc_vec, n_inst} === 1'bx;
`endif
    wrong = w_halted || w_fault || w_pc || w_total || w_mm || w_dma || w_vec || w_inst;
    off_halted = halted !== x_halted;
    off_fault = fault !== x_fault;
    off_pc = imem_addr - pc;
    off_total = cyc_total - cycle;
    off_mm = cyc_mm - x_mm;
    off_dma = cyc_dma - x_dma;
    off_vec = cyc_vec - x_vec;
    off_inst = n_inst - retired;
    off = 1'b1;
  endtask

  task forget_offsets;
    {off_halted, off_fault, off, off_pc, off_total, off_mm, off_dma, off_vec, off_inst} = '0;
  endtask

  task find_cause;
    restarted = {halted, imem_addr, cyc_total, cyc_mm, cyc_dma, cyc_vec, n_inst} === '0;
    blamed = 7'(ga2_rules::Checks);
    if (won != 0) blamed = 7'(ga2_rules::CheckResetWins);
    else if (at == ga2_rules::Idle && outside == 0) blamed = 7'(ga2_rules::CheckResetClears);
    else if (lost && (restarted || !lost_before)) blamed = 7'(ga2_rules::CheckStartLost);
    else if (stray) blamed = 7'(ga2_rules::CheckResponseIgnored);
    else if (at == ga2_rules::Idle) blamed = 7'(ga2_rules::CheckIdleHolds);
    else if (at == ga2_rules::Halted && outside != 0) blamed = 7'(ga2_rules::CheckHaltedHolds);
  endtask

  // FETCH of word 0
  task judge_start;
    if (halted === 1'b1 || w_pc) blame_start;
    else if (wrong) failing[ga2_rules::CheckStartClears] = 1'b1;
    if (w_req || w_wr) failing[ga2_rules::CheckValidsLow] = 1'b1;
  endtask

  task blame_start;
    if (faulted) failing[ga2_rules::CheckStartAfterFault] = 1'b1;
    else if (held) failing[ga2_rules::CheckStartHeld] = 1'b1;
    else failing[ga2_rules::CheckStartHonoured] = 1'b1;
  endtask

  task judge_running;
    // Does the chip do what the word says that stood there in ISSUE?
    other_word = 1'b0;
    if (cycle === issued + 32'd1 && issue_word !== word) begin
      other_word = {halted, fault, req_valid} === shown_after(issue_word) &&
          shown_after(issue_word) != {x_halted, x_fault, x_req};
    end
    if (cycle === issued + 32'd2 && issue_word !== word) begin
      other_word = active === x_active - 32'd1 && ga2_rules::unit_of(issue_word[127:124]) != unit &&
          (w_mm && cyc_mm === x_mm + 32'd1 || w_dma && cyc_dma === x_dma + 32'd1 ||
           w_vec && cyc_vec === x_vec + 32'd1);
    end
    if (other_word) failing[ga2_rules::CheckFetchSamples] = 1'b1;
    else if (w_halted || w_fault) begin
      if (at == ga2_rules::Halted && x_fault) failing[ga2_rules::CheckFaultStops] = 1'b1;
      else if (at == ga2_rules::Halted) failing[ga2_rules::CheckHaltStops] = 1'b1;
      else if (at == ga2_rules::Busy && cycle === issued + 32'd1) begin
        failing[ga2_rules::CheckLegalRuns] = 1'b1;
      end else failing[ga2_rules::CheckRunning] = 1'b1;
    end else begin
      judge_values;
    end
  endtask

  task judge_values;
    if (w_pc) begin
      if (at == ga2_rules::Halted) failing[ga2_rules::CheckPcAtEnd] = 1'b1;
      else if (at != ga2_rules::Fetch) failing[ga2_rules::CheckPcStays] = 1'b1;
      else if (pc == 16'd0) failing[ga2_rules::CheckPcWraps] = 1'b1;
      else failing[ga2_rules::CheckPcAdvances] = 1'b1;
    end
    if (w_total) failing[ga2_rules::CheckCounterTotal] = 1'b1;
    if (w_mm) failing[ga2_rules::CheckCounterMm] = 1'b1;
    if (w_dma) failing[ga2_rules::CheckCounterDma] = 1'b1;
    if (w_vec) failing[ga2_rules::CheckCounterVec] = 1'b1;
    if (w_inst) failing[ga2_rules::CheckCounterInst] = 1'b1;
    if (w_req) begin
      if (at == ga2_rules::Busy && running == ga2_rules::OpLoad) begin
        failing[ga2_rules::CheckLoadRequests] = 1'b1;
      end else failing[ga2_rules::CheckValidsLow] = 1'b1;
    end
    if (w_wr) begin
      if (at == ga2_rules::Busy && running == ga2_rules::OpStore) begin
        failing[ga2_rules::CheckStoreWrites] = 1'b1;
      end else failing[ga2_rules::CheckValidsLow] = 1'b1;
    end
  endtask

  // halted, fault and req_valid in the cycle after the ISSUE of a word
  function automatic logic [2:0] shown_after(input logic [127:0] issued_word);
    if (issued_word[127:124] == ga2_rules::OpHalt) shown_after = 3'b100;
    else if (ga2_rules::faults(issued_word)) shown_after = 3'b110;
    else shown_after = {2'b00, issued_word[127:124] == ga2_rules::OpLoad};
  endfunction

  // After a wrong step, go on from what the chip shows.
  task resume;
    if (halted === 1'b1 && at != ga2_rules::Halted && at != ga2_rules::Idle) follow_halted;
    else if (at == ga2_rules::Issue && words == 1 && restarted && !lost) begin  // it has not begun
      at = ga2_rules::Idle;
      return_to_zero;
    end else if (at == ga2_rules::Halted && w_halted && outside == 0) begin
      at = ga2_rules::Astray;
    end else if (lost && restarted || won != 0 && wrong) begin
      at = ga2_rules::Astray;
    end
  endtask

  task follow_halted;
    at = ga2_rules::Halted;
    {x_halted, x_fault, x_req, x_wr} = {1'b1, fault, 2'b00};
    pc = imem_addr;
    {cycle, retired, mm, dma, vec} = {cyc_total, n_inst, cyc_mm, cyc_dma, cyc_vec};
    lag = cyc_total - active;
    ended = cycle;
    outside = '0;
    bank(cycle);
    forget_offsets;
  endtask

  // ---- The numbers; a proof has none ----

`ifndef FORMAL
  ga2_protocol_counts u_counts ();
`endif

  task look(input logic [5:0] check);
`ifndef FORMAL
    u_counts.look(check);
`endif
  endtask

  task bank(input logic [31:0] cycles);
`ifndef FORMAL
    if (!banked) u_counts.add_program(cycles, words, retired);
    banked = 1'b1;
`endif
  endtask

  task count_instruction;
`ifndef FORMAL
    u_counts.add_instruction(running, word[91:76], pc);
`endif
  endtask

  task record;
`ifndef FORMAL
    if (!ran) u_counts.record(failing, '0);
    else if (at == ga2_rules::Idle || at == ga2_rules::Halted) begin
      u_counts.record(failing, ended + outside + 32'd1);
    end else u_counts.record(failing, cycle + 32'd1);
    slow = 1'b1;
`endif
  endtask

  task clear_numbers;
`ifndef FORMAL
    u_counts.clear;
`endif
  endtask

endmodule
