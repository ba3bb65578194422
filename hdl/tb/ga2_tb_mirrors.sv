// Mirrors: what goes on in the memories and arrays inside the project's RTL, as signals that a dump can hold.
//
// Unpacked arrays are not dumped. Here their interesting words have names. While ga2_tb_waves dumps, and never
// otherwise, it calls take_samples once a cycle, which reads everything below out of the chip by its hierarchical
// path. With RTL of your own the harness is built without this module, or with yours: sim.mk's MIRRORS. It is
// compiled after the chip, whose directives end here.
`resetall

module ga2_tb_mirrors;

  localparam int Words = 16;

  // Scratchpad words at the addresses that Python chose.
  logic [11:0] cfg_address[Words];

  for (genvar i = 0; i < Words; i++) begin : g_word
    logic [11:0] address;
    logic [31:0] data;

    task static take_sample;
      address = cfg_address[i];
      data = ga2_tb.dut.u_scratchpad.mem[address];
    endtask
  end

  // The matrix unit's operand rows: element k - 1, k and k + 1 of all four lanes, lane 0 lowest, where k is
  // the element that leaves next.
  logic [5:0] feed_k;
  logic [31:0] rows_a_before, rows_a, rows_a_after;
  logic [31:0] rows_b_before, rows_b, rows_b_after;

  // The edges of the systolic array: what enters row m and column n, and the sum that leaves.
  logic signed [7:0] edge_a0, edge_a1, edge_a2, edge_a3;
  logic signed [7:0] edge_b0, edge_b1, edge_b2, edge_b3;
  logic signed [21:0] edge_sum;

  // Its accumulators: row, column.
  logic signed [21:0] sum00, sum01, sum02, sum03;
  logic signed [21:0] sum10, sum11, sum12, sum13;
  logic signed [21:0] sum20, sum21, sum22, sum23;
  logic signed [21:0] sum30, sum31, sum32, sum33;

  task static take_samples;
    feed_k = ga2_tb.dut.u_matrix_unit.feed_k_q[5:0];
    rows_a_before = ga2_tb.dut.u_matrix_unit.u_rows_a.mem[feed_k-6'd1];
    rows_a = ga2_tb.dut.u_matrix_unit.u_rows_a.mem[feed_k];
    rows_a_after = ga2_tb.dut.u_matrix_unit.u_rows_a.mem[feed_k+6'd1];
    rows_b_before = ga2_tb.dut.u_matrix_unit.u_rows_b.mem[feed_k-6'd1];
    rows_b = ga2_tb.dut.u_matrix_unit.u_rows_b.mem[feed_k];
    rows_b_after = ga2_tb.dut.u_matrix_unit.u_rows_b.mem[feed_k+6'd1];

    {edge_a3, edge_a2, edge_a1, edge_a0} = ga2_tb.dut.u_matrix_unit.a_lanes;
    {edge_b3, edge_b2, edge_b1, edge_b0} = ga2_tb.dut.u_matrix_unit.b_lanes;
    edge_sum = ga2_tb.dut.u_matrix_unit.sum;

    sum00 = ga2_tb.dut.u_matrix_unit.u_array.g_row[0].u_row.sum0_q;
    sum01 = ga2_tb.dut.u_matrix_unit.u_array.g_row[0].u_row.sum1_q;
    sum02 = ga2_tb.dut.u_matrix_unit.u_array.g_row[0].u_row.sum2_q;
    sum03 = ga2_tb.dut.u_matrix_unit.u_array.g_row[0].u_row.sum3_q;
    sum10 = ga2_tb.dut.u_matrix_unit.u_array.g_row[1].u_row.sum0_q;
    sum11 = ga2_tb.dut.u_matrix_unit.u_array.g_row[1].u_row.sum1_q;
    sum12 = ga2_tb.dut.u_matrix_unit.u_array.g_row[1].u_row.sum2_q;
    sum13 = ga2_tb.dut.u_matrix_unit.u_array.g_row[1].u_row.sum3_q;
    sum20 = ga2_tb.dut.u_matrix_unit.u_array.g_row[2].u_row.sum0_q;
    sum21 = ga2_tb.dut.u_matrix_unit.u_array.g_row[2].u_row.sum1_q;
    sum22 = ga2_tb.dut.u_matrix_unit.u_array.g_row[2].u_row.sum2_q;
    sum23 = ga2_tb.dut.u_matrix_unit.u_array.g_row[2].u_row.sum3_q;
    sum30 = ga2_tb.dut.u_matrix_unit.u_array.g_row[3].u_row.sum0_q;
    sum31 = ga2_tb.dut.u_matrix_unit.u_array.g_row[3].u_row.sum1_q;
    sum32 = ga2_tb.dut.u_matrix_unit.u_array.g_row[3].u_row.sum2_q;
    sum33 = ga2_tb.dut.u_matrix_unit.u_array.g_row[3].u_row.sum3_q;

    g_word[0].take_sample;
    g_word[1].take_sample;
    g_word[2].take_sample;
    g_word[3].take_sample;
    g_word[4].take_sample;
    g_word[5].take_sample;
    g_word[6].take_sample;
    g_word[7].take_sample;
    g_word[8].take_sample;
    g_word[9].take_sample;
    g_word[10].take_sample;
    g_word[11].take_sample;
    g_word[12].take_sample;
    g_word[13].take_sample;
    g_word[14].take_sample;
    g_word[15].take_sample;
  endtask

endmodule
