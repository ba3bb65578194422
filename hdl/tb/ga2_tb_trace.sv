// Trace mode: what the chip does in a program, event by event, for a program that must be understood.
//
// Off, the block sleeps. On, it logs in the order of the model's trace:
//
//   TraceStart                  a start was honoured; cycles count from its FETCH of pc 0, which is 1
//   TraceRetire                 an instruction was busy for the last time
//   TraceEnd                    the last cycle of a program, the ISSUE of a HALT or fault
//   TraceScratchpad, TraceExt   a word was written
//   TraceRequest                a word of external memory was asked for
//
// The log holds Depth events. When another cycle might not fit, `batches` steps, and Python takes all `count` of them
// away before the next clock. Writing the scratchpad shows at no port of the chip: sim.mk names the three signals to look at, or
// none (`sees_writes` of the retire log).
module ga2_tb_trace
  import ga2_tb_pkg::*;
#(
    parameter int Depth = 4096
) (
    input logic        clk,
    input logic        tracing,
    input logic        clear,           // a new run begins
    input logic [31:0] starts,          // steps when a start is honoured
    input logic        halted,
    input logic        fault,
    input logic [15:0] imem_addr,
    input logic        req_valid,
    input logic [15:0] req_addr,
    input logic        wr_valid,
    input logic [15:0] wr_addr,
    input logic [31:0] wr_data,
    input logic [31:0] cyc_mm,
    input logic [31:0] cyc_dma,
    input logic [31:0] cyc_vec,
    input logic        retired,         // as the retire log says
    input logic [15:0] retired_pc,
    input logic [ 3:0] retired_opcode,
    input logic [31:0] before_mm,
    input logic [31:0] before_dma,
    input logic [31:0] before_vec,

    output logic [31:0] count,
    output logic [31:0] batches
);

  // {kind, opcode, cycle, pc} in 56 bits, then for a retire the busy cycles of the three kinds of unit in
  // 24 bits each, for an end whether it is a fault, for a write or a request the address and the word, for a
  // start the cycle of the run
  logic [127:0] entries[Depth];

  logic [31:0] cycle;
  logic [31:0] run_cycle;  // does not return to 1 where the program is started again
  logic [31:0] starts_seen;
  logic ended;
  logic full;
  localparam logic [31:0] MostInCycle = 32'd8;

  initial begin
    count = '0;
    batches = '0;
    cycle = '0;
    run_cycle = '0;
    starts_seen = '0;
    ended = 1'b1;
    full = 1'b0;
  end

  // A process that waits costs Icarus nothing and Verilator a sixth of its speed; a clocked one costs Icarus
  // a net a clock and Verilator nothing.
`ifdef VERILATOR
  always @(posedge clk) if (tracing) log_cycle;
`else
  always begin
    wait (tracing);
    @(posedge clk);
    log_cycle;
  end
`endif

  task static log_cycle;
    cycle = cycle + 1;
    run_cycle = run_cycle + 1;
    if (clear || full) count = '0;
    full = 1'b0;
    if (clear) begin
      cycle = '0;
      run_cycle = '0;
      starts_seen = starts;
      ended = 1'b1;
    end
    if (starts !== starts_seen) begin
      starts_seen = starts;
      cycle = 1;
      ended = 1'b0;
      log(TraceStart, cycle, {16'd0, run_cycle});
    end
    if (retired) log_retire;
    if (halted === 1'b1 && !ended) begin
      ended = 1'b1;
      log(TraceEnd, cycle - 1, {47'd0, fault});
    end
`ifdef GA2_SCRATCHPAD_WRITE
    if (`GA2_SCRATCHPAD_WRITE !== 1'b0) begin
      log(TraceScratchpad, cycle, {16'(`GA2_SCRATCHPAD_WRITE_ADDR), `GA2_SCRATCHPAD_WRITE_DATA});
    end
`endif
    if (req_valid !== 1'b0) log(TraceRequest, cycle, {req_addr, 32'd0});
    if (wr_valid !== 1'b0) log(TraceExt, cycle, {wr_addr, wr_data});
    if (count > Depth - MostInCycle) begin
      full = 1'b1;
      batches <= batches + 1;
    end
  endtask

  // n_inst steps at the edge that ends the last busy cycle, and is seen at the one after it.
  task static log_retire;
    append({
           TraceRetire,
           retired_opcode,
           cycle - 32'd1,
           retired_pc,
           24'(cyc_mm - before_mm),
           24'(cyc_dma - before_dma),
           24'(cyc_vec - before_vec)
           });
  endtask

  task static log(input logic [3:0] kind, input logic [31:0] happened, input logic [47:0] word);
    append({kind, 4'd0, happened, imem_addr, 24'd0, word});
  endtask

  task static append(input logic [127:0] entry);
    entries[count[11:0]] = entry;
    count = count + 1;
  endtask

endmodule
