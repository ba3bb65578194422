// One entry for each completed instruction: pc, opcode, and the busy cycles it cost each unit.
//
// Read off the ports alone. n_inst steps at the edge that ends the last busy cycle; the FETCH that
// follows is sampled at its end, when pc has moved on and the unit counters stand still. The log
// starts anew with every honoured start, so after a restart it holds the last run; rst leaves it.
//
// Between two of them the block reads one net a clock, `news`.
module ga2_tb_retire_log #(
    parameter int Depth = 4096  // as many as instruction memory holds: pc never goes back
) (
    input logic        clk,
    input logic [31:0] starts,     // steps when a start is honoured
    input logic [15:0] imem_addr,
    input logic [ 3:0] opcode,     // of the word at imem_addr
    input logic [31:0] cyc_mm,
    input logic [31:0] cyc_dma,
    input logic [31:0] cyc_vec,
    input logic [31:0] n_inst,

    output logic [31:0] retire_count,

    // For the trace: an entry is made at the next edge, of this instruction, and how far the unit
    // counters were before it
    output logic        retired,
    output logic [15:0] pc,
    output logic [ 3:0] pc_opcode,
    output logic [31:0] before_mm,
    output logic [31:0] before_dma,
    output logic [31:0] before_vec
);

  // {opcode and pc, cyc_mm, cyc_dma, cyc_vec}, each in 32 bits
  logic [127:0] entries[Depth];

  logic [31:0] n_inst_seen, starts_seen;

  wire news = n_inst !== n_inst_seen || starts !== starts_seen;
  assign retired = news && starts === starts_seen && n_inst !== '0 && retire_count < Depth;

  initial begin
    retire_count = '0;
    n_inst_seen  = '0;
    starts_seen  = '0;
  end

  always @(posedge clk) begin
    if (news) begin
      if (starts !== starts_seen) begin
        retire_count <= '0;
        {before_mm, before_dma, before_vec} <= '0;
      end else if (retired) begin
        entries[retire_count[11:0]] <= {
          12'd0, pc_opcode, pc, cyc_mm - before_mm, cyc_dma - before_dma, cyc_vec - before_vec
        };
        {before_mm, before_dma, before_vec} <= {cyc_mm, cyc_dma, cyc_vec};
        retire_count <= retire_count + 1;
      end
      pc <= imem_addr;
      pc_opcode <= opcode;
      n_inst_seen <= n_inst;
      starts_seen <= starts;
    end
  end

endmodule
