// docs/isa.md, SM: r = floor(2^38 / sum), by the invariant of restoring division, for every sum of a row.
//
// The divisor is above 2^15: the largest score of a row has distance 0 and adds T[0] = 65535 to the sum.
// product_q is quotient * divisor, kept by the recurrence (2q + f) * d = 2 * (q * d) + f * d, which is left to
// arithmetic. After i steps it is, with the remainder, the first i bits of the dividend: 2^38 after all 40.

module ga2_reciprocal_properties (
    input logic        clk_i,
    input logic        rst_i,
    input logic        wake_i,
    input logic        start_i,
    input logic [27:0] divisor_i,
    input logic        done_o,
    input logic [22:0] quotient_o,
    // Inside.
    input logic        stepping_q,
    input logic [ 5:0] step_q,
    input logic [27:0] divisor_q,
    input logic [27:0] remainder_q
);

  logic valid_q, started_q, past_done_q;
  logic [ 5:0] steps_q;  // how many have been made
  logic [27:0] given_q;
  logic [52:0] product_q;
  logic [22:0] past_quotient_q;
  initial valid_q = 1'b0;

  always_ff @(posedge clk_i) begin
    valid_q <= 1'b1;
    past_done_q <= done_o && wake_i && !rst_i && !start_i;
    past_quotient_q <= quotient_o;
    if (rst_i) begin
      started_q <= 1'b0;
    end else if (start_i) begin
      started_q <= 1'b1;
      steps_q   <= 6'd0;
      given_q   <= divisor_i;
      product_q <= 53'd0;
    end else if (wake_i) begin
      steps_q   <= steps_q + 6'd1;
      product_q <= {product_q[51:0], 1'b0} + (next_bit ? {25'd0, given_q} : 53'd0);
    end
  end

  // Does the divisor fit into the remainder and the next bit of the dividend?
  logic next_bit;
  logic [28:0] shifted;
  assign shifted  = {remainder_q, steps_q == 6'd1};
  assign next_bit = shifted >= {1'b0, given_q};

  logic [52:0] dividend;  // as much of it as has been brought down
  assign dividend = steps_q < 6'd2 ? 53'd0 : 53'd1 << (steps_q - 6'd2);

  // Each bit of the quotient weighs as much as it must, so none is lost at the top.
  logic [22:0] weighs;
  for (genvar bit_number = 0; bit_number < 23; bit_number++) begin : g_bit
    assign weighs[bit_number] = !quotient_o[bit_number] ||
        product_q >= ({25'd0, given_q} << bit_number);
  end

  always_comb begin
    assume (valid_q || rst_i);
    assume (!rst_i || wake_i);
    assume (!start_i || wake_i);
    if (valid_q) begin
      assume (!start_i || divisor_i > 28'd32768);
      assume (!(wake_i && !rst_i && !start_i) || (started_q && steps_q < 6'd40));
      if (started_q) begin
        quotient_times_divisor_and_remainder_give_the_dividend :
        assert (product_q + {25'd0, remainder_q} == dividend);
        the_remainder_is_below_the_divisor : assert (remainder_q < given_q);
        done_in_the_last_of_40_steps : assert (done_o == (steps_q == 6'd39));
        no_bit_of_the_quotient_is_lost : assert (!quotient_o[22] || steps_q == 6'd40);
        the_quotient_of_2_to_38 :
        assert (steps_q != 6'd40 || product_q + {25'd0, remainder_q} == 53'd1 << 38);

        // What makes it inductive.
        the_divisor_is_kept : assert (divisor_q == given_q && given_q > 28'd32768);
        bits_weigh_what_they_must : assert (&weighs);
        no_more_than_the_dividend : assert (product_q <= dividend);
        steps_are_counted : assert (step_q == steps_q && steps_q <= 6'd40);
        stepping : assert (stepping_q == (steps_q < 6'd40));
      end
      the_quotient_stays : assert (!past_done_q || quotient_o[22:1] == past_quotient_q[21:0]);
    end
    first_step_subtracts_nothing : cover (valid_q && started_q && steps_q == 6'd2);
    last_step : cover (valid_q && started_q && steps_q == 6'd40 && given_q == 28'd65535);
  end

endmodule
