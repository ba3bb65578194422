// docs/isa.md, MM: addresses of A, of B with and without tb, and of C in their order; where each word lands in
// the operand rows; busy for M*K + K*N + (K + M + N - 2) + M*N + 7 cycles.
//
// Arithmetic is left to simulation: rows and array are anything here.

module ga2_matrix_unit_properties (
    input logic        clk_i,
    input logic        rst_i,
    input logic        wake_i,
    input logic [11:0] dst_i,
    input logic [11:0] a_i,
    input logic [11:0] b_i,
    input logic [ 2:0] rows_i,
    input logic [ 6:0] depth_i,
    input logic [ 2:0] columns_i,
    input logic        transpose_b_i,
    input logic [11:0] stride_a_i,
    input logic [11:0] stride_b_i,
    input logic [11:0] stride_c_i,
    input logic        working_o,
    input logic        done_o,
    input logic        read_o,
    input logic [11:0] read_addr_o,
    input logic        write_o,
    input logic [11:0] write_addr_o,
    // Inside.
    input logic [ 3:0] state_q,
    input logic [11:0] addr_q,
    input logic [11:0] next_line_q,
    input logic [11:0] stride_q,
    input logic [11:0] index_q,
    input logic [ 5:0] last_line_q,
    input logic [ 5:0] last_item_q,
    input logic        walked_q,
    input logic [ 1:0] tile_q,
    input logic [11:0] walked_index_q,
    input logic [ 6:0] feed_k_q,
    input logic [ 1:0] wave_q,
    input logic        land_a,
    input logic        land_b,
    input logic [ 1:0] land_lane_b,
    input logic [ 5:0] land_k_b
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

  logic [87:0] fields, past_fields_q;
  assign fields = {
    dst_i, a_i, b_i, rows_i, depth_i, columns_i, transpose_b_i, stride_a_i, stride_b_i, stride_c_i
  };

  // What the page says, as a walk of its own: phases in order, each with the number of its cycle.
  typedef enum logic [3:0] {
    Idle,
    SetupA,
    ReadA,
    SetupB,
    ReadB,
    LandB,
    Clear,
    Fill,
    Stream,
    Down,
    Right,
    SetupC,
    WriteC,
    Last
  } phase_e;
  phase_e phase_q;
  logic [6:0] outer_q, inner_q;  // m and k of A, k and n of B (n and k with tb), m and n of C
  logic [6:0] outer_last, inner_last;
  logic [11:0] base_q, line_q;  // of the tile, and of the line: base + outer * stride
  logic [11:0] stride;
  logic [11:0] expected_addr;
  logic past_read_q, past_write_q, past_is_b_q;
  logic [6:0] past_outer_q, past_inner_q;
  logic [11:0] past_addr_q;

  always_comb begin
    outer_last = {4'd0, rows_i} - 7'd1;
    inner_last = depth_i - 7'd1;
    stride = stride_a_i;
    if (phase_q == ReadB) begin
      outer_last = transpose_b_i ? {4'd0, columns_i} - 7'd1 : depth_i - 7'd1;
      inner_last = transpose_b_i ? depth_i - 7'd1 : {4'd0, columns_i} - 7'd1;
      stride = stride_b_i;
    end else if (phase_q == WriteC) begin
      inner_last = {4'd0, columns_i} - 7'd1;
      stride = stride_c_i;
    end
  end
  assign expected_addr = line_q + {5'd0, inner_q};

  logic walking;
  assign walking = phase_q == ReadA || phase_q == ReadB || phase_q == WriteC;

  always_ff @(posedge clk_i) begin
    past_fields_q <= fields;
    past_read_q <= !rst_i && (phase_q == ReadA || phase_q == ReadB);
    past_write_q <= !rst_i && phase_q == WriteC;
    past_is_b_q <= phase_q == ReadB;
    past_outer_q <= outer_q;
    past_inner_q <= inner_q;
    past_addr_q <= expected_addr;
    outer_q <= 7'd0;
    inner_q <= 7'd0;
    if (rst_i || !wake_i) begin
      phase_q <= Idle;
    end else begin
      case (phase_q)
        Idle:  phase_q <= SetupA;
        SetupA: begin
          phase_q <= ReadA;
          line_q  <= a_i;
        end
        SetupB: begin
          phase_q <= ReadB;
          line_q  <= b_i;
        end
        LandB: phase_q <= Clear;
        Clear: phase_q <= Fill;
        Fill:  phase_q <= Stream;
        Stream: begin  // K cycles
          inner_q <= inner_q + 7'd1;
          if (inner_q + 7'd1 == depth_i) begin
            inner_q <= 7'd0;
            phase_q <= rows_i != 3'd1 ? Down : columns_i != 3'd1 ? Right : SetupC;
          end
        end
        Down: begin  // M - 1 cycles
          inner_q <= inner_q + 7'd1;
          if (inner_q + 7'd2 == {4'd0, rows_i}) begin
            inner_q <= 7'd0;
            phase_q <= columns_i != 3'd1 ? Right : SetupC;
          end
        end
        Right: begin  // N - 1 cycles
          inner_q <= inner_q + 7'd1;
          if (inner_q + 7'd2 == {4'd0, columns_i}) begin
            inner_q <= 7'd0;
            phase_q <= SetupC;
          end
        end
        SetupC: begin
          phase_q <= WriteC;
          line_q  <= dst_i;
        end
        Last:  phase_q <= Idle;
        default: begin  // the three walks
          outer_q <= outer_q;
          inner_q <= inner_q + 7'd1;
          if (inner_q == inner_last) begin
            inner_q <= 7'd0;
            outer_q <= outer_q + 7'd1;
            line_q  <= line_q + stride;
            if (outer_q == outer_last) begin
              outer_q <= 7'd0;
              phase_q <= phase_q == ReadA ? SetupB : phase_q == ReadB ? LandB : Last;
            end
          end
        end
      endcase
    end
  end

  // Busy cycles before the phase, so that the last of all is M*K + K*N + (K + M + N - 2) + M*N + 7.
  logic [15:0] m, k, n, mk, kn, mn, earlier, walked;
  assign m  = {13'd0, rows_i};
  assign k  = {9'd0, depth_i};
  assign n  = {13'd0, columns_i};
  assign mk = times(rows_i, depth_i);
  assign kn = times(columns_i, depth_i);
  assign mn = times(rows_i, {4'd0, columns_i});
  always_comb begin
    case (phase_q)
      ReadA: earlier = 16'd1;
      SetupB: earlier = 16'd1 + mk;
      ReadB: earlier = 16'd2 + mk;
      LandB: earlier = 16'd2 + mk + kn;
      Clear: earlier = 16'd3 + mk + kn;
      Fill: earlier = 16'd4 + mk + kn;
      Stream: earlier = 16'd5 + mk + kn;
      Down: earlier = 16'd5 + mk + kn + k;
      Right: earlier = 16'd5 + mk + kn + k + m - 16'd1;
      SetupC: earlier = 16'd5 + mk + kn + k + m + n - 16'd2;
      WriteC: earlier = 16'd6 + mk + kn + k + m + n - 16'd2;
      Last: earlier = 16'd6 + mk + kn + k + m + n - 16'd2 + mn;
      default: earlier = 16'd0;
    endcase
    // Of the two factors, the one that is at most 4 comes first.
    walked = {9'd0, inner_q};
    if (phase_q == ReadB && !transpose_b_i) walked = walked + times(columns_i, outer_q);
    else if (walking) walked = walked + times(outer_q[2:0], inner_last + 7'd1);
  end

  function automatic logic [15:0] times(input logic [2:0] few, input logic [6:0] many);
    times = (few[0] ? {9'd0, many} : 16'd0) + (few[1] ? {8'd0, many, 1'd0} : 16'd0) +
        (few[2] ? {7'd0, many, 2'd0} : 16'd0);
  endfunction

  always_comb begin
    if (valid) begin
      assume (!working_o || fields == past_fields_q);
      assume (rows_i >= 3'd1 && rows_i <= 3'd4);
      assume (columns_i >= 3'd1 && columns_i <= 3'd4);
      assume (depth_i >= 7'd1 && depth_i <= 7'd64);

      reads_are_those_of_a_and_b : assert (read_o == (phase_q == ReadA || phase_q == ReadB));
      read_addresses_step_by_one_and_by_the_stride :
      assert (!read_o || read_addr_o == expected_addr);
      writes_follow_a_cycle_later : assert (write_o == past_write_q);
      write_addresses_step_by_one_and_by_the_stride :
      assert (!write_o || write_addr_o == past_addr_q);
      every_phase_takes_its_cycles : assert (state_q == phase_q);
      busy_for_the_cycles_of_all_phases :
      assert (done_o == (working_o && busy == mk + kn + (k + m + n - 16'd2) + mn + 16'd7));
      done_in_the_last_phase : assert (done_o == (phase_q == Last));
      words_of_a_land_at_m_and_k :
      assert (!(past_read_q && !past_is_b_q) ||
              (land_a && !land_b && walked_index_q[7:6] == past_outer_q[1:0] &&
               walked_index_q[5:0] == past_inner_q[5:0]));
      words_of_b_land_at_n_and_k :
      assert (!(past_read_q && past_is_b_q) ||
              (land_b && !land_a &&
               land_lane_b == (transpose_b_i ? past_outer_q[1:0] : past_inner_q[1:0]) &&
               land_k_b == (transpose_b_i ? past_inner_q[5:0] : past_outer_q[5:0])));
      nothing_else_lands : assert (past_read_q || (!land_a && !land_b));

      // What makes it inductive.
      a_known_phase : assert (phase_q <= Last && (phase_q == Idle) == !working_o);
      positions_begin_at_0 :
      assert (walking || phase_q == Stream || phase_q == Down || phase_q == Right ||
              (inner_q == 7'd0));
      cycles_so_far : assert (phase_q == Idle || busy == earlier + walked + 16'd1);
      the_walker : assert (!walking || addr_q == expected_addr);
      its_next_line : assert (!walking || next_line_q == line_q + stride);
      its_stride : assert (!walking || stride_q == stride);
      its_index : assert (!walking || index_q == {outer_q[5:0], inner_q[5:0]});
      its_last_line : assert (!walking || {1'b0, last_line_q} == outer_last);
      its_last_item : assert (!walking || {1'b0, last_item_q} == inner_last);
      in_the_tile : assert (!walking || (outer_q <= outer_last && inner_q <= inner_last));
      its_tile :
      assert (!walking || tile_q == (phase_q == ReadA ? 2'd0 : phase_q == ReadB ? 2'd1 : 2'd2));
      it_walked : assert (walked_q == (past_read_q || past_write_q));
      after_a_write : assert (!past_write_q || phase_q == WriteC || phase_q == Last);
      after_a_read_of_a :
      assert (!past_read_q || past_is_b_q || phase_q == ReadA || phase_q == SetupB);
      after_a_read_of_b :
      assert (!past_read_q || !past_is_b_q || phase_q == ReadB || phase_q == LandB);
      its_tile_a_cycle_later :
      assert (!walked_q || tile_q == (past_write_q ? 2'd2 : past_is_b_q ? 2'd1 : 2'd0));
      words_streamed :
      assert (phase_q != Stream || (feed_k_q == inner_q + 7'd1 && inner_q < depth_i));
      rows_passed :
      assert (phase_q != Down || ({5'd0, wave_q} == inner_q && inner_q + 7'd1 < {4'd0, rows_i}));
      columns_passed :
      assert (phase_q != Right || ({5'd0, wave_q} == inner_q &&
               inner_q + 7'd1 < {4'd0, columns_i}));
      waves_begin_at_0 : assert (phase_q != Stream && phase_q != Fill || wave_q == 2'd0);
    end
    smallest : cover (valid && done_o);
  end

endmodule
