// Scratchpad: 4096 words of 32 bits, one synchronous read port and one write port.
//
// The word of an address given in one cycle is on read_data_o in the next and stays there until
// the next read. A read of the word being written gives the old word. Nothing clears the array.

module ga2_scratchpad (
    input  logic        clk_i,
    // Read port: address now, data next cycle.
    input  logic        read_i,
    input  logic [11:0] read_addr_i,
    output logic [31:0] read_data_o,
    // Write port.
    input  logic        write_i,
    input  logic [11:0] write_addr_i,
    input  logic [31:0] write_data_i
);

  logic [31:0] mem[4096];

  always_ff @(posedge clk_i) begin
    if (read_i) read_data_o <= mem[read_addr_i];
  end

  always_ff @(posedge clk_i) begin
    if (write_i) mem[write_addr_i] <= write_data_i;
  end

endmodule
