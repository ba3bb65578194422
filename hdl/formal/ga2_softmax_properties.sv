// docs/isa.md, SM: three passes over a row, their addresses, and the cycles between them: 3 * len + 47 in all. What
// is written is the table's value in the second pass and the rounded product in the third.
//
// The division is anything that takes 40 steps; ga2_reciprocal_properties.sv says what it gives.

module ga2_softmax_properties (
    input logic        clk_i,
    input logic        rst_i,
    input logic        wake_i,
    input logic [11:0] dst_i,
    input logic [11:0] src_i,
    input logic [11:0] length_i,
    input logic        working_o,
    input logic        done_o,
    input logic        read_o,
    input logic [11:0] read_addr_o,
    input logic        write_o,
    input logic [11:0] write_addr_o,
    input logic [16:0] write_data_o,
    // Inside.
    input logic [ 3:0] state_q,
    input logic [11:0] left_q,
    input logic        maximum_valid_q,
    input logic        lookup_valid_q,
    input logic        exponential_valid_q,
    input logic        product_valid_q,
    input logic        scaled_valid_q,
    input logic [15:0] exponential,
    input logic [37:0] product_q,
    input logic        start_division,
    input logic        wake_division,
    input logic        division_done
);

  logic valid;
  logic [15:0] busy;
  ga2_turn_properties u_turn (
      .clk_i,
      .rst_i,
      .wake_i,
      .working_o,
      .done_o,
      .valid_o(valid),
      .busy_o (busy)
  );

  logic [11:0] past_dst_q, past_src_q, past_length_q;
  logic stable;
  assign stable = dst_i == past_dst_q && src_i == past_src_q && length_i == past_length_q;

  // The page's passes in order, each with the number of its cycle: len, 1, len, 3, 40, 1, len, 2.
  typedef enum logic [3:0] {
    Idle,
    Maximum,
    Turn,
    Exponential,
    Drain,
    Divide,
    Quotient,
    Scale,
    End
  } phase_e;
  phase_e phase_q;
  logic [11:0] number_q, cycles;  // from 0 on
  logic [11:0] read_addr, written_q;  // words written in this pass
  logic [1:0] second_q, third_q;  // reads of these passes one and two cycles ago

  always_comb begin
    case (phase_q)
      Maximum, Exponential, Scale: cycles = length_i;
      Drain: cycles = 12'd3;
      Divide: cycles = 12'd40;
      End: cycles = 12'd2;
      default: cycles = 12'd1;
    endcase
  end

  always_ff @(posedge clk_i) begin
    past_dst_q <= dst_i;
    past_src_q <= src_i;
    past_length_q <= length_i;
    second_q <= rst_i ? 2'd0 : {second_q[0], phase_q == Exponential};
    third_q <= rst_i ? 2'd0 : {third_q[0], phase_q == Scale};
    number_q <= 12'd0;
    if (phase_q == Turn || phase_q == Quotient) written_q <= 12'd0;
    else if (second_q[1] || third_q[1]) written_q <= written_q + 12'd1;
    if (rst_i || !wake_i) phase_q <= Idle;
    else if (phase_q == Idle) phase_q <= Maximum;
    else if (number_q + 12'd1 != cycles) number_q <= number_q + 12'd1;
    else phase_q <= phase_q == End ? Idle : phase_q + 4'd1;
  end

  // Busy cycles before the phase, so that the last of all is 3 * len + 47.
  logic [15:0] length, earlier;
  assign length = {4'd0, length_i};
  always_comb begin
    case (phase_q)
      Turn: earlier = length;
      Exponential: earlier = length + 16'd1;
      Drain: earlier = length + length + 16'd1;
      Divide: earlier = length + length + 16'd4;
      Quotient: earlier = length + length + 16'd44;
      Scale: earlier = length + length + 16'd45;
      End: earlier = length + length + length + 16'd45;
      default: earlier = 16'd0;
    endcase
  end

  assign read_addr = (phase_q == Scale ? dst_i : src_i) + number_q;
  logic [11:0] write_addr;
  assign write_addr = dst_i + written_q;

  logic [38:0] rounded;
  assign rounded = {1'b0, product_q} + (39'd1 << 21);

  logic reading;
  assign reading = phase_q == Maximum || phase_q == Exponential || phase_q == Scale;
  logic [3:0] state;
  always_comb begin
    case (phase_q)
      Drain: state = 4'd4 + number_q[3:0];
      Divide: state = 4'd7;
      Quotient: state = 4'd8;
      Scale: state = 4'd9;
      End: state = 4'd10 + number_q[3:0];
      default: state = phase_q;
    endcase
  end

  always_comb begin
    if (valid) begin
      assume (!working_o || stable);
      assume (length_i != 12'd0);
      assume (division_done == (phase_q == Divide && number_q == 12'd39));

      three_passes_of_reads : assert (read_o == reading);
      read_addresses_of_src_src_and_dst : assert (!read_o || read_addr_o == read_addr);
      two_passes_of_writes : assert (write_o == (second_q[1] || third_q[1]));
      write_addresses_of_dst_twice : assert (!write_o || write_addr_o == write_addr);
      exponentials_first : assert (!second_q[1] || write_data_o == {1'b0, exponential});
      then_rounded_products : assert (!third_q[1] || write_data_o == rounded[38:22]);
      every_pass_takes_its_cycles : assert (state_q == state);
      the_last_write_is_in_the_last_busy_cycle :
      assert (done_o == (phase_q == End && number_q == 12'd1) && (!done_o || write_o));
      busy_for_3_len_plus_47 :
      assert (done_o == (working_o && busy == length + length + length + 16'd47));
      the_division_takes_40_cycles :
      assert (start_division == (phase_q == Drain && number_q == 12'd2) &&
              wake_division == (rst_i || start_division || phase_q == Divide));

      // What makes it inductive.
      phases_are_known : assert (phase_q <= End && number_q < cycles);
      cycles_so_far :
      assert (phase_q == Idle ? !working_o : busy == earlier + {4'd0, number_q} + 16'd1);
      words_left : assert (!reading || left_q == length_i - number_q);
      maximum_valid : assert (!maximum_valid_q || phase_q == Maximum || phase_q == Turn);
      lookup_valid : assert (lookup_valid_q == second_q[0]);
      exponential_valid : assert (exponential_valid_q == second_q[1]);
      product_valid : assert (product_valid_q == third_q[0]);
      scaled_valid : assert (scaled_valid_q == third_q[1]);
      one_after_the_second_pass :
      assert (!second_q[0] || phase_q == Exponential || (phase_q == Drain && number_q == 12'd0));
      two_after_the_second_pass :
      assert (!second_q[1] || phase_q == Exponential || (phase_q == Drain && number_q <= 12'd1));
      one_after_the_third_pass :
      assert (!third_q[0] || phase_q == Scale || (phase_q == End && number_q == 12'd0));
      two_after_the_third_pass : assert (!third_q[1] || phase_q == Scale || phase_q == End);
      all_of_the_third_pass :
      assert (phase_q != End || (number_q == 12'd0 ? third_q[0] : third_q[1]));
      the_write_address_counts :
      assert (!(phase_q == Exponential || phase_q == Drain || phase_q == Scale || phase_q == End) ||
              write_addr_o == write_addr);
    end
    division_begins : cover (valid && phase_q == Divide && length_i == 12'd2);
  end

endmodule
