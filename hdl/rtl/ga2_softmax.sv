// SM: softmax of int8 scores in Q4.4 to Q0.16, in three passes around one division.
//
//   pass 1   top = max x
//   pass 2   e_i = T[top - x_i], written to dst; sum of all e
//   divide   r = floor(2^38 / sum)
//   pass 3   p_i = (e_i * r + 2^21) >> 22, e_i read back from dst
//
// Busy cycles: 3 * len + 47
//   Maximum           len    structure: one word a cycle
//   LastMaximum       1      control constant: the scratchpad's read cycle
//   Exponential       len    structure: one word a cycle
//   LastLookup        1      control constant: the scratchpad's read cycle
//   LastExponential   1      control constant: the table's output register
//   StartDivision     1      control constant: start the division by the complete sum
//   Divide            40     structure: one quotient bit a cycle
//   TakeQuotient      1      control constant: the register of r in front of the multiplier
//   Scale             len    structure: one word a cycle
//   LastProduct       1      control constant: the scratchpad's read cycle
//   LastScaled        1      control constant: the product register

module ga2_softmax (
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
    input  logic [15:0] read_data_i,
    output logic        write_o,
    output logic [11:0] write_addr_o,
    output logic [16:0] write_data_o
);

  typedef enum logic [3:0] {
    StIdle,
    StMaximum,
    StLastMaximum,
    StExponential,
    StLastLookup,
    StLastExponential,
    StStartDivision,
    StDivide,
    StTakeQuotient,
    StScale,
    StLastProduct,
    StLastScaled
  } state_e;

  state_e state_q;

  // Pipeline: what is on the read port, and what is ready to be written.
  logic [11:0] read_addr_q, left_q, write_addr_q;
  logic maximum_valid_q, lookup_valid_q, product_valid_q;
  logic exponential_valid_q, scaled_valid_q;

  logic signed [7:0] top_q;
  logic [15:0] exponential;
  logic [27:0] sum_q;  // 4095 * 65535 is below 2^28
  logic [22:0] reciprocal_q;  // at most 2^38 / 65535, below 2^23
  logic [37:0] product_q;  // 65535 * floor(2^38 / 65535) is below 2^38

  logic start_division, wake_division, division_done;
  logic [22:0] quotient;

  always_ff @(posedge clk_i) begin
    if (wake_i) begin
      if (rst_i) begin
        state_q <= StIdle;
        maximum_valid_q <= 1'b0;
        lookup_valid_q <= 1'b0;
        exponential_valid_q <= 1'b0;
        product_valid_q <= 1'b0;
        scaled_valid_q <= 1'b0;
      end else begin
        if (read_o) begin
          read_addr_q <= read_addr_q + 12'd1;
          left_q <= left_q - 12'd1;
        end
        if (write_o) write_addr_q <= write_addr_q + 12'd1;

        maximum_valid_q <= state_q == StMaximum;
        lookup_valid_q <= state_q == StExponential;
        exponential_valid_q <= lookup_valid_q;
        product_valid_q <= state_q == StScale;
        scaled_valid_q <= product_valid_q;

        if (maximum_valid_q && ($signed(read_data_i[7:0]) > top_q)) top_q <= read_data_i[7:0];
        if (exponential_valid_q) sum_q <= sum_q + {12'd0, exponential};
        if (product_valid_q) product_q <= read_data_i * reciprocal_q;

        case (state_q)
          StIdle: begin
            read_addr_q <= src_i;
            left_q <= length_i;
            top_q <= -8'sd128;
            sum_q <= 28'd0;
            state_q <= StMaximum;
          end
          StMaximum: if (left_q == 12'd1) state_q <= StLastMaximum;
          StLastMaximum: begin
            read_addr_q <= src_i;
            write_addr_q <= dst_i;
            left_q <= length_i;
            state_q <= StExponential;
          end
          StExponential: if (left_q == 12'd1) state_q <= StLastLookup;
          StLastLookup: state_q <= StLastExponential;
          StLastExponential: state_q <= StStartDivision;
          StStartDivision: state_q <= StDivide;
          StDivide: if (division_done) state_q <= StTakeQuotient;
          StTakeQuotient: begin
            reciprocal_q <= quotient;
            read_addr_q <= dst_i;
            write_addr_q <= dst_i;
            left_q <= length_i;
            state_q <= StScale;
          end
          StScale: if (left_q == 12'd1) state_q <= StLastProduct;
          StLastProduct: state_q <= StLastScaled;
          default: state_q <= StIdle;  // StLastScaled, and what is no state
        endcase
      end
    end
  end

  ga2_exp_table u_exp_table (
      .clk_i,
      .read_i       (lookup_valid_q),
      .top_i        (top_q),
      .score_i      (read_data_i[7:0]),
      .exponential_o(exponential)
  );

  assign start_division = state_q == StStartDivision;
  assign wake_division  = rst_i || start_division || (state_q == StDivide);

  ga2_reciprocal u_reciprocal (
      .clk_i,
      .rst_i,
      .wake_i    (wake_division),
      .start_i   (start_division),
      .divisor_i (sum_q),
      .done_o    (division_done),
      .quotient_o(quotient)
  );

  logic [38:0] rounded;
  assign rounded = {1'b0, product_q} + 39'h20_0000;

  logic unused_bits;
  assign unused_bits = ^rounded[21:0];

  assign working_o = state_q != StIdle;
  assign done_o = state_q == StLastScaled;
  assign read_o = (state_q == StMaximum) || (state_q == StExponential) || (state_q == StScale);
  assign read_addr_o = read_addr_q;
  assign write_o = exponential_valid_q || scaled_valid_q;
  assign write_addr_o = write_addr_q;
  assign write_data_o = exponential_valid_q ? {1'b0, exponential} : rounded[38:22];

endmodule
