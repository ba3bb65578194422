// Cover points of the state machines: every arc, and a reset in every state.
//
// Bound to the units of the project's own RTL where code coverage is counted; Verilator counts each as a point of
// kind `user`. The states stand here in the order of the unit's own enumeration. An arc that an edge with rst takes
// counts as a reset alone.
`define GA2_ARC(a, b) \
  a``_to_``b: cover property (@(posedge clk_i) before_q == a && state_i == b);
`define GA2_RESET(a) \
  rst_in_``a: cover property (@(posedge clk_i) rst_i && state_i == a);

module ga2_sequencer_cover (
    input logic clk_i,
    input logic rst_i,
    input logic [3:0] state_i
);

  typedef enum logic [3:0] {
    Idle,
    Fetch,
    Issue,
    Busy,
    Halted,
    Reset  = 4'd15
  } state_e;

  logic [3:0] before_q = Reset;  // the state in the cycle before, unless an edge with rst ended it
  always_ff @(posedge clk_i) before_q <= rst_i ? Reset : state_i;

  `GA2_ARC(Idle, Fetch)
  `GA2_ARC(Fetch, Issue)
  `GA2_ARC(Issue, Busy)
  `GA2_ARC(Issue, Halted)
  `GA2_ARC(Busy, Busy)
  `GA2_ARC(Busy, Fetch)
  `GA2_ARC(Idle, Idle)
  `GA2_ARC(Halted, Halted)
  `GA2_ARC(Halted, Fetch)
  `GA2_RESET(Idle)
  `GA2_RESET(Fetch)
  `GA2_RESET(Issue)
  `GA2_RESET(Busy)
  `GA2_RESET(Halted)

endmodule

module ga2_dma_store_cover (
    input logic clk_i,
    input logic rst_i,
    input logic [3:0] state_i
);

  typedef enum logic [3:0] {
    Idle,
    Read,
    LastData,
    LastWrite,
    Reset = 4'd15
  } state_e;

  logic [3:0] before_q = Reset;  // the state in the cycle before, unless an edge with rst ended it
  always_ff @(posedge clk_i) before_q <= rst_i ? Reset : state_i;

  `GA2_ARC(Idle, Read)
  `GA2_ARC(Read, Read)
  `GA2_ARC(Read, LastData)
  `GA2_ARC(LastData, LastWrite)
  `GA2_ARC(LastWrite, Idle)
  `GA2_RESET(Idle)
  `GA2_RESET(Read)
  `GA2_RESET(LastData)
  `GA2_RESET(LastWrite)

endmodule

module ga2_matrix_unit_cover (
    input logic clk_i,
    input logic rst_i,
    input logic [3:0] state_i
);

  typedef enum logic [3:0] {
    Idle,
    SetupA,
    StageA,
    SetupB,
    StageB,
    LandB,
    Clear,
    Fill,
    Stream,
    WaveDown,
    WaveRight,
    SetupC,
    Write,
    LastWrite,
    Reset = 4'd15
  } state_e;

  logic [3:0] before_q = Reset;  // the state in the cycle before, unless an edge with rst ended it
  always_ff @(posedge clk_i) before_q <= rst_i ? Reset : state_i;

  `GA2_ARC(Idle, SetupA)
  `GA2_ARC(SetupA, StageA)
  `GA2_ARC(StageA, StageA)
  `GA2_ARC(StageA, SetupB)
  `GA2_ARC(SetupB, StageB)
  `GA2_ARC(StageB, StageB)
  `GA2_ARC(StageB, LandB)
  `GA2_ARC(LandB, Clear)
  `GA2_ARC(Clear, Fill)
  `GA2_ARC(Fill, Stream)
  `GA2_ARC(Stream, Stream)
  `GA2_ARC(Stream, WaveDown)
  `GA2_ARC(Stream, WaveRight)
  `GA2_ARC(Stream, SetupC)
  `GA2_ARC(WaveDown, WaveDown)
  `GA2_ARC(WaveDown, WaveRight)
  `GA2_ARC(WaveDown, SetupC)
  `GA2_ARC(WaveRight, WaveRight)
  `GA2_ARC(WaveRight, SetupC)
  `GA2_ARC(SetupC, Write)
  `GA2_ARC(Write, Write)
  `GA2_ARC(Write, LastWrite)
  `GA2_ARC(LastWrite, Idle)
  `GA2_RESET(Idle)
  `GA2_RESET(SetupA)
  `GA2_RESET(StageA)
  `GA2_RESET(SetupB)
  `GA2_RESET(StageB)
  `GA2_RESET(LandB)
  `GA2_RESET(Clear)
  `GA2_RESET(Fill)
  `GA2_RESET(Stream)
  `GA2_RESET(WaveDown)
  `GA2_RESET(WaveRight)
  `GA2_RESET(SetupC)
  `GA2_RESET(Write)
  `GA2_RESET(LastWrite)

endmodule

module ga2_requantizer_cover (
    input logic clk_i,
    input logic rst_i,
    input logic [3:0] state_i
);

  typedef enum logic [3:0] {
    Idle,
    Read,
    LastProduct,
    LastWrite,
    Reset = 4'd15
  } state_e;

  logic [3:0] before_q = Reset;  // the state in the cycle before, unless an edge with rst ended it
  always_ff @(posedge clk_i) before_q <= rst_i ? Reset : state_i;

  `GA2_ARC(Idle, Read)
  `GA2_ARC(Read, Read)
  `GA2_ARC(Read, LastProduct)
  `GA2_ARC(LastProduct, LastWrite)
  `GA2_ARC(LastWrite, Idle)
  `GA2_RESET(Idle)
  `GA2_RESET(Read)
  `GA2_RESET(LastProduct)
  `GA2_RESET(LastWrite)

endmodule

module ga2_softmax_cover (
    input logic clk_i,
    input logic rst_i,
    input logic [3:0] state_i
);

  typedef enum logic [3:0] {
    Idle,
    Maximum,
    LastMaximum,
    Exponential,
    LastLookup,
    LastExponential,
    StartDivision,
    Divide,
    TakeQuotient,
    Scale,
    LastProduct,
    LastScaled,
    Reset = 4'd15
  } state_e;

  logic [3:0] before_q = Reset;  // the state in the cycle before, unless an edge with rst ended it
  always_ff @(posedge clk_i) before_q <= rst_i ? Reset : state_i;

  `GA2_ARC(Idle, Maximum)
  `GA2_ARC(Maximum, Maximum)
  `GA2_ARC(Maximum, LastMaximum)
  `GA2_ARC(LastMaximum, Exponential)
  `GA2_ARC(Exponential, Exponential)
  `GA2_ARC(Exponential, LastLookup)
  `GA2_ARC(LastLookup, LastExponential)
  `GA2_ARC(LastExponential, StartDivision)
  `GA2_ARC(StartDivision, Divide)
  `GA2_ARC(Divide, Divide)
  `GA2_ARC(Divide, TakeQuotient)
  `GA2_ARC(TakeQuotient, Scale)
  `GA2_ARC(Scale, Scale)
  `GA2_ARC(Scale, LastProduct)
  `GA2_ARC(LastProduct, LastScaled)
  `GA2_ARC(LastScaled, Idle)
  `GA2_RESET(Idle)
  `GA2_RESET(Maximum)
  `GA2_RESET(LastMaximum)
  `GA2_RESET(Exponential)
  `GA2_RESET(LastLookup)
  `GA2_RESET(LastExponential)
  `GA2_RESET(StartDivision)
  `GA2_RESET(Divide)
  `GA2_RESET(TakeQuotient)
  `GA2_RESET(Scale)
  `GA2_RESET(LastProduct)
  `GA2_RESET(LastScaled)

endmodule

module ga2_vector_add_cover (
    input logic clk_i,
    input logic rst_i,
    input logic [3:0] state_i
);

  typedef enum logic [3:0] {
    Idle,
    ReadFirst,
    ReadSecond,
    LastSum,
    LastWrite,
    Reset = 4'd15
  } state_e;

  logic [3:0] before_q = Reset;  // the state in the cycle before, unless an edge with rst ended it
  always_ff @(posedge clk_i) before_q <= rst_i ? Reset : state_i;

  `GA2_ARC(Idle, ReadFirst)
  `GA2_ARC(ReadFirst, ReadSecond)
  `GA2_ARC(ReadSecond, ReadFirst)
  `GA2_ARC(ReadSecond, LastSum)
  `GA2_ARC(LastSum, LastWrite)
  `GA2_ARC(LastWrite, Idle)
  `GA2_RESET(Idle)
  `GA2_RESET(ReadFirst)
  `GA2_RESET(ReadSecond)
  `GA2_RESET(LastSum)
  `GA2_RESET(LastWrite)

endmodule

// verilog_lint: waive module-filename
module ga2_argmax_cover (
    input logic clk_i,
    input logic rst_i,
    input logic [3:0] state_i
);

  typedef enum logic [3:0] {
    Idle,
    Read,
    LastWord,
    LastCompare,
    Write,
    Reset = 4'd15
  } state_e;

  logic [3:0] before_q = Reset;  // the state in the cycle before, unless an edge with rst ended it
  always_ff @(posedge clk_i) before_q <= rst_i ? Reset : state_i;

  `GA2_ARC(Idle, Read)
  `GA2_ARC(Read, Read)
  `GA2_ARC(Read, LastWord)
  `GA2_ARC(LastWord, LastCompare)
  `GA2_ARC(LastCompare, Write)
  `GA2_ARC(Write, Idle)
  `GA2_RESET(Idle)
  `GA2_RESET(Read)
  `GA2_RESET(LastWord)
  `GA2_RESET(LastCompare)
  `GA2_RESET(Write)

endmodule

bind ga2_sequencer ga2_sequencer_cover u_cover (
    .clk_i,
    .rst_i,
    .state_i(4'(state_q))
);
bind ga2_dma_store ga2_dma_store_cover u_cover (
    .clk_i,
    .rst_i,
    .state_i(4'(state_q))
);
bind ga2_matrix_unit ga2_matrix_unit_cover u_cover (
    .clk_i,
    .rst_i,
    .state_i(4'(state_q))
);
bind ga2_requantizer ga2_requantizer_cover u_cover (
    .clk_i,
    .rst_i,
    .state_i(4'(state_q))
);
bind ga2_softmax ga2_softmax_cover u_cover (
    .clk_i,
    .rst_i,
    .state_i(4'(state_q))
);
bind ga2_vector_add ga2_vector_add_cover u_cover (
    .clk_i,
    .rst_i,
    .state_i(4'(state_q))
);
bind ga2_argmax ga2_argmax_cover u_cover (
    .clk_i,
    .rst_i,
    .state_i(4'(state_q))
);
