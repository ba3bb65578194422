// docs/isa.md: start, the pc, the sampling of imem_data, faults, FETCH and ISSUE of one cycle each.
//
// A second sequencer, written from that page, runs beside the RTL's: every output must agree in every cycle.

module ga2_sequencer_properties (
    input logic         clk_i,
    input logic         rst_i,
    input logic         start_i,
    input logic         halted_o,
    input logic         fault_o,
    input logic [ 15:0] imem_addr_o,
    input logic [127:0] imem_data_i,
    input logic [127:0] instruction_o,
    input logic [  7:1] turn_o,
    input logic         done_i,
    input logic         clear_o,
    input logic         running_o,
    input logic         fetch_o,
    input logic         busy_o,
    input logic         legal_o
);

  typedef enum logic [2:0] {
    Idle,
    Fetch,
    Issue,
    Busy,
    Halted
  } phase_e;

  phase_e phase_q;
  logic [15:0] pc_q;
  logic [127:0] word_q;
  logic fault_q, valid_q, ended_q;
  initial valid_q = 1'b0;

  logic [ 3:0] op;
  logic [15:0] length;
  logic faulting, halt;
  assign op = word_q[127:124];
  assign length = op == 4'd6 ? word_q[67:52] : word_q[91:76];
  assign halt = op == 4'd0;
  always_comb begin
    case (op)
      4'd0: faulting = 1'b0;
      4'd1, 4'd2, 4'd4, 4'd5, 4'd6, 4'd7: faulting = length == 16'd0 || length >= 16'd4096;
      4'd3:
      faulting = word_q[45:38] < 8'd1 || word_q[45:38] > 8'd4 ||
          word_q[29:22] < 8'd1 || word_q[29:22] > 8'd4 ||
          word_q[37:30] < 8'd1 || word_q[37:30] > 8'd64;
      default: faulting = 1'b1;
    endcase
  end

  logic honoured;
  assign honoured = start_i && (phase_q == Idle || phase_q == Halted);

  always_ff @(posedge clk_i) begin
    valid_q <= 1'b1;
    ended_q <= 1'b0;
    if (rst_i) begin
      phase_q <= Idle;
      pc_q <= 16'd0;
      fault_q <= 1'b0;
    end else if (honoured) begin
      phase_q <= Fetch;
      pc_q <= 16'd0;
      fault_q <= 1'b0;
    end else if (phase_q == Fetch) begin
      phase_q <= Issue;
      word_q  <= imem_data_i;
    end else if (phase_q == Issue) begin
      phase_q <= halt || faulting ? Halted : Busy;
      fault_q <= faulting;
    end else if (phase_q == Busy && done_i) begin
      phase_q <= Fetch;
      pc_q <= pc_q + 16'd1;
      ended_q <= 1'b1;
    end
  end

  logic [7:1] expected_turn;
  logic at_work;
  assign at_work = phase_q == Busy || (phase_q == Issue && !halt && !faulting);
  always_comb begin
    expected_turn = 7'd0;
    if (at_work) expected_turn[op[2:0]] = 1'b1;
  end

  always_comb begin
    assume (valid_q || rst_i);
    if (valid_q) begin
      halted_rises_at_the_edge_that_ends_issue : assert (halted_o == (phase_q == Halted));
      fault_rises_with_halted_at_a_faulting_word : assert (fault_o == fault_q);
      fault_only_while_halted : assert (!fault_o || halted_o);
      the_address_is_the_pc_in_every_cycle : assert (imem_addr_o == pc_q);
      fetch_takes_one_cycle : assert (fetch_o == (phase_q == Fetch));
      busy_until_the_last_busy_cycle : assert (busy_o == (phase_q == Busy));
      always_in_a_legal_state : assert (legal_o);
      the_word_of_fetch_is_executed :
      assert (instruction_o == word_q || !(phase_q == Issue || phase_q == Busy));
      one_unit_has_the_turn_and_it_is_the_right_one : assert (turn_o == expected_turn);
      counters_run_in_fetch_issue_and_busy :
      assert (running_o == (!rst_i && phase_q != Idle && phase_q != Halted));
      reset_and_start_clear_the_counters : assert (clear_o == (rst_i || honoured));
      never_cleared_while_running : assert (!(clear_o && running_o));

      // What makes it inductive.
      phases_are_known : assert (phase_q <= Halted);
    end
    second_instruction : cover (valid_q && ended_q && pc_q == 16'd1);
    restart_after_a_fault : cover (valid_q && fault_q && honoured);
    start_is_lost : cover (valid_q && start_i && !honoured && !rst_i);
  end

endmodule
