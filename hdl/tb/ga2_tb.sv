// The harness: one ga2, its clock, its memories, and everything that must be watched every cycle.
//
// Python wakes once a program. It fills the memories and the cfg_ registers, changes run_id, sleeps
// until done_id follows, and reads back. Each job has a module of its own:
//
//   u_run     ga2_tb_run_control  start, resets, watchdog, done
//   u_program ga2_tb_program      program memory; garbage where the chip must not look
//   u_memory  ga2_tb_memory       external memory and its latency
//   u_log     ga2_tb_retire_log   what completed, what it cost and what it did to the memories
//   u_trace   ga2_tb_trace        every event of a program, when asked for
//   u_protocol  ga2_protocol      what docs/isa.md says of the ports, in every cycle
//   u_waves   ga2_tb_waves        dumps a window of cycles, or all, when asked to
//   u_mirrors ga2_tb_mirrors      what a dump cannot show by itself, for the project's own RTL
//   u_bare    ga2_tb_bare         plays Python's part when the harness runs alone
//   dut       ga2                 seen through its ports; log and trace look at its scratchpad too
module ga2_tb
  import ga2_tb_pkg::*;
();

  // Written before run_id changes
  logic [ 31:0] run_id = '0;
  logic [ 16:0] cfg_code_words = '0;
  logic [ 16:0] cfg_ext_words = 17'd8192;
  logic [ 11:0] cfg_latency = 12'd8;
  logic [ 31:0] cfg_cycle_limit = '0;
  logic         cfg_reset_first = 1'b0;
  logic [ 31:0] cfg_reset_cycle = '0;
  logic [  3:0] cfg_reset_width = 4'd1;
  logic [ 15:0] cfg_reset_gap = '0;
  logic [ 31:0] cfg_start_from = '0;
  logic [ 31:0] cfg_start_to = '0;
  logic [ 15:0] cfg_idle_cycles = '0;
  logic [ 31:0] cfg_strays = '0;  // seed of responses that nobody asked for; 0: none
  logic         cfg_bus_mode = 1'b0;  // a bus driver answers reads, on bus_resp_
  logic         cfg_trace = 1'b0;
  logic [ 31:0] cfg_garbage_seed = 32'd1;  // of data ports while they mean nothing

  // The window of cycles whose waves are dumped; last = 0: none
  logic [ 31:0] cfg_wave_pass = 32'd1;
  logic [ 31:0] cfg_wave_first = '0;
  logic [ 31:0] cfg_wave_last = '0;

  // Valid once done_id equals run_id
  logic [ 31:0] done_id;
  logic         hung;
  logic         was_reset;
  logic [ 31:0] starts;
  logic [ 31:0] retire_count;
  logic [ 31:0] pass_first;
  logic [ 31:0] outside_reads;
  logic [ 31:0] outside_writes;
  logic         sees_writes;
  logic         sees_reads;

  // The trace; one batch after another
  logic [ 31:0] trace_count;
  logic [ 31:0] trace_batches;

  // The response side of the read port, for a bus driver
  logic         bus_resp_valid = 1'b0;
  logic [ 31:0] bus_resp_data = '0;

  // Ports of the chip
  logic         clk;
  logic         rst;
  logic         start;
  logic         halted;
  logic         fault;
  logic [ 15:0] imem_addr;
  logic [127:0] imem_data;
  logic         req_valid;
  logic [ 15:0] req_addr;
  logic         resp_valid;
  logic [ 31:0] resp_data;
  logic         wr_valid;
  logic [ 15:0] wr_addr;
  logic [ 31:0] wr_data;
  logic [ 31:0] cyc_total;
  logic [ 31:0] cyc_mm;
  logic [ 31:0] cyc_dma;
  logic [ 31:0] cyc_vec;
  logic [ 31:0] n_inst;

  logic [  3:0] opcode;
  logic         ignores_responses;
  logic         stray;
  logic         ignored;  // a response that answers nothing is there
  logic         answer_valid;
  logic [ 31:0] answer_data;
  logic         memory_resp_valid;
  logic [ 31:0] memory_resp_data;
  logic         clear;
  logic         distrust;
  logic         retired;
  logic [ 15:0] retired_pc;
  logic [  3:0] retired_opcode;
  logic [ 31:0] before_mm;
  logic [ 31:0] before_dma;
  logic [ 31:0] before_vec;

  initial clk = 1'b0;
  always #(ClockPeriod / 2) clk = !clk;

  // What the chip is at, as ga2_protocol has it
  logic [2:0] state;

  // Answers to requests, and responses that nobody asked for, where the chip must ignore them.
  assign answer_valid = cfg_bus_mode ? bus_resp_valid : memory_resp_valid;
  assign answer_data  = cfg_bus_mode ? bus_resp_data : memory_resp_data;
  assign ignores_responses = !(state == ga2_rules::Busy && opcode == ga2_rules::OpLoad);
  assign ignored = stray && ignores_responses;
  assign resp_valid = answer_valid || ignored;
  assign resp_data    = answer_data;

  ga2 dut (
      .clk,
      .rst,
      .start,
      .halted,
      .fault,
      .imem_addr,
      .imem_data,
      .req_valid,
      .req_addr,
      .resp_valid,
      .resp_data,
      .wr_valid,
      .wr_addr,
      .wr_data,
      .cyc_total,
      .cyc_mm,
      .cyc_dma,
      .cyc_vec,
      .n_inst
  );

  ga2_tb_program u_program (
      .clk,
      .rst,
      .start,
      .halted,
      .imem_addr,
      .clear,
      .code_words(cfg_code_words),
      .seed(cfg_garbage_seed),
      .imem_data
  );

  ga2_tb_memory u_memory (
      .clk,
      .rst,
      .clear,
      .seed(cfg_garbage_seed),
      .latency(cfg_latency),
      .ext_words(cfg_ext_words),
      .bus_mode(cfg_bus_mode),
      .strays(cfg_strays),
      .stray,
      .req_valid,
      .req_addr,
      .resp_valid(memory_resp_valid),
      .resp_data(memory_resp_data),
      .wr_valid,
      .wr_addr,
      .wr_data
  );

  ga2_tb_run_control u_run (
      .clk,
      .halted,
      .fault,
      .opcode,
      .cyc_total,
      .cyc_mm,
      .cyc_dma,
      .cyc_vec,
      .n_inst,
      .stray(ignored),
      .run_id,
      .reset_first(cfg_reset_first),
      .reset_cycle(cfg_reset_cycle),
      .reset_width(cfg_reset_width),
      .reset_gap(cfg_reset_gap),
      .start_from(cfg_start_from),
      .start_to(cfg_start_to),
      .idle_cycles(cfg_idle_cycles),
      .cycle_limit(cfg_cycle_limit),
      .bus_mode(cfg_bus_mode),
      .done_id,
      .hung,
      .was_reset,
      .rst,
      .start,
      .clear,
      .distrust
  );

  ga2_tb_retire_log u_log (
      .clk,
      .rst,
      .clear,
      .starts,
      .halted,
      .imem_addr,
      .opcode,
      .wr_valid,
      .wr_addr,
      .wr_data,
      .cyc_mm,
      .cyc_dma,
      .cyc_vec,
      .n_inst,
      .retire_count,
      .pass_first,
      .outside_reads,
      .outside_writes,
      .sees_writes,
      .sees_reads,
      .retired,
      .pc(retired_pc),
      .pc_opcode(retired_opcode),
      .before_mm,
      .before_dma,
      .before_vec
  );

  ga2_tb_trace u_trace (
      .clk,
      .tracing(cfg_trace),
      .clear,
      .starts,
      .halted,
      .fault,
      .imem_addr,
      .req_valid,
      .req_addr,
      .wr_valid,
      .wr_addr,
      .wr_data,
      .cyc_mm,
      .cyc_dma,
      .cyc_vec,
      .retired,
      .retired_pc,
      .retired_opcode,
      .before_mm,
      .before_dma,
      .before_vec,
      .count  (trace_count),
      .batches(trace_batches)
  );

  ga2_protocol u_protocol (
      .clk,
      .rst,
      .start,
      .clear,
      .distrust,
      .ext_words(cfg_ext_words),
      .halted,
      .fault,
      .imem_addr,
      .imem_data,
      .req_valid,
      .req_addr,
      .resp_valid,
      .wr_valid,
      .wr_addr,
      .cyc_total,
      .cyc_mm,
      .cyc_dma,
      .cyc_vec,
      .n_inst,
      .state,
      .opcode,
      .starts,
      .failing  ()
  );

  ga2_tb_waves u_waves (
      .clk,
      .clear,
      .starts,
      .pass (cfg_wave_pass),
      .first(cfg_wave_first),
      .last (cfg_wave_last)
  );

`ifdef GA2_MIRRORS
  ga2_tb_mirrors u_mirrors ();
`endif

  ga2_tb_bare u_bare ();

endmodule

`resetall
