// Run-time checks of the chip's own rules; simulation only, no part of the synthesized design.
//
// Armed by the first reset, since nothing is defined before it. A broken rule is counted and told once on the
// simulator's output; a bench reads n_broken and first_broken, which it may clear, and makes a failed check of it
// (verif/bfm/chip_rule.py numbers the rules):
//   state      the sequencer is in one of its states; an illegal one it leaves for idle, in silence
//   turn       the unit in its turn is at work and every other unit is idle; a unit that fell into
//              an illegal state returns to idle and is found here a cycle later
//   access     scratchpad and external memory are touched only by the unit in its turn
//   sum law    cyc_total = 2 * (n_inst + f) + cyc_mm + cyc_dma + cyc_vec, with f = 1 once halted
//              and f = 0 in FETCH

`ifndef SYNTHESIS

module ga2_invariants (
    input logic        clk_i,
    input logic        rst_i,
    // Sequencer.
    input logic        legal_i,
    input logic        fetch_i,
    input logic        busy_i,
    input logic        halted_i,
    // Units, indexed by operation code.
    input logic [ 7:1] turn_i,
    input logic [ 7:1] working_i,
    input logic [ 7:1] access_i,
    // Counters.
    input logic [31:0] cyc_total_i,
    input logic [31:0] cyc_mm_i,
    input logic [31:0] cyc_dma_i,
    input logic [31:0] cyc_vec_i,
    input logic [31:0] n_inst_i
);

  logic [31:0] n_broken[4];  // cycles in which each rule was broken
  logic [31:0] first_broken[4];  // the first of them: FETCH of pc 0 is cycle 1

  // +ga2_keep_going=1 silences them, so that a bench can tell what it finds by itself.
  logic armed_q;
  int keep_going;
  initial begin
    armed_q = 1'b0;
    if (!$value$plusargs("ga2_keep_going=%d", keep_going)) keep_going = 0;
    for (int rule = 0; rule < 4; rule++) begin
      n_broken[rule] = '0;
      first_broken[rule] = '0;
    end
  end

  logic [7:1] expected_working;
  assign expected_working = busy_i ? turn_i : 7'd0;

  // One net for the whole verdict, so that a good cycle reads nothing else.
  logic state_broken, turn_broken, access_broken, check_sum_law, look;
  assign state_broken = legal_i !== 1'b1;
  assign turn_broken = working_i !== expected_working;
  assign access_broken = (access_i & ~expected_working) !== 7'd0;
  assign check_sum_law = fetch_i || halted_i;
  assign look = rst_i ||
      (armed_q && (state_broken || turn_broken || access_broken || check_sum_law));

  always @(posedge clk_i) begin
    if (look) begin
      if (rst_i) begin
        armed_q <= keep_going == 0;
      end else begin
        if (state_broken) begin
          count(2'd0);
          if (n_broken[0] == 1) begin
            $display("ga2: cycle %0d: the sequencer is in none of its states", first_broken[0]);
          end
        end
        if (turn_broken) begin
          count(2'd1);
          if (n_broken[1] == 1) begin
            $display("ga2: cycle %0d: units at work %b, expected %b (AMAX..LD)", first_broken[1],
                     working_i, expected_working);
          end
        end
        if (access_broken) begin
          count(2'd2);
          if (n_broken[2] == 1) begin
            $display("ga2: cycle %0d: memory touched by units %b, expected none but %b (AMAX..LD)",
                     first_broken[2], access_i, expected_working);
          end
        end
        if (check_sum_law && (cyc_total_i !==
            2 * (n_inst_i + {31'd0, halted_i}) + cyc_mm_i + cyc_dma_i + cyc_vec_i)) begin
          count(2'd3);
          if (n_broken[3] == 1) begin
            $display("ga2: cycle %0d: sum law: cyc_total %0d, mm %0d, dma %0d, vec %0d, n_inst %0d",
                     first_broken[3], cyc_total_i, cyc_mm_i, cyc_dma_i, cyc_vec_i, n_inst_i);
          end
        end
      end
    end
  end

  // The chip's own cyc_total tells the cycle; where that is wrong, other checks tell it too.
  task static count(input logic [1:0] rule);
    if (n_broken[rule] == 0) first_broken[rule] = cyc_total_i + 32'd1;
    n_broken[rule] = n_broken[rule] + 32'd1;
  endtask

endmodule

`endif
