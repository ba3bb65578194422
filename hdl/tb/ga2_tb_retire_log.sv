// One entry for each completed instruction: pc, opcode, the busy cycles it cost each unit, and what it did to
// the memories: how often it read the scratchpad, how often it wrote it and external memory, and a signature of
// those writes.
//
// Read off the ports. n_inst steps at the edge that ends the last busy cycle; the FETCH that follows is sampled
// at its end, when pc has moved on and the unit counters stand still. The log begins anew with every run and
// keeps its first Depth entries; `retire_count` goes on. An honoured start adds another pass, whose first entry
// is `pass_first`; rst leaves the log and drops what the instruction that it cuts has read and written.
//
// A write {pc, address, word} of 64 bits is folded as signature * Multiplier + write, beginning with 0. Two equal
// errors of an instruction cannot cancel: the multiplier is 3 modulo 8, and words and addresses stand in the lower
// 48 bits. An unknown bit of a write makes the signature unknown, an unknown enable the count of writes.
// Whatever happens outside busy cycles belongs to no instruction and is counted apart, since the first reset.
//
// The scratchpad's ports show at no port of the chip: sim.mk names their signals, or none.
//
// In Icarus the cycles with the read enable high are counted when it falls, by the time that has passed, for a
// counter that steps in every such cycle would cost as much as all writes.
module ga2_tb_retire_log
  import ga2_tb_pkg::*;
#(
    parameter int Depth = 65536  // as many as program memory holds words
) (
    input logic        clk,
    input logic        rst,
    input logic        clear,      // a new run begins
    input logic [31:0] starts,     // steps when a start is honoured
    input logic        halted,
    input logic [15:0] imem_addr,
    input logic [ 3:0] opcode,     // of the word at imem_addr, looked at when FETCH ends
    input logic        wr_valid,
    input logic [15:0] wr_addr,
    input logic [31:0] wr_data,
    input logic [31:0] cyc_mm,
    input logic [31:0] cyc_dma,
    input logic [31:0] cyc_vec,
    input logic [31:0] n_inst,

    output logic [31:0] retire_count,
    output logic [31:0] pass_first,
    output logic [31:0] outside_reads,
    output logic [31:0] outside_writes,
    output logic        sees_writes,
    output logic        sees_reads,

    // For the trace: an entry is made at the next edge, of this instruction, and how far the unit
    // counters were before it
    output logic        retired,
    output logic [15:0] pc,
    output logic [ 3:0] pc_opcode,
    output logic [31:0] before_mm,
    output logic [31:0] before_dma,
    output logic [31:0] before_vec
);

  localparam logic [63:0] Multiplier = 64'h0000_0100_0000_01b3;

  // {reads, external writes and scratchpad writes in 16 bits each, signature in 64;
  //  opcode and pc, cyc_mm, cyc_dma, cyc_vec}, else each in 32 bits
  logic [255:0] entries[Depth];

  logic [31:0] n_inst_seen, starts_seen;
  logic armed;  // a reset has come: before the first every output is undefined
  logic issuing;  // this cycle is an ISSUE
  logic busy;  // behind an ISSUE, until the instruction has retired
  logic [63:0] signature;
  logic [15:0] writes, ext_writes;
  logic [31:0] counted;  // up to the cycle before, or (Icarus) until `reading` rose
  logic [31:0] reads_before;  // all reads up to the instruction's ISSUE

  logic write, read;
  logic [15:0] write_addr;
  logic [31:0] write_data;
`ifdef GA2_SCRATCHPAD_WRITE
  assign write = `GA2_SCRATCHPAD_WRITE;
  assign write_addr = 16'(`GA2_SCRATCHPAD_WRITE_ADDR);
  assign write_data = `GA2_SCRATCHPAD_WRITE_DATA;
  assign sees_writes = 1'b1;
`else
  assign write = 1'b0;
  assign write_addr = '0;
  assign write_data = '0;
  assign sees_writes = 1'b0;
`endif
`ifdef GA2_SCRATCHPAD_READ
  assign read = `GA2_SCRATCHPAD_READ;
  assign sees_reads = 1'b1;
`else
  assign read = 1'b0;
  assign sees_reads = 1'b0;
`endif

  wire reading = read !== 1'b0;
  wire writing = write !== 1'b0 || wr_valid !== 1'b0;
  wire in_turn = busy && halted === 1'b0;
  wire news = n_inst !== n_inst_seen || starts !== starts_seen;
  wire quiet = in_turn && !(news || issuing || rst || clear);
  wire only_writes = quiet && write === 1'b1 && wr_valid === 1'b0;
  wire awake = news || issuing || writing || reading && !in_turn || rst || clear;
  assign retired = news && starts === starts_seen && n_inst !== '0;

  initial begin
    retire_count = '0;
    pass_first = '0;
    outside_reads = '0;
    outside_writes = '0;
    n_inst_seen = '0;
    starts_seen = '0;
    armed = 1'b0;
    issuing = 1'b0;
    busy = 1'b0;
    counted = '0;
    begin_instruction;
  end

  always @(posedge clk) begin
    if (only_writes) begin  // most of what there is to do; one net tells it
      signature = signature * Multiplier + {imem_addr, write_addr, write_data};
      writes = writes + 16'd1;
    end else if (awake) begin
      if (in_turn && !news) begin
        if (write !== 1'b0) begin
          signature = signature * Multiplier + {imem_addr, write_addr, write_data};
          writes = writes + {15'd0, write};
        end
        if (wr_valid !== 1'b0) begin
          signature  = signature * Multiplier + {imem_addr, wr_addr, wr_data};
          ext_writes = ext_writes + {15'd0, wr_valid};
        end
      end else if (armed) begin
        if (reading) outside_reads <= outside_reads + 1;
        if (writing) outside_writes <= outside_writes + 1;
      end

      if (issuing) begin
        issuing <= 1'b0;
        busy <= 1'b1;
        begin_instruction;
      end
      if (news) begin
        busy <= 1'b0;
        issuing <= retired || starts !== starts_seen;
        if (starts !== starts_seen) begin
          pass_first <= retire_count;
          {before_mm, before_dma, before_vec} <= '0;
        end else if (retired) begin
          if (retire_count < Depth) begin
            entries[retire_count[$clog2(
                Depth
            )-1:0]] <= {
              total_reads() - {31'd0, reading} - reads_before,
              ext_writes,
              writes,
              signature,
              12'd0,
              pc_opcode,
              pc,
              cyc_mm - before_mm,
              cyc_dma - before_dma,
              cyc_vec - before_vec
            };
          end
          {before_mm, before_dma, before_vec} <= {cyc_mm, cyc_dma, cyc_vec};
          retire_count <= retire_count + 1;
        end
        pc <= imem_addr;
        pc_opcode <= opcode;
        n_inst_seen <= n_inst;
        starts_seen <= starts;
      end
      if (rst) begin
        armed <= 1'b1;
        issuing <= 1'b0;
        busy <= 1'b0;
      end
      if (clear) begin
        retire_count <= '0;
        pass_first   <= '0;
      end
    end
`ifndef VERILATOR
    wait (awake);
`endif
  end

  task static begin_instruction;
    signature = '0;
    writes = '0;
    ext_writes = '0;
    reads_before = total_reads();
  endtask

  // Reads of all cycles so far, with the one that this edge ends.
`ifdef VERILATOR
  always @(posedge clk) if (reading) counted <= counted + 1;

  function automatic logic [31:0] total_reads();
    total_reads = counted + {31'd0, reading};
  endfunction
`else
  logic [63:0] since = '0;  // when `reading` rose last

  always @(reading) begin
    if (reading) since = $time;
    else counted = counted + ($time - since) / ClockPeriod;
  end

  function automatic logic [31:0] total_reads();
    total_reads = reading ? counted + ($time - since) / ClockPeriod : counted;
  endfunction
`endif

endmodule
