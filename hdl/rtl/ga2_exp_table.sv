// Exponential table: T[d] = floor(65535 * exp(-d / 16) + 1/2) for d = 0..255 (docs/isa.md, SM).
//
// A constant memory with a registered output: the value of the distance given with read_i is on
// exponential_o from the next cycle on. From d = 189 on the value rounds to 0.

module ga2_exp_table (
  input  logic        clk_i,
  input  logic        read_i,
  input  logic [ 7:0] distance_i,
  output logic [15:0] exponential_o
);

  localparam int Entries = 189;

  // One 16-bit value a distance, distance 0 lowest, so last in the text.
  localparam logic [16*Entries-1:0] Table = {
    16'd1, 16'd1, 16'd1, 16'd1, 16'd1, 16'd1, 16'd1, 16'd1, 16'd1,
    16'd1, 16'd1, 16'd1, 16'd1, 16'd1, 16'd1, 16'd1, 16'd1, 16'd1,
    16'd2, 16'd2, 16'd2, 16'd2, 16'd2, 16'd2, 16'd2, 16'd2, 16'd3,
    16'd3, 16'd3, 16'd3, 16'd3, 16'd4, 16'd4, 16'd4, 16'd4, 16'd5,
    16'd5, 16'd5, 16'd6, 16'd6, 16'd6, 16'd7, 16'd7, 16'd8, 16'd8,
    16'd9, 16'd9, 16'd10, 16'd10, 16'd11, 16'd12, 16'd13, 16'd13, 16'd14,
    16'd15, 16'd16, 16'd17, 16'd18, 16'd19, 16'd21, 16'd22, 16'd23, 16'd25,
    16'd27, 16'd28, 16'd30, 16'd32, 16'd34, 16'd36, 16'd39, 16'd41, 16'd44,
    16'd47, 16'd50, 16'd53, 16'd56, 16'd60, 16'd64, 16'd68, 16'd72, 16'd77,
    16'd82, 16'd87, 16'd93, 16'd99, 16'd105, 16'd112, 16'd119, 16'd127, 16'd135,
    16'd143, 16'd153, 16'd162, 16'd173, 16'd184, 16'd196, 16'd209, 16'd222, 16'd236,
    16'd252, 16'd268, 16'd285, 16'd303, 16'd323, 16'd344, 16'd366, 16'd390, 16'd415,
    16'd442, 16'd470, 16'd500, 16'd533, 16'd567, 16'd604, 16'd642, 16'd684, 16'd728,
    16'd775, 16'd825, 16'd878, 16'd935, 16'd995, 16'd1059, 16'd1128, 16'd1200, 16'd1278,
    16'd1360, 16'd1448, 16'd1541, 16'd1641, 16'd1746, 16'd1859, 16'd1979, 16'd2107, 16'd2242,
    16'd2387, 16'd2541, 16'd2705, 16'd2879, 16'd3065, 16'd3263, 16'd3473, 16'd3697, 16'd3936,
    16'd4190, 16'd4460, 16'd4747, 16'd5054, 16'd5379, 16'd5726, 16'd6096, 16'd6489, 16'd6907,
    16'd7353, 16'd7827, 16'd8332, 16'd8869, 16'd9441, 16'd10050, 16'd10698, 16'd11388, 16'd12123,
    16'd12905, 16'd13737, 16'd14623, 16'd15566, 16'd16570, 16'd17639, 16'd18776, 16'd19987, 16'd21276,
    16'd22648, 16'd24109, 16'd25664, 16'd27319, 16'd29081, 16'd30957, 16'd32953, 16'd35078, 16'd37341,
    16'd39749, 16'd42313, 16'd45042, 16'd47946, 16'd51039, 16'd54330, 16'd57834, 16'd61564, 16'd65535
  };

  always_ff @(posedge clk_i) begin
    if (read_i) begin
      if (distance_i < Entries) exponential_o <= Table[16*distance_i+:16];
      else exponential_o <= 16'd0;
    end
  end

endmodule
