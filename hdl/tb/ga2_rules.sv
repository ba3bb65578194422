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
  localparam logic [5:0] CheckKnown = 6'd0;
  localparam logic [5:0] CheckResetClears = 6'd1;
  localparam logic [5:0] CheckResetWins = 6'd2;
  localparam logic [5:0] CheckIdleHolds = 6'd3;
  localparam logic [5:0] CheckStartHonoured = 6'd4;
  localparam logic [5:0] CheckStartHeld = 6'd5;
  localparam logic [5:0] CheckStartAfterFault = 6'd6;
  localparam logic [5:0] CheckStartClears = 6'd7;
  localparam logic [5:0] CheckStartLost = 6'd8;
  localparam logic [5:0] CheckPcStays = 6'd9;
  localparam logic [5:0] CheckPcAdvances = 6'd10;
  localparam logic [5:0] CheckPcWraps = 6'd11;
  localparam logic [5:0] CheckPcAtEnd = 6'd12;
  localparam logic [5:0] CheckFetchSamples = 6'd13;
  localparam logic [5:0] CheckHaltStops = 6'd14;
  localparam logic [5:0] CheckFaultStops = 6'd15;
  localparam logic [5:0] CheckLegalRuns = 6'd16;
  localparam logic [5:0] CheckRunning = 6'd17;
  localparam logic [5:0] CheckHaltedHolds = 6'd18;
  localparam logic [5:0] CheckCounterTotal = 6'd19;
  localparam logic [5:0] CheckCounterMm = 6'd20;
  localparam logic [5:0] CheckCounterDma = 6'd21;
  localparam logic [5:0] CheckCounterVec = 6'd22;
  localparam logic [5:0] CheckCounterInst = 6'd23;
  localparam logic [5:0] CheckLoadRequests = 6'd24;
  localparam logic [5:0] CheckLoadAddresses = 6'd25;
  localparam logic [5:0] CheckRequestBound = 6'd26;
  localparam logic [5:0] CheckStoreWrites = 6'd27;
  localparam logic [5:0] CheckStoreAddresses = 6'd28;
  localparam logic [5:0] CheckWriteBound = 6'd29;
  localparam logic [5:0] CheckValidsLow = 6'd30;
  localparam logic [5:0] CheckResponseAsked = 6'd31;
  localparam logic [5:0] CheckResponseIgnored = 6'd32;
  localparam logic [5:0] CheckFetchIssueTime = 6'd33;
  localparam logic [5:0] CheckLoadTime = 6'd34;
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
