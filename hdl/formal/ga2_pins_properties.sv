// docs/isa.md at the pins of the whole chip: ga2_protocol, which judges every cycle of every simulation, never fails.
//
// Sequencer, counters, LD and ST are the chip's own. Of the units that compute, what their proofs show is known: a
// turn as ga2_turn_properties has it, of as many busy cycles as the table of docs/isa.md says.

module ga2_pins_properties (
    input logic         clk,
    input logic         rst,
    input logic         start,
    input logic         halted,
    input logic         fault,
    input logic [ 15:0] imem_addr,
    input logic [127:0] imem_data,
    input logic         req_valid,
    input logic [ 15:0] req_addr,
    input logic         resp_valid,
    input logic         wr_valid,
    input logic [ 15:0] wr_addr,
    input logic [ 31:0] cyc_total,
    input logic [ 31:0] cyc_mm,
    input logic [ 31:0] cyc_dma,
    input logic [ 31:0] cyc_vec,
    input logic [ 31:0] n_inst,
    input logic [127:0] instruction,
    input logic [  7:1] turn,
    input logic [  7:1] working,
    input logic [  7:1] done
);

  logic [2:0] state;
  logic [3:0] opcode;
  logic [31:0] starts;
  logic [ga2_rules::Checks-1:0] failing;
  ga2_protocol u_protocol (
      .clk,
      .rst,
      .start,
      .clear(1'b0),
      .distrust(1'b0),
      .ext_words(17'h10000),
      .halted,
      .fault,
      .imem_addr,
      .imem_data,
      .req_valid,
      .req_addr,
      .resp_valid,
      .wr_valid,
      .wr_addr,
      .cyc_total,
      .cyc_mm,
      .cyc_dma,
      .cyc_vec,
      .n_inst,
      .state,
      .opcode,
      .starts,
      .failing
  );

  // Inside: the proof connects them (verif/proofs/catalogue.py).
  // u_protocol
  logic [2:0] at;
  logic x_halted, x_fault, x_req, x_wr, stops, overdue;
  logic [15:0] pc, address, asked_left, answers_left;
  logic [31:0] cycle, retired, mm, dma, vec, lag, issued, wake;
  logic [1:0] unit;
  logic [127:0] word;
  logic [3:0] running;
  // u_sequencer
  logic [2:0] state_q;
  logic [15:0] pc_q;
  logic fault_q;
  // u_dma_load
  logic requesting_q, write_q;
  logic [11:0] requests_left_q, responses_left_q;
  logic [15:0] req_addr_q;
  // u_dma_store
  logic [ 1:0] store_q;
  logic [11:0] left_q;
  logic data_valid_q, wr_valid_q;
  logic [15:0] wr_addr_q;

  logic valid_q;
  initial valid_q = 1'b0;
  always_ff @(posedge clk) valid_q <= 1'b1;

  // The number of the busy cycle, from 1 on; and how many there are, as the proofs of the units have it.
  logic [31:0] number, length, rows, depth, columns, table_says, busy_cycles, active;
  logic busy, load, store, compute;
  assign number = cycle - issued;
  assign length = {16'd0, word[91:76]};
  assign rows = {24'd0, word[45:38]};
  assign depth = {24'd0, word[37:30]};
  assign columns = {24'd0, word[29:22]};
  always_comb begin
    case (running)
      4'd3:
      table_says = rows * depth + depth * columns + (depth + rows + columns - 32'd2) +
          rows * columns + 32'd7;
      4'd4: table_says = length + 32'd2;
      4'd5: table_says = length + length + length + 32'd47;
      4'd6: table_says = {16'd0, word[67:52]} + {16'd0, word[67:52]} + 32'd2;
      default: table_says = length + 32'd3;
    endcase
  end
  // A solver cannot compare products of two cycles.
  always_ff @(posedge clk) if (at == ga2_rules::Issue) busy_cycles <= table_says;
  assign active = unit == 2'd0 ? cyc_mm : unit == 2'd1 ? cyc_dma : cyc_vec;
  assign busy = at == ga2_rules::Busy;
  assign load = busy && running == ga2_rules::OpLoad;
  assign store = busy && running == ga2_rules::OpStore;
  assign compute = busy && !load && !store;

  always_comb begin
    assume (valid_q || rst);
    nothing_is_promised_before_rst : assert (valid_q || at == ga2_rules::Unknown);
    unit_is_known : assert (unit != 2'd3);
    if (valid_q) begin
      // Responses answer requests of earlier cycles, and each within 2^31 cycles.
      assume (!(load && resp_valid) || answers_left > asked_left);
      assume (!load || !number[31]);
      // The proofs of the units.
      assume (!compute || (|done[7:3]) == (number == busy_cycles));

      // What makes it inductive: how the prediction and the chip belong together.
      phases_agree : assert (at == state_q + 3'd2 && state_q <= 3'd4);
      ends_agree : assert (x_halted == halted && x_fault == fault && (!fault || halted));
      pc_agrees : assert (pc == pc_q);
      valids_agree : assert (x_req == requesting_q && x_wr == wr_valid_q && !overdue);
      totals_agree : assert (cycle == cyc_total && retired == n_inst);
      active_counter_agrees : assert (active == cycle - lag);
      other_counters_agree :
      assert ((unit == 2'd0 || mm == cyc_mm) && (unit == 2'd1 || dma == cyc_dma) &&
              (unit == 2'd2 || vec == cyc_vec));
      the_word_agrees :
      assert (!(busy || at == ga2_rules::Issue) || word == instruction &&
              running == word[127:124] &&
              stops == (running == ga2_rules::OpHalt || ga2_rules::faults(
          word
      )) && (stops || unit == ga2_rules::unit_of(
          running
      )));
      busy_with_a_legal_word : assert (!busy || !stops);
      busy_cycles_are_numbered : assert (!busy || number != 32'd0);
      one_unit_at_work : assert (working == (busy ? turn : 7'd0));

      // LD
      load_is_quiet_otherwise : assert (load || !requesting_q && !write_q);
      load_counts_agree :
      assert (!load || asked_left == {4'd0, requests_left_q} &&
              answers_left == {4'd0, responses_left_q} && answers_left >= asked_left);
      load_requests : assert (!load || requesting_q == (requests_left_q != 12'd0));
      load_addresses_agree : assert (!load || !requesting_q || address == req_addr_q);
      load_ends_its_requests :
      assert (!load || !requesting_q || wake == cycle + {16'd0, asked_left} - 32'd1);
      load_counts_its_requests :
      assert (!load || !requesting_q || number + {16'd0, asked_left} == length + 32'd1);
      load_waits :
      assert (!load || requesting_q || answers_left == 16'd0 ||
              wake - issued == length && number > length);
      load_ends : assert (!load || answers_left != 16'd0 || wake == cycle && write_q);

      // ST
      store_is_quiet_otherwise : assert (store || store_q == 2'd0 && !data_valid_q && !wr_valid_q);
      store_has_its_time : assert (!store || number <= length + 32'd2);
      store_wakes : assert (!store || wake == issued + (number <= 32'd2 ? 32'd2 : length + 32'd2));
      store_reads :
      assert (!store || number > length || store_q == 2'd1 && number + {20'd0, left_q} ==
              length + 32'd1);
      store_lands : assert (!store || number != length + 32'd1 || store_q == 2'd2);
      store_ends : assert (!store || number != length + 32'd2 || store_q == 2'd3);
      store_data : assert (!store || data_valid_q == (number >= 32'd2 && number <= length + 32'd1));
      store_writes : assert (!store || wr_valid_q == (number >= 32'd3));
      store_addresses_agree : assert (!store || address == wr_addr_q);

      // The others
      a_unit_has_its_time :
      assert (!compute || number <= busy_cycles && wake == issued + busy_cycles);
    end
    second_program : cover (valid_q && starts == 32'd2 && n_inst == 32'd1 && cyc_dma == 32'd3);
    waited_for_a_response : cover (valid_q && load && number > length + 32'd2);
    stray_response : cover (valid_q && resp_valid && !load);
    faulted : cover (valid_q && fault);
  end

endmodule
