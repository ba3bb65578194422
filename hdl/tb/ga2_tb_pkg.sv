// Names shared by the harness and by verif/bfm/harness.py.
//
// The harness is compiled before the chip, so that no directive of the chip's files reaches it. It sets its own
// time unit here and ends with a resetall in ga2_tb.sv, so that the chip does not inherit it.
//
// A process that waits for a net costs Icarus nothing and Verilator a sixth of its speed; one that looks at the net at
// each edge costs Verilator nothing and Icarus a hundredth. So the harness's processes look, and sleep in Icarus alone.
`timescale 1ns / 1ps

package ga2_tb_pkg;

  localparam int ClockPeriod = 10;  // ns

  // Events of the trace, in the lower half of a byte; TraceRetire has the opcode in the upper.
  localparam logic [3:0] TraceStart = 4'd0;
  localparam logic [3:0] TraceRetire = 4'd1;
  localparam logic [3:0] TraceEnd = 4'd2;
  localparam logic [3:0] TraceScratchpad = 4'd3;
  localparam logic [3:0] TraceExt = 4'd4;
  localparam logic [3:0] TraceRequest = 4'd5;

  // The next of the harness's random numbers (xorshift32), the same on both simulators, as $random is not.
  function automatic logic [31:0] stirred(input logic [31:0] number);
    stirred = number ^ (number << 13);
    stirred = stirred ^ (stirred >> 17);
    stirred = stirred ^ (stirred << 5);
  endfunction

endpackage
