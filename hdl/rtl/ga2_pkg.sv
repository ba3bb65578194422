// Operation codes of GA2 instructions (docs/isa.md).
//
// An operation code doubles as the index of its unit in the turn vectors of the sequencer. Names
// are always written with their package, since not every tool in use reads an import.

package ga2_pkg;

  typedef enum logic [3:0] {
    OpHalt       = 4'd0,
    OpLoad       = 4'd1,
    OpStore      = 4'd2,
    OpMatMul     = 4'd3,
    OpRequantize = 4'd4,
    OpSoftmax    = 4'd5,
    OpVectorAdd  = 4'd6,
    OpArgMax     = 4'd7
  } opcode_e;

  localparam int FirstUnit = 1;  // LD, the lowest operation code that has a unit
  localparam int LastUnit = 7;  // AMAX, the highest one

endpackage
