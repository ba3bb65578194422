// ST: moves length words from the scratchpad to external memory.
//
//   cycle            1    2    3   ...  len  len+1  len+2
//   scratchpad read  0    1    2  ...  len-1
//   scratchpad data       0    1   ...       len-1
//   external write             0   ...              len-1
//
// Busy cycles: len + 2.
//   len       structure: one word a cycle
//   2         control constant: the scratchpad's read cycle and the register in front of the pins

module ga2_dma_store (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wake_i,       // reset, or the turn of this unit
    // Instruction.
    input  logic [11:0] src_i,
    input  logic [15:0] dst_i,
    input  logic [11:0] length_i,
    // Progress.
    output logic        working_o,
    output logic        done_o,
    // Scratchpad.
    output logic        read_o,
    output logic [11:0] read_addr_o,
    input  logic [31:0] read_data_i,
    // External memory.
    output logic        wr_valid_o,
    output logic [15:0] wr_addr_o,
    output logic [31:0] wr_data_o
);

  typedef enum logic [1:0] {
    StIdle,
    StRead,
    StLastData,
    StLastWrite
  } state_e;

  state_e state_q;
  logic [11:0] read_addr_q;
  logic [11:0] left_q;
  logic data_valid_q;
  logic wr_valid_q;
  logic [15:0] wr_addr_q;
  logic [31:0] wr_data_q;

  always_ff @(posedge clk_i) begin
    if (wake_i) begin
      if (rst_i) begin
        state_q <= StIdle;
        data_valid_q <= 1'b0;
        wr_valid_q <= 1'b0;
      end else begin
        case (state_q)
          StRead: begin
            read_addr_q <= read_addr_q + 12'd1;
            left_q <= left_q - 12'd1;
            if (left_q == 12'd1) state_q <= StLastData;
          end
          StLastData:  state_q <= StLastWrite;
          StLastWrite: state_q <= StIdle;
          default: begin  // StIdle, in its turn
            read_addr_q <= src_i;
            wr_addr_q <= dst_i;
            left_q <= length_i;
            state_q <= StRead;
          end
        endcase
        data_valid_q <= read_o;
        wr_valid_q   <= data_valid_q;
        if (data_valid_q) wr_data_q <= read_data_i;
        if (wr_valid_q) wr_addr_q <= wr_addr_q + 16'd1;
      end
    end
  end

  assign working_o = state_q != StIdle;
  assign done_o = state_q == StLastWrite;
  assign read_o = state_q == StRead;
  assign read_addr_o = read_addr_q;
  assign wr_valid_o = wr_valid_q;
  assign wr_addr_o = wr_addr_q;
  assign wr_data_o = wr_data_q;

endmodule
