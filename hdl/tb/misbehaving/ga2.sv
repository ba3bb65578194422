// A chip that breaks the rules on demand, to show that each check of the harness finds what it is for.
//
// It keeps time and ports like a ga2 with three instructions: 1 loads c words from b, 2 stores c words to b
// (its data are 0), 4 is busy on a vector unit for c + 2 cycles; 0 halts. Bits 4:0 of a word name the rule
// that is broken in that instruction's third busy cycle, or at its end, or after the halt that follows.
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

  typedef enum logic [4:0] {
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
    ForgetHalt         // halted falls by itself
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
  logic [127:0] word;
  logic [15:0] cycle;  // busy cycles so far
  logic [15:0] answers;
  logic [3:0] after_halt;
  logic [4:0] rule;

  wire [3:0] opcode = word[127:124];
  wire [15:0] base = word[107:92];
  wire [15:0] length = word[91:76];
  wire third = cycle == 16'd2;
  wire unused = ^{word[123:108], word[75:5]};

  // Is this the last busy cycle?
  wire last = opcode == 4'd1 ? (rule == LeaveEarly && cycle == 16'd3) || answers == length
      : cycle == length + 16'd1 && rule != NeverEnd;

  initial rule = Behave;

  always @(posedge clk) begin
    if (rst) begin
      state <= Idle;
      halted <= 1'b0;
      fault <= 1'b0;
      req_valid <= 1'b0;
      wr_valid <= 1'b0;
      if (rule != KeepPc) imem_addr <= '0;
      {cyc_total, cyc_mm, cyc_dma, cyc_vec, n_inst} <= '0;
      rule <= Behave;
    end else begin
      req_valid <= 1'b0;
      wr_valid  <= 1'b0;
      case (state)
        Idle, Halted: begin
          after_halt <= after_halt + 1;
          if (start) begin
            state <= Fetch;
            halted <= 1'b0;
            fault <= 1'b0;
            imem_addr <= '0;
            {cyc_total, cyc_mm, cyc_dma, cyc_vec, n_inst} <= '0;
          end else if (state == Halted && after_halt == 0) begin
            req_valid <= rule == RequestHalted;
            cyc_mm <= cyc_mm + {31'd0, rule == CountHalted};
            halted <= rule != ForgetHalt;
          end
        end
        Fetch: begin
          state <= Issue;
          word <= imem_data;
          cyc_total <= cyc_total + 1;
        end
        Issue: begin
          cyc_total <= cyc_total + 1;
          cycle <= '0;
          answers <= '0;
          if (opcode == 4'd0) begin
            state <= Halted;
            halted <= 1'b1;
            after_halt <= '0;
          end else begin
            state <= Busy;
            rule <= word[4:0];
            req_valid <= opcode == 4'd1;
            req_addr <= base;
          end
        end
        default: run_busy;
      endcase
    end
  end

  task automatic run_busy;
    cycle <= cycle + 1;
    if (third && rule == UnknownCounter) cyc_total <= 'x;
    else if (!third || rule != SkipTotal) cyc_total <= cyc_total + 1;
    if (opcode == 4'd4) cyc_vec <= cyc_vec + 1;
    else cyc_dma <= cyc_dma + 1;
    if (opcode == 4'd1) begin
      if (cycle + 16'd1 < length) req_valid <= 1'b1;
      req_addr <= req_addr + (third && rule == RequestElsewhere ? 16'd2 : 16'd1);
      answers <= answers + {15'd0, resp_valid};
      mem[answers[11:0]] <= resp_data;
    end
    if (opcode == 4'd2) begin
      wr_valid <= cycle >= 16'd1 && cycle <= length;
      wr_addr  <= base + cycle - 16'd1 + (third && rule == WriteElsewhere ? 16'd1 : 16'd0);
      wr_data  <= '0;
    end
    if (last) begin
      state <= Fetch;
      n_inst <= n_inst + (rule == CountTwice ? 32'd2 : 32'd1);
      imem_addr <= imem_addr + (rule == SkipPc ? 16'd2 : 16'd1);
    end else if (third) begin
      break_rule;
    end
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
