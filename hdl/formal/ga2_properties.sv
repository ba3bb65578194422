// The whole chip's control, from docs/isa.md: one unit at work, memory touched by it alone, the sum law, all
// zero after reset, hold while halted.
//
// The units are what they promise (ga2_turn_properties.sv), so this says nothing of what they compute.

module ga2_properties (
    input logic         clk,
    input logic         rst,
    input logic         start,
    input logic         halted,
    input logic         fault,
    input logic [ 15:0] imem_addr,
    input logic         req_valid,
    input logic         wr_valid,
    input logic [ 31:0] cyc_total,
    input logic [ 31:0] cyc_mm,
    input logic [ 31:0] cyc_dma,
    input logic [ 31:0] cyc_vec,
    input logic [ 31:0] n_inst,
    // Inside.
    input logic [127:0] instruction,
    input logic [  7:1] turn,
    input logic [  7:1] working,
    input logic [  7:1] done,
    input logic [  7:1] read,
    input logic [  7:1] write,
    input logic         fetch,
    input logic         busy,
    input logic         legal,
    input logic         running,
    input logic         scratchpad_read,
    input logic         scratchpad_write
);

  logic valid_q, rst_q, start_q, halted_q, fault_q, fetch_q, busy_q, issue_q, done_q;
  logic [15:0] imem_addr_q;
  logic [31:0] cyc_total_q, cyc_mm_q, cyc_dma_q, cyc_vec_q, n_inst_q;
  logic [127:0] instruction_q;
  logic [  7:1] turn_q;
  initial valid_q = 1'b0;

  logic issue;
  assign issue = running && !fetch && !busy;

  always_ff @(posedge clk) begin
    valid_q <= 1'b1;
    rst_q <= rst;
    start_q <= start;
    halted_q <= halted;
    fault_q <= fault;
    fetch_q <= fetch;
    busy_q <= busy;
    issue_q <= issue;
    done_q <= |done;
    imem_addr_q <= imem_addr;
    cyc_total_q <= cyc_total;
    cyc_mm_q <= cyc_mm;
    cyc_dma_q <= cyc_dma;
    cyc_vec_q <= cyc_vec;
    n_inst_q <= n_inst;
    instruction_q <= instruction;
    turn_q <= turn;
  end

  logic idle, waiting_q, same_counters, same_outputs, step_mm, step_dma, step_vec;
  assign idle = !halted && !fetch && !busy && !running && !rst;
  always_ff @(posedge clk) waiting_q <= (halted || (idle && !start)) && !start && !rst;
  assign same_counters = cyc_total == cyc_total_q && cyc_mm == cyc_mm_q && cyc_dma == cyc_dma_q &&
      cyc_vec == cyc_vec_q && n_inst == n_inst_q;
  assign same_outputs = same_counters && halted == halted_q && fault == fault_q &&
      imem_addr == imem_addr_q;
  assign step_dma = busy_q && (turn_q[1] || turn_q[2]);
  assign step_mm = busy_q && turn_q[3];
  assign step_vec = busy_q && |turn_q[7:4];

  // The sum law in steps of one addition, which is what a solver can do: what is left of the cycles without those
  // of the matrix unit, without those of DMA too, and without any busy cycle.
  logic [31:0] without_mm_q, without_dma_q, overhead_q;
  always_ff @(posedge clk) begin
    if (rst || (fetch_next && !running)) begin
      without_mm_q <= 32'd0;
      without_dma_q <= 32'd0;
      overhead_q <= 32'd0;
    end else if (running) begin
      if (!(busy && turn[3])) without_mm_q <= without_mm_q + 32'd1;
      if (!busy || |turn[7:4]) without_dma_q <= without_dma_q + 32'd1;
      if (!busy) overhead_q <= overhead_q + 32'd1;
    end
  end
  logic fetch_next;
  assign fetch_next = start && (halted || idle);

  logic [31:0] expected;
  assign expected = {n_inst[30:0], 1'b0} + (fetch || idle ? 32'd0 : issue ? 32'd1 : 32'd2);

  logic [15:0] length;
  assign length = turn[6] ? instruction[67:52] : instruction[91:76];

  always_comb begin
    assume (valid_q || rst);
    if (valid_q) begin
      one_unit_at_work : assert (working == (busy ? turn : 7'd0));
      one_unit_in_its_turn : assert ((turn & (turn - 7'd1)) == 7'd0);
      a_turn_while_busy : assert (!busy || turn != 7'd0);
      memory_is_touched_by_the_unit_at_work_alone :
      assert (((read | write | {5'd0, wr_valid, req_valid}) & ~working) == 7'd0);
      the_scratchpad_is_left_alone_otherwise :
      assert (busy || (!scratchpad_read && !scratchpad_write));
      both_valids_are_low_at_all_other_times : assert (busy || (!req_valid && !wr_valid));
      the_sequencer_is_in_a_legal_state : assert (legal);
      the_instruction_stays_while_busy : assert (!busy || instruction == instruction_q);
      a_length_is_in_range_in_a_turn :
      assert (turn == 7'd0 || turn[3] || (length != 16'd0 && length < 16'd4096));

      all_is_zero_after_reset :
      assert (!rst_q || (!halted && !fault && !req_valid && !wr_valid && imem_addr == 16'd0 &&
                         cyc_total == 32'd0 && cyc_mm == 32'd0 && cyc_dma == 32'd0 &&
                         cyc_vec == 32'd0 && n_inst == 32'd0 && !running && working == 7'd0));
      all_hold_until_the_next_start : assert (rst_q || !waiting_q || same_outputs);
      a_start_is_honoured_while_halted :
      assert (rst_q || !halted_q || !start_q ||
              (fetch && !halted && !fault && imem_addr == 16'd0 && cyc_total == 32'd0 &&
               cyc_mm == 32'd0 && cyc_dma == 32'd0 && cyc_vec == 32'd0 && n_inst == 32'd0));
      a_start_is_lost_while_running :
      assert (rst_q || !(fetch_q || issue_q || busy_q) || cyc_total == cyc_total_q + 32'd1);
      mm_cycles_step_in_its_busy_cycles :
      assert (rst_q || waiting_q || fetch && cyc_total == 32'd0 || !step_mm && cyc_mm == cyc_mm_q
              || step_mm && cyc_mm == cyc_mm_q + 32'd1);
      dma_cycles_step_in_its_busy_cycles :
      assert (rst_q || waiting_q || fetch && cyc_total == 32'd0 || !step_dma && cyc_dma == cyc_dma_q
              || step_dma && cyc_dma == cyc_dma_q + 32'd1);
      vec_cycles_step_in_its_busy_cycles :
      assert (rst_q || waiting_q || fetch && cyc_total == 32'd0 || !step_vec && cyc_vec == cyc_vec_q
              || step_vec && cyc_vec == cyc_vec_q + 32'd1);
      n_inst_steps_after_the_last_busy_cycle :
      assert (rst_q || !busy_q || n_inst == n_inst_q + {31'd0, done_q});
      the_sum_law_once_halted : assert (!halted || overhead_q == {n_inst[30:0], 1'b0} + 32'd2);
      the_sum_law_without_dma : assert (without_dma_q == overhead_q + cyc_vec);
      the_sum_law_without_mm : assert (without_mm_q == without_dma_q + cyc_dma);
      the_sum_law : assert (cyc_total == without_mm_q + cyc_mm);

      // What makes it inductive.
      the_sum_law_in_every_phase : assert (rst || overhead_q == expected);
      halted_is_not_running : assert (!halted || !(fetch || busy || issue || running));
    end
    second_instruction_done : cover (valid_q && n_inst == 32'd2);
    halted_without_a_fault : cover (valid_q && halted && !fault && n_inst == 32'd1);
    started_after_a_fault : cover (valid_q && halted_q && fault_q && fetch);
  end

endmodule
