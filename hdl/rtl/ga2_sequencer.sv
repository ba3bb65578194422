// Sequencer: fetches one instruction, gives its unit the turn and waits until the unit is done.
//
//             start            word sampled          legal, not HALT
//   Idle ----------> Fetch --------------------> Issue -------------> Busy
//                      ^  ^                        |                   |
//                start |  '--- pc + 1 -------------|-------------------'  done
//                    Halted <----------------------'
//                               HALT, or a fault
//
// FETCH and ISSUE take one cycle each for every word (structure: the instruction register stands
// between them). How long Busy lasts is not known here; the unit ends it with done_i.
//
// turn_o[op] is high from ISSUE to the last busy cycle of op. A unit that has the turn in its idle
// state starts at the end of that cycle, so ISSUE is the start of a unit and no other signal is
// needed. At a faulting word no unit gets the turn.

module ga2_sequencer (
    input  logic         clk_i,
    input  logic         rst_i,
    // Control from outside.
    input  logic         start_i,
    output logic         halted_o,
    output logic         fault_o,
    // Program memory, answered in the same cycle.
    output logic [ 15:0] imem_addr_o,
    input  logic [127:0] imem_data_i,
    // The instruction in work, stable from ISSUE to its last busy cycle.
    output logic [127:0] instruction_o,
    // Units, indexed by operation code.
    output logic [  7:1] turn_o,
    input  logic         done_i,
    // For the counters.
    output logic         clear_o,        // reset, or a start that is honoured
    output logic         running_o,
    output logic         fetch_o,
    output logic         busy_o,
    // For the invariants.
    output logic         legal_o         // in one of the five states
);

  typedef enum logic [2:0] {
    StIdle,
    StFetch,
    StIssue,
    StBusy,
    StHalted
  } state_e;

  state_e state_q;
  logic [15:0] pc_q;
  logic [127:0] instruction_q;
  logic fault_q;

  // Decode. Lengths and tile sizes are compared in full width: a field of 4096 is a fault, not 0.
  logic [3:0] opcode;
  logic [15:0] length;
  logic [7:0] rows, depth, columns;
  logic bad_length, bad_tile, illegal, halt;

  assign opcode = instruction_q[127:124];
  assign length = (opcode == ga2_pkg::OpVectorAdd) ? instruction_q[67:52] : instruction_q[91:76];
  assign rows = instruction_q[45:38];
  assign depth = instruction_q[37:30];
  assign columns = instruction_q[29:22];

  assign bad_length = (length == 16'd0) || (length > 16'd4095);
  assign bad_tile = (rows == 8'd0) || (rows > 8'd4) || (depth == 8'd0) || (depth > 8'd64) ||
      (columns == 8'd0) || (columns > 8'd4);
  assign halt = opcode == ga2_pkg::OpHalt;
  assign illegal = !halt && (opcode[3] || ((opcode == ga2_pkg::OpMatMul) ? bad_tile : bad_length));

  // The turn.
  logic issue_to_unit, in_turn;

  assign issue_to_unit = (state_q == StIssue) && !halt && !illegal;
  assign in_turn = issue_to_unit || (state_q == StBusy);
  for (genvar unit = ga2_pkg::FirstUnit; unit <= ga2_pkg::LastUnit; unit++) begin : g_turn
    assign turn_o[unit] = in_turn && (opcode[2:0] == unit);
  end

  // Start is looked at only where the chip is idle or already shows halted.
  logic begin_program;
  assign begin_program = start_i && ((state_q == StIdle) || (state_q == StHalted));

  // While a unit works there is nothing to do here.
  logic awake;
  assign awake = rst_i || (state_q != StBusy) || done_i;

  always_ff @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        state_q <= StIdle;
        pc_q <= 16'd0;
        fault_q <= 1'b0;
      end else begin
        case (state_q)
          StBusy: begin
            pc_q <= pc_q + 16'd1;
            state_q <= StFetch;
          end
          StFetch: begin
            instruction_q <= imem_data_i;
            state_q <= StIssue;
          end
          StIssue: begin
            if (issue_to_unit) begin
              state_q <= StBusy;
            end else begin
              state_q <= StHalted;
              fault_q <= illegal;
            end
          end
          StIdle, StHalted: begin
            if (begin_program) begin
              state_q <= StFetch;
              pc_q <= 16'd0;
              fault_q <= 1'b0;
            end
          end
          default: state_q <= StIdle;
        endcase
      end
    end
  end

  assign halted_o = state_q == StHalted;
  assign fault_o = fault_q;
  assign imem_addr_o = pc_q;
  assign instruction_o = instruction_q;
  assign clear_o = rst_i || begin_program;
  assign fetch_o = state_q == StFetch;
  assign busy_o = state_q == StBusy;
  assign legal_o = state_q <= StHalted;
  assign running_o = !rst_i &&
      ((state_q == StFetch) || (state_q == StIssue) || (state_q == StBusy));

endmodule
