// Program memory: 65,536 words, and garbage on imem_data in every cycle but FETCH.
//
// docs/isa.md lets the chip look at imem_data at the edge that ends FETCH only. FETCH follows an honoured start and
// every change of the pc, so the ports alone say when it is; the garbage before ISSUE is not that after it.
// Garbage comes from `seed` alone, the same on both simulators, and changes once per instruction, because Icarus pays
// for every net that changes.
module ga2_tb_program
  import ga2_tb_pkg::*;
(
    input logic        clk,
    input logic        rst,
    input logic        start,
    input logic        halted,
    input logic [15:0] imem_addr,

    input logic        clear,       // a new run begins: the garbage starts from the seed
    input logic [16:0] code_words,
    input logic [31:0] seed,        // not 0

    output logic [127:0] imem_data
);

  logic [127:0] words[65536];

  logic idle;  // after reset, before a start
  logic first;  // FETCH after an honoured start
  logic [15:0] pc_seen;
  logic [16:0] size;  // `code_words` of this run
  logic [31:0] noise;
  logic [127:0] garbage;

  // Defined bits in the same cycle, 0 beyond the program and for an undefined pc.
  wire in_program = ({1'b0, imem_addr} < size) === 1'b1;
  wire [127:0] word = in_program ? words[imem_addr] : '0;

  wire fetching = first || !idle && imem_addr !== pc_seen;
  assign imem_data = fetching ? word : garbage;

  wire awake = rst | start | clear | fetching;

  initial begin
    idle = 1'b1;
    first = 1'b0;
    pc_seen = '0;
    size = '0;
    noise = 32'h2545_f491;
    garbage = '1;
  end

  always @(posedge clk) begin
    if (awake) begin
      if (rst) begin
        idle <= 1'b1;
        first <= 1'b0;
        pc_seen <= '0;
      end else if (start && (idle || halted === 1'b1)) begin
        idle <= 1'b0;
        first <= 1'b1;
        pc_seen <= '0;
      end else begin
        first   <= 1'b0;
        pc_seen <= imem_addr;
      end
      if (clear) size <= code_words;
      if (clear || fetching) stir;
    end
`ifndef VERILATOR
    wait (awake);
`endif
  end

  // A random number spread over the word; one time in four each bit is the opposite of the word's.
  task static stir;
    noise = clear ? seed : stirred(noise);
    garbage <= noise[1:0] == 2'd0 ? ~word
        : {noise, ~noise[15:0], noise[31:16], noise ^ 32'h9e37_79b9, noise[7:0], noise[31:8]};
  endtask

endmodule
