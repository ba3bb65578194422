// A chip that breaks the rules on demand, to show that each check of the harness finds what it is for.
//
// It keeps time and ports like a ga2, by the harness's own words for it (ga2_rules), and computes nothing: loads
// put their words where they like and stores write 0. Bits 5:0 of a word name the rule that is broken from that
// instruction on: in its third busy cycle, unless the rule says otherwise. rst mends it.
module ga2 (
    input  logic         clk,
    input  logic         rst,
    input  logic         start,
    output logic         halted,
    output logic         fault,
    output logic [ 15:0] imem_addr,
    input  logic [127:0] imem_data,
    output logic         req_valid,
    output logic [ 15:0] req_addr,
    input  logic         resp_valid,
    input  logic [ 31:0] resp_data,
    output logic         wr_valid,
    output logic [ 15:0] wr_addr,
    output logic [ 31:0] wr_data,
    output logic [ 31:0] cyc_total,
    output logic [ 31:0] cyc_mm,
    output logic [ 31:0] cyc_dma,
    output logic [ 31:0] cyc_vec,
    output logic [ 31:0] n_inst
);

  typedef enum logic [5:0] {
    Behave,
    SkipTotal,         // cyc_total misses a cycle
    TwoUnits,          // two unit counters step at once
    MovePc,            // pc changes while busy
    SkipPc,            // pc advances by two at the retire
    FaultAlone,        // fault without halted
    HaltBusy,          // halted in the middle of an instruction
    RequestAnywhere,   // a request in an instruction that is no LD
    RequestElsewhere,  // a request out of order
    WriteAnywhere,     // a write in an instruction that is no ST
    WriteElsewhere,    // a write out of order
    LeaveEarly,        // an LD ends before its answers have come
    RequestHalted,     // a request after the halt
    CountHalted,       // a counter that moves after the halt
    KeepPc,            // rst leaves pc
    UnknownValid,      // X on a valid
    UnknownCounter,    // X on a counter
    CountTwice,        // n_inst steps twice
    NeverEnd,          // an instruction that stays busy for ever
    ForgetHalt,        // halted falls by itself
    StayLong,          // an instruction is busy a cycle longer
    RequestLate,       // an LD makes each request a cycle late
    RequestPaused,     // an LD waits for each response before its next request
    WriteEarly,        // an ST writes in its busy cycles 2..len+1
    SkipUnit,          // the unit's counter misses a cycle
    Count16,           // cyc_total has 16 bits
    LateInst,          // n_inst steps a cycle late
    DropFault,         // fault falls after some halted cycles
    MoveAtLost,        // pc changes where a start is lost
    RestartBusy,       // start is honoured while busy
    StartUnderRst,     // start wins over rst
    SecondRst,         // rst is seen in its first cycle alone
    AcceptStray,       // a response outside an LD counts for the next one
    SampleInIssue,     // the word is taken in ISSUE
    Pc12,              // pc has 12 bits
    SlowIssue,         // ISSUE takes two cycles
    HaltLate,          // halted rises a cycle late
    SilentFault,       // a faulting word raises halted alone
    FaultLegal,        // a legal word faults
    MoveAtHalt,        // pc advances at the halt
    CountIdle,         // a counter moves in the idle chip
    LoseStart,         // a start is lost in the halted chip,
    LoseHeld,          // in its first halted cycle,
    LoseAfterFault,    // after a fault
    KeepCounter,       // n_inst stays at a start
    WrapLate           // pc goes from 65,535 to 1
  } rule_e;

  typedef enum logic [2:0] {
    Idle,
    Fetch,
    Issue,
    Busy,
    Halted
  } state_e;

  // What the bench reads back; loads put their words where they like.
  logic [31:0] mem[4096];

  state_e state;
  logic [127:0] sampled;
  logic [31:0] cycle;  // busy cycles so far
  logic [15:0] asked, answers;
  logic [3:0] after_halt;
  logic stayed, late_inst, rst_before;
  logic [5:0] rule;

  wire [127:0] word = rule == SampleInIssue && state == Issue ? imem_data : sampled;
  wire [3:0] opcode = word[127:124];
  wire [15:0] base = word[107:92];
  wire [15:0] length = word[91:76];
  wire [5:0] new_rule = rule != SampleInIssue && word[5:0] != Behave ? word[5:0] : rule;
  wire faulty = ga2_rules::faults(word);
  wire third = cycle == 32'd2;
  wire reset = rst && !(rule == StartUnderRst && start) && !(rule == SecondRst && rst_before);

  // Is this the last busy cycle?
  wire due = opcode == ga2_rules::OpLoad ? (rule == LeaveEarly && cycle == 32'd3) || answers >= length
      : cycle >= ga2_rules::busy_cycles(word) - 32'd1;
  wire last = due && rule != NeverEnd && (rule != StayLong || stayed);

  initial rule = Behave;

  always @(posedge clk) begin
    rst_before <= rst;
    late_inst  <= 1'b0;
    if (reset) begin
      state <= Idle;
      halted <= 1'b0;
      fault <= 1'b0;
      req_valid <= 1'b0;
      wr_valid <= 1'b0;
      answers <= '0;
      if (rule != KeepPc) imem_addr <= '0;
      {cyc_total, cyc_mm, cyc_dma, cyc_vec, n_inst} <= '0;
      if (rule != CountIdle && rule != SecondRst) rule <= Behave;
    end else begin
      req_valid <= 1'b0;
      wr_valid  <= 1'b0;
      if (late_inst) n_inst <= n_inst + 1;
      if (rule == SecondRst && rst_before && !rst) rule <= Behave;
      if (rule == AcceptStray && resp_valid && (state != Busy || opcode != ga2_rules::OpLoad)) begin
        answers <= answers + 16'd1;
      end
      case (state)
        Idle, Halted: run_outside;
        Fetch: begin
          state   <= Issue;
          stayed  <= 1'b0;
          sampled <= imem_data;
          count;
        end
        Issue: begin
          count;
          if (new_rule == SlowIssue && !stayed || rule == HaltLate && opcode == 4'd0 && !stayed) begin
            stayed <= 1'b1;
          end else begin
            issue;
          end
        end
        default: run_busy;
      endcase
      if (rst && rule == StartUnderRst) begin_program;
    end
  end

  task automatic count;
    if (rule == Count16) cyc_total <= {16'd0, cyc_total[15:0] + 16'd1};
    else cyc_total <= cyc_total + 1;
  endtask

  task automatic run_outside;
    after_halt <= after_halt + 1;
    if (rule == CountIdle && state == Idle) begin
      cyc_mm <= cyc_mm + 1;
      rule   <= Behave;
    end
    if (start && !loses_start()) begin
      begin_program;
    end else if (state == Halted && after_halt == 0) begin
      req_valid <= rule == RequestHalted;
      cyc_mm <= cyc_mm + {31'd0, rule == CountHalted};
      halted <= rule != ForgetHalt;
      if (rule == DropFault) fault <= 1'b0;
    end
  endtask

  function automatic logic loses_start();
    loses_start = state == Halted &&
        (rule == LoseStart || rule == LoseHeld && after_halt == 0 || rule == LoseAfterFault && fault);
  endfunction

  task automatic begin_program;
    state <= Fetch;
    halted <= 1'b0;
    fault <= 1'b0;
    imem_addr <= '0;
    {cyc_total, cyc_mm, cyc_dma, cyc_vec} <= '0;
    if (rule != KeepCounter) n_inst <= '0;
    if (rule == StartUnderRst || rule == RestartBusy) rule <= Behave;
  endtask

  task automatic issue;
    sampled <= word;
    rule <= new_rule;
    cycle <= '0;
    stayed <= 1'b0;
    asked <= 16'd1;
    if (rule != AcceptStray) answers <= '0;
    if (opcode == 4'd0 || faulty || new_rule == FaultLegal) begin
      state <= Halted;
      halted <= 1'b1;
      fault <= opcode != 4'd0 && rule != SilentFault;
      after_halt <= '0;
      if (rule == MoveAtHalt) imem_addr <= imem_addr + 16'd1;
    end else begin
      state <= Busy;
      req_valid <= opcode == ga2_rules::OpLoad && new_rule != RequestLate;
      if (new_rule == RequestLate) asked <= '0;
      req_addr <= base - {15'd0, new_rule == RequestLate};
      wr_addr  <= base - 16'd1;
    end
  endtask

  task automatic run_busy;
    cycle  <= cycle + 1;
    stayed <= due;
    if (third && rule == UnknownCounter) cyc_total <= 'x;
    else if (!third || rule != SkipTotal) count;
    if (!third || rule != SkipUnit) begin
      case (ga2_rules::unit_of(
          opcode
      ))
        2'd0: cyc_mm <= cyc_mm + 1;
        2'd1: cyc_dma <= cyc_dma + 1;
        default: cyc_vec <= cyc_vec + 1;
      endcase
    end
    if (opcode == ga2_rules::OpLoad) run_load;
    if (opcode == ga2_rules::OpStore) begin
      if (cycle + 32'd1 >= (rule == WriteEarly ? 32'd1 : 32'd2) &&
          cycle + 32'd1 < (rule == WriteEarly ? 32'd1 : 32'd2) + {16'd0, length}) begin
        wr_valid <= 1'b1;
        wr_addr  <= wr_addr + (third && rule == WriteElsewhere ? 16'd2 : 16'd1);
      end
      wr_data <= '0;
    end
    if (last) begin
      state <= Fetch;
      if (rule != AcceptStray || opcode == ga2_rules::OpLoad) answers <= '0;
      late_inst <= rule == LateInst;
      n_inst <= n_inst + (rule == CountTwice ? 32'd2 : rule == LateInst ? 32'd0 : 32'd1);
      imem_addr <= imem_addr + (rule == SkipPc ? 16'd2 : 16'd1);
      if (rule == WrapLate && imem_addr == '1) imem_addr <= 16'd1;
      if (rule == Pc12 && n_inst == 32'd4095) imem_addr <= '0;  // once, or it would never halt
    end else if (third) begin
      break_rule;
    end
    if (start && rule == RestartBusy) begin_program;
    if (start && rule == MoveAtLost) imem_addr <= imem_addr + 1;
  endtask

  task automatic run_load;
    if (asked < length && (rule != RequestPaused || resp_valid)) begin
      req_valid <= 1'b1;
      asked <= asked + 16'd1;
      req_addr <= req_addr + (third && rule == RequestElsewhere ? 16'd2 : 16'd1);
    end
    answers <= answers + {15'd0, resp_valid};
    mem[answers[11:0]] <= resp_data;
  endtask

  task automatic break_rule;
    case (rule)
      TwoUnits: cyc_mm <= cyc_mm + 1;
      MovePc: imem_addr <= imem_addr + 1;
      FaultAlone: fault <= 1'b1;
      HaltBusy: begin
        state <= Halted;
        halted <= 1'b1;
        after_halt <= '0;
      end
      RequestAnywhere: req_valid <= 1'b1;
      WriteAnywhere: wr_valid <= 1'b1;
      UnknownValid: req_valid <= 1'bx;
      default: ;
    endcase
  endtask

endmodule
