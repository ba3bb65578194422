// What docs/isa.md says of a word, as ga2_protocol needs it, and the numbers of its checks.
//
// Read by simulators and by yosys alike, which has no import: users write ga2_rules::NAME.
package ga2_rules;

  // What the chip does in a cycle.
  typedef enum logic [2:0] {
    Unknown,  // before the first reset, and after a hang: nothing is promised until rst
    Astray,   // it left the path that the contract knows: nothing is judged until it halts, or rst
    Idle,
    Fetch,
    Issue,
    Busy,
    Halted
  } state_e;

  localparam logic [3:0] OpHalt = 4'd0;
  localparam logic [3:0] OpLoad = 4'd1;
  localparam logic [3:0] OpStore = 4'd2;
  localparam logic [3:0] OpMatMul = 4'd3;
  localparam logic [3:0] OpSoftmax = 4'd5;
  localparam logic [3:0] OpVectorAdd = 4'd6;
  localparam logic [3:0] OpArgMax = 4'd7;

  // The checks. verif/bfm/harness.py gives the sentence of docs/isa.md that each is named after.
  localparam int CheckKnown = 0;
  localparam int CheckResetClears = 1;
  localparam int CheckResetWins = 2;
  localparam int CheckIdleHolds = 3;
  localparam int CheckStartHonoured = 4;
  localparam int CheckStartHeld = 5;
  localparam int CheckStartAfterFault = 6;
  localparam int CheckStartClears = 7;
  localparam int CheckStartLost = 8;
  localparam int CheckPcStays = 9;
  localparam int CheckPcAdvances = 10;
  localparam int CheckPcWraps = 11;
  localparam int CheckPcAtEnd = 12;
  localparam int CheckFetchSamples = 13;
  localparam int CheckHaltStops = 14;
  localparam int CheckFaultStops = 15;
  localparam int CheckLegalRuns = 16;
  localparam int CheckRunning = 17;
  localparam int CheckHaltedHolds = 18;
  localparam int CheckCounterTotal = 19;
  localparam int CheckCounterMm = 20;
  localparam int CheckCounterDma = 21;
  localparam int CheckCounterVec = 22;
  localparam int CheckCounterInst = 23;
  localparam int CheckLoadRequests = 24;
  localparam int CheckLoadAddresses = 25;
  localparam int CheckRequestBound = 26;
  localparam int CheckStoreWrites = 27;
  localparam int CheckStoreAddresses = 28;
  localparam int CheckWriteBound = 29;
  localparam int CheckValidsLow = 30;
  localparam int CheckResponseAsked = 31;
  localparam int CheckResponseIgnored = 32;
  localparam int CheckFetchIssueTime = 33;
  localparam int CheckLoadTime = 34;
  // Those of ST, MM, RQ, SM, VADD and AMAX follow in the order of their operation codes.
  localparam int Checks = 41;

  function automatic logic [15:0] length_of(input logic [127:0] word);
    length_of = word[127:124] == OpVectorAdd ? word[67:52] : word[91:76];
  endfunction

  // Is it a faulting word? M, K and N are compared as whole 8-bit fields, a length as 16 bits.
  function automatic logic faults(input logic [127:0] word);
    case (word[127:124])
      OpHalt: faults = 1'b0;
      OpMatMul: begin
        faults = word[45:38] == 8'd0 || word[45:38] > 8'd4;
        faults = faults || word[37:30] == 8'd0 || word[37:30] > 8'd64;
        faults = faults || word[29:22] == 8'd0 || word[29:22] > 8'd4;
      end
      default: begin
        faults = word[127] || length_of(word) == 16'd0 || length_of(word) > 16'd4095;
      end
    endcase
  endfunction

  // The busy cycles of a legal word; of LD, which ends by its responses, those that hold requests.
  function automatic logic [31:0] busy_cycles(input logic [127:0] word);
    logic [31:0] length, m, k, n;
    length = {16'd0, length_of(word)};
    m = {24'd0, word[45:38]};
    k = {24'd0, word[37:30]};
    n = {24'd0, word[29:22]};
    case (word[127:124])
      OpLoad: busy_cycles = length;
      OpMatMul: busy_cycles = m * k + k * n + (k + m + n - 32'd2) + m * n + 32'd7;
      OpSoftmax: busy_cycles = length + length + length + 32'd47;
      OpVectorAdd: busy_cycles = length + length + 32'd2;
      OpArgMax: busy_cycles = length + 32'd3;
      default: busy_cycles = length + 32'd2;
    endcase
  endfunction

  // Which counter does it step? 0 cyc_mm, 1 cyc_dma, 2 cyc_vec
  function automatic logic [1:0] unit_of(input logic [3:0] opcode);
    case (opcode)
      OpMatMul: unit_of = 2'd0;
      OpLoad, OpStore: unit_of = 2'd1;
      default: unit_of = 2'd2;
    endcase
  endfunction

endpackage
