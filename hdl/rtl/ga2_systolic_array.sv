// Systolic array: 4 x 4 multipliers, output stationary, one accumulator each.
//
// Values of A enter at the left and move right, values of B enter at the top and move down, both
// skewed by one cycle a lane, so that A[m][k] meets B[k][n] in element (m, n) at step k + m + n:
//
//   step          0    1    2    3    4          B lane 0   1   2   3
//   A lane 0     a00  a01  a02  a03  a04            |   |   |   |
//   A lane 1      0   a10  a11  a12  a13     A 0 -> *   *   *   *
//   A lane 2      0    0   a20  a21  a22     A 1 -> *   *   *   *
//   A lane 3      0    0    0   a30  a31     A 2 -> *   *   *   *
//                                            A 3 -> *   *   *   *
//
// Rows and columns outside the tile stand still. All sixteen multipliers of the chip's matrix
// arithmetic are here, four in each row.

module ga2_systolic_array (
    input  logic        clk_i,
    input  logic        clear_i,
    input  logic        step_i,
    input  logic [ 2:0] rows_i,     // M, 1 to 4
    input  logic [ 2:0] columns_i,  // N, 1 to 4
    input  logic [31:0] a_lanes_i,  // one value for each row, row 0 lowest
    input  logic [31:0] b_lanes_i,  // one value for each column, column 0 lowest
    // Sums: the one of (row_i, column_i) is on sum_o in the cycle after read_i.
    input  logic        read_i,
    input  logic [ 1:0] row_i,
    input  logic [ 1:0] column_i,
    output logic [21:0] sum_o
);

  localparam int Rows = 4;

  logic [31:0] b_row[Rows+1];
  logic [21:0] sum_row[Rows];
  logic [1:0] sum_row_q;

  assign b_row[0] = b_lanes_i;

  for (genvar row = 0; row < Rows; row++) begin : g_row
    logic in_tile, read, wake;
    assign in_tile = rows_i > row;
    assign read = read_i && (row_i == row);
    assign wake = clear_i || (step_i && in_tile) || read;

    ga2_systolic_row u_row (
        .clk_i,
        .wake_i(wake),
        .clear_i,
        .step_i,
        .columns_i,
        .a_i   (a_lanes_i[8*row+:8]),
        .b_i   (b_row[row]),
        .b_o   (b_row[row+1]),
        .column_i,
        .sum_o (sum_row[row])
    );
  end

  always_ff @(posedge clk_i) begin
    if (read_i) sum_row_q <= row_i;
  end

  assign sum_o = sum_row[sum_row_q];

  logic unused_b;
  assign unused_b = ^b_row[Rows];

endmodule
