// Matrix unit, MM: C = A * B for a tile of at most 4 x 64 times 64 x 4, int8 in, int32 out.
//
//   scratchpad --> operand rows A --> skew --\
//        |                                    systolic array --> scratchpad
//        '-------> operand rows B --> skew --/
//
// One walker visits A, B and C in turn, line by line: the address steps by 1 in a line and by the
// stride between lines. A line of A is a row of M; of B a row of K, or a column of N if transposed;
// of C a row of M. Both tiles are read completely before the first write.
//
// Busy cycles: M*K + K*N + (K + M + N - 2) + M*N + 7
//   SetupA      1               control constant: point the walker at A
//   StageA      M*K             structure: one scratchpad word a cycle
//   SetupB      1               control constant: point the walker at B; the last word of A lands
//   StageB      K*N             structure: one scratchpad word a cycle
//   LandB       1               control constant: the last word of B lands
//   Clear       1               control constant: zero accumulators and skew
//   Fill        1               control constant: the first word leaves the operand rows
//   Stream      K               structure: word k enters corner (0, 0) of the array
//   WaveDown    M - 1           structure: the last word moves down to row M - 1
//   WaveRight   N - 1           structure: and right to column N - 1
//   SetupC      1               control constant: point the walker at C
//   Write       M*N             structure: one scratchpad word a cycle
//   LastWrite   1               control constant: the sum register in front of the scratchpad

module ga2_matrix_unit (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wake_i,         // reset, or the turn of this unit
    // Instruction.
    input  logic [11:0] dst_i,
    input  logic [11:0] a_i,
    input  logic [11:0] b_i,
    input  logic [ 2:0] rows_i,         // M, 1 to 4
    input  logic [ 6:0] depth_i,        // K, 1 to 64
    input  logic [ 2:0] columns_i,      // N, 1 to 4
    input  logic        transpose_b_i,
    input  logic [11:0] stride_a_i,
    input  logic [11:0] stride_b_i,
    input  logic [11:0] stride_c_i,
    // Progress.
    output logic        working_o,
    output logic        done_o,
    // Scratchpad.
    output logic        read_o,
    output logic [11:0] read_addr_o,
    input  logic [ 7:0] read_data_i,
    output logic        write_o,
    output logic [11:0] write_addr_o,
    output logic [31:0] write_data_o
);

  typedef enum logic [3:0] {
    StIdle,
    StSetupA,
    StStageA,
    StSetupB,
    StStageB,
    StLandB,
    StClear,
    StFill,
    StStream,
    StWaveDown,
    StWaveRight,
    StSetupC,
    StWrite,
    StLastWrite
  } state_e;

  typedef enum logic [1:0] {
    TileA,
    TileB,
    TileC
  } tile_e;

  state_e        state_q;

  // Walker over lines of a tile.
  logic   [11:0] addr_q;
  logic   [11:0] next_line_q;  // address of the first word of the next line
  logic   [11:0] stride_q;
  logic   [11:0] index_q;  // line and item in the line
  logic [5:0] last_line_q, last_item_q;
  logic end_of_line, end_of_tile;
  assign end_of_line = index_q[5:0] == last_item_q;
  assign end_of_tile = index_q[11:6] == last_line_q;

  // The walker's last step a cycle later: its word arrives from the scratchpad or goes there.
  logic walked_q;
  tile_e tile_q;
  logic [11:0] walked_index_q;

  // Streaming.
  logic [6:0] feed_k_q;  // the next word to leave the operand rows; K when all have left
  logic [1:0] wave_q;  // rows, then columns, that the last word has passed

  logic [11:0] write_addr_q;

  logic [5:0] last_row, last_k, last_column;
  assign last_row = {3'd0, rows_i} - 6'd1;
  assign last_k = depth_i[5:0] - 6'd1;
  assign last_column = {3'd0, columns_i} - 6'd1;

  always_ff @(posedge clk_i) begin
    if (wake_i) begin
      if (rst_i) begin
        state_q  <= StIdle;
        walked_q <= 1'b0;
      end else begin
        case (state_q)
          StStageA, StStageB, StWrite: begin
            walked_q <= 1'b1;
            walked_index_q <= index_q;
            write_addr_q <= addr_q;
            if (!end_of_line) begin
              index_q <= index_q + 12'd1;
              addr_q  <= addr_q + 12'd1;
            end else begin
              index_q <= {index_q[11:6] + 6'd1, 6'd0};
              addr_q <= next_line_q;
              next_line_q <= next_line_q + stride_q;
              if (end_of_tile) begin
                if (state_q == StStageA) state_q <= StSetupB;
                else if (state_q == StStageB) state_q <= StLandB;
                else state_q <= StLastWrite;
              end
            end
          end
          StSetupA: begin
            addr_q <= a_i;
            next_line_q <= a_i + stride_a_i;
            stride_q <= stride_a_i;
            last_line_q <= last_row;
            last_item_q <= last_k;
            index_q <= 12'd0;
            tile_q <= TileA;
            state_q <= StStageA;
          end
          StSetupB: begin
            addr_q <= b_i;
            next_line_q <= b_i + stride_b_i;
            stride_q <= stride_b_i;
            last_line_q <= transpose_b_i ? last_column : last_k;
            last_item_q <= transpose_b_i ? last_k : last_column;
            index_q <= 12'd0;
            walked_q <= 1'b0;
            tile_q <= TileB;
            state_q <= StStageB;
          end
          StLandB: begin
            walked_q <= 1'b0;
            state_q  <= StClear;
          end
          StClear: begin
            feed_k_q <= 7'd0;
            wave_q   <= 2'd0;
            state_q  <= StFill;
          end
          StFill: begin
            feed_k_q <= 7'd1;
            state_q  <= StStream;
          end
          StStream: begin
            if (feed_k_q != depth_i) feed_k_q <= feed_k_q + 7'd1;
            else if (last_row != 6'd0) state_q <= StWaveDown;
            else if (last_column != 6'd0) state_q <= StWaveRight;
            else state_q <= StSetupC;
          end
          StWaveDown: begin
            wave_q <= wave_q + 2'd1;
            if (wave_q + 2'd1 == last_row[1:0]) begin
              wave_q <= 2'd0;
              if (last_column != 6'd0) state_q <= StWaveRight;
              else state_q <= StSetupC;
            end
          end
          StWaveRight: begin
            wave_q <= wave_q + 2'd1;
            if (wave_q + 2'd1 == last_column[1:0]) state_q <= StSetupC;
          end
          StSetupC: begin
            addr_q <= dst_i;
            next_line_q <= dst_i + stride_c_i;
            stride_q <= stride_c_i;
            last_line_q <= last_row;
            last_item_q <= last_column;
            index_q <= 12'd0;
            tile_q <= TileC;
            state_q <= StWrite;
          end
          StIdle: state_q <= StSetupA;
          default: begin  // StLastWrite, and what is no state
            walked_q <= 1'b0;
            state_q  <= StIdle;
          end
        endcase
      end
    end
  end

  logic clear, step, feed, feed_zero, read_sum, wake_rows_a, wake_rows_b;
  assign clear = state_q == StClear;
  assign step = (state_q == StStream) || (state_q == StWaveDown) || (state_q == StWaveRight);
  assign feed = step || (state_q == StFill);
  assign feed_zero = feed_k_q == depth_i;
  assign read_sum = state_q == StWrite;

  logic land_a, land_b;
  logic [1:0] land_lane_b;
  logic [5:0] land_k_b;
  assign land_a = walked_q && (tile_q == TileA);
  assign land_b = walked_q && (tile_q == TileB);
  assign land_lane_b = transpose_b_i ? walked_index_q[7:6] : walked_index_q[1:0];
  assign land_k_b = transpose_b_i ? walked_index_q[5:0] : walked_index_q[11:6];
  assign wake_rows_a = land_a || clear || feed;
  assign wake_rows_b = land_b || clear || feed;

  logic [31:0] a_lanes, b_lanes;

  ga2_operand_rows u_rows_a (
      .clk_i,
      .wake_i      (wake_rows_a),
      .write_i     (land_a),
      .write_lane_i(walked_index_q[7:6]),
      .write_k_i   (walked_index_q[5:0]),
      .write_data_i(read_data_i),
      .feed_i      (feed),
      .zero_i      (feed_zero),
      .feed_k_i    (feed_k_q[5:0]),
      .lanes_o     (a_lanes)
  );

  ga2_operand_rows u_rows_b (
      .clk_i,
      .wake_i      (wake_rows_b),
      .write_i     (land_b),
      .write_lane_i(land_lane_b),
      .write_k_i   (land_k_b),
      .write_data_i(read_data_i),
      .feed_i      (feed),
      .zero_i      (feed_zero),
      .feed_k_i    (feed_k_q[5:0]),
      .lanes_o     (b_lanes)
  );

  logic [21:0] sum;

  ga2_systolic_array u_array (
      .clk_i,
      .clear_i  (clear),
      .step_i   (step),
      .rows_i,
      .columns_i,
      .a_lanes_i(a_lanes),
      .b_lanes_i(b_lanes),
      .read_i   (read_sum),
      .row_i    (index_q[7:6]),
      .column_i (index_q[1:0]),
      .sum_o    (sum)
  );

  assign working_o = state_q != StIdle;
  assign done_o = state_q == StLastWrite;
  assign read_o = (state_q == StStageA) || (state_q == StStageB);
  assign read_addr_o = addr_q;
  assign write_o = walked_q && (tile_q == TileC);
  assign write_addr_o = write_addr_q;
  assign write_data_o = {{10{sum[21]}}, sum};

endmodule
