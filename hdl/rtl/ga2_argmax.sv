// AMAX: index of the first maximum of signed 32-bit words, written after all reads.
//
//   cycle             1    2    3   ...  len  len+1  len+2  len+3
//   scratchpad read   0    1    2  ...  len-1
//   word register          0    1   ...       len-1
//   compare                     0   ...              len-1
//   scratchpad write                                          *
//
// Busy cycles: len + 3.
//   len       structure: one word a cycle
//   3         control constant: the scratchpad's read cycle, the word register, the write

module ga2_argmax (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wake_i,        // reset, or the turn of this unit
    // Instruction.
    input  logic [11:0] dst_i,
    input  logic [11:0] src_i,
    input  logic [11:0] length_i,
    // Progress.
    output logic        working_o,
    output logic        done_o,
    // Scratchpad.
    output logic        read_o,
    output logic [11:0] read_addr_o,
    input  logic [31:0] read_data_i,
    output logic        write_o,
    output logic [11:0] write_addr_o,
    output logic [11:0] write_data_o
);

  typedef enum logic [2:0] {
    StIdle,
    StRead,
    StLastWord,
    StLastCompare,
    StWrite
  } state_e;

  state_e state_q;
  logic [11:0] read_addr_q;
  logic [11:0] left_q;
  logic data_valid_q, word_valid_q;
  logic signed [31:0] word_q;
  logic signed [31:0] best_q;
  logic [11:0] index_q;
  logic [11:0] best_index_q;

  always_ff @(posedge clk_i) begin
    if (wake_i) begin
      if (rst_i) begin
        state_q <= StIdle;
        data_valid_q <= 1'b0;
        word_valid_q <= 1'b0;
      end else begin
        case (state_q)
          StRead: begin
            read_addr_q <= read_addr_q + 12'd1;
            left_q <= left_q - 12'd1;
            if (left_q == 12'd1) state_q <= StLastWord;
          end
          StLastWord: state_q <= StLastCompare;
          StLastCompare: state_q <= StWrite;
          StIdle: begin
            read_addr_q <= src_i;
            left_q <= length_i;
            state_q <= StRead;
            // The smallest word at index 0: nothing smaller can come, and an equal one is no better.
            best_q <= 32'sh8000_0000;
            best_index_q <= 12'd0;
            index_q <= 12'd0;
          end
          default: state_q <= StIdle;  // StWrite, and what is no state
        endcase
        data_valid_q <= read_o;
        word_valid_q <= data_valid_q;
        if (data_valid_q) word_q <= read_data_i;
        if (word_valid_q) begin
          index_q <= index_q + 12'd1;
          if (word_q > best_q) begin
            best_q <= word_q;
            best_index_q <= index_q;
          end
        end
      end
    end
  end

  assign working_o = state_q != StIdle;
  assign done_o = state_q == StWrite;
  assign read_o = state_q == StRead;
  assign read_addr_o = read_addr_q;
  assign write_o = state_q == StWrite;
  assign write_addr_o = dst_i;
  assign write_data_o = best_index_q;

endmodule
