// Dumps waves: the window of cycles that Python asks for, or all there is.
//
//   +waves=FILE   where to (FST); without it nothing is ever dumped
//   +waves_all=1  from the beginning to the end; otherwise cycles `first` to `last` of the `pass`-th start
//                 of a run, as cycles count: FETCH of pc 0 is 1
//
// Awake, the block counts cycles, and while it dumps it takes samples of what no dump shows by itself: the
// scratchpad's write port, which sim.mk names, and the mirrors of ga2_tb_mirrors. That happens SettleTime after
// the clock edge, when everything that follows from the edge is there.
module ga2_tb_waves (
    input logic        clk,
    input logic        clear,   // a new run begins
    input logic [31:0] starts,  // steps when a start is honoured
    input logic [31:0] pass,
    input logic [31:0] first,
    input logic [31:0] last     // 0: the block sleeps
);

  localparam int SettleTime = 1;  // ns

  logic [31:0] cycle;
  logic [31:0] passes;
  logic [31:0] starts_seen;
  logic dump_all;
  logic dumping;

  // The write port, as it is in this cycle
  logic scratchpad_write;
  logic [15:0] scratchpad_write_addr;
  logic [31:0] scratchpad_write_data;

  string file;

  initial begin
    cycle = '0;
    passes = '0;
    starts_seen = '0;
    dumping = 1'b0;
    scratchpad_write = 1'b0;
    if (!$value$plusargs("waves_all=%b", dump_all)) dump_all = 1'b0;
    if (dump_all) begin_dump;
  end

  wire awake = last != 0 || dump_all;

  // As in ga2_tb_trace, each simulator sleeps in its own way. In Verilator every process that waits for something
  // else than the clock or a time makes each cycle dearer; one that is born awake does not.
`ifdef VERILATOR
  always @(posedge clk) begin
    if (awake) begin
      fork
        #(SettleTime) step;
      join_none
    end
  end
`else
  always begin
    wait (awake);
    @(posedge clk);
    #(SettleTime) step;
  end
`endif

  task static step;
    cycle = cycle + 1;
    if (clear) begin
      cycle = '0;
      passes = '0;
      starts_seen = starts;
    end
    if (starts !== starts_seen) begin
      starts_seen = starts;
      cycle = 1;
      passes = passes + 1;
    end
    if (last != 0 && passes == pass) begin
      if (cycle == first) begin_dump;
      else if (dumping && cycle > last) end_dump;
    end
    if (dumping) begin
`ifdef GA2_SCRATCHPAD_WRITE
      scratchpad_write = `GA2_SCRATCHPAD_WRITE;
      scratchpad_write_addr = 16'(`GA2_SCRATCHPAD_WRITE_ADDR);
      scratchpad_write_data = `GA2_SCRATCHPAD_WRITE_DATA;
`endif
`ifdef GA2_MIRRORS
      ga2_tb.u_mirrors.take_samples;
`endif
    end
  endtask

  task static begin_dump;
    if ($value$plusargs("waves=%s", file)) begin
      $dumpfile(file);
      $dumpvars(0, ga2_tb);
      dumping = 1'b1;
    end
  endtask

  // There is no $dumpoff in Verilator. A dump that the end of the simulation cuts is whole too.
  task static end_dump;
`ifdef VERILATOR
    $c("vlSymsp->_traceDumpClose();");
`else
    $dumpoff;
    $dumpflush;
`endif
    dumping = 1'b0;
  endtask

endmodule
