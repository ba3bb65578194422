// What every unit promises about its turn, and what it may assume of the sequencer.
//
// busy_o numbers the busy cycles of an instruction from 1 on, as docs/isa.md does; 0 while the unit is
// idle; it stays at the highest number, which LD alone may reach, since it waits for responses. The whole chip's proof shows the assumptions (ga2_properties.sv).

module ga2_turn_properties (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wake_i,
    input  logic        working_o,
    input  logic        done_o,
    output logic        valid_o,    // a reset has been: from now on everything is defined
    output logic [15:0] busy_o
);

  logic valid_q, past_rst_q, past_granted_q, past_working_q, past_done_q;
  logic [15:0] busy_q;
  initial valid_q = 1'b0;

  always_ff @(posedge clk_i) begin
    valid_q <= 1'b1;
    past_rst_q <= rst_i;
    past_granted_q <= wake_i && !rst_i;
    past_working_q <= working_o;
    past_done_q <= done_o;
    if (rst_i || done_o || !wake_i) busy_q <= 16'd0;
    else if (busy_q != 16'hffff) busy_q <= busy_q + 16'd1;
  end

  assign valid_o = valid_q;
  assign busy_o  = busy_q;

  always_comb begin
    // Nothing is defined before the first reset, so the first cycle is one.
    assume (valid_q || rst_i);
    assume (!rst_i || wake_i);
    if (valid_q) begin
      // The turn lasts from ISSUE to the last busy cycle.
      assume (!working_o || wake_i);

      reset_makes_idle : assert (!past_rst_q || !working_o);
      busy_from_the_cycle_after_issue : assert (!past_granted_q || past_done_q || working_o);
      idle_without_a_turn : assert (past_working_q || past_granted_q || !working_o);
      idle_after_the_last_busy_cycle : assert (!past_done_q || !working_o);
      done_in_a_busy_cycle_alone : assert (!done_o || working_o);
      busy_cycles_are_numbered : assert ((busy_q != 16'd0) == working_o);
    end
  end

endmodule
