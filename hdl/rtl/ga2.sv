// GA2: int8 inference accelerator. One sequencer runs one instruction at a time to completion.
//
//              imem                    ext reads            ext writes
//               |                          |                    ^
//           sequencer --turn--> LD  MM  RQ  SM  VADD  AMAX  ST--'
//               |                \   \   \   |   /    /    /
//           counters                 scratchpad (one read port, one write port)
//
// The unit in its turn owns both scratchpad ports. Exactly one unit has the turn while the
// sequencer is busy, none otherwise. docs/isa.md describes what software sees, the header of each
// unit where its busy time comes from.

module ga2 (
    input  logic         clk,
    input  logic         rst,
    // Control.
    input  logic         start,
    output logic         halted,
    output logic         fault,
    // Program memory, answered in the same cycle.
    output logic [ 15:0] imem_addr,
    input  logic [127:0] imem_data,
    // External memory reads.
    output logic         req_valid,
    output logic [ 15:0] req_addr,
    input  logic         resp_valid,
    input  logic [ 31:0] resp_data,
    // External memory writes.
    output logic         wr_valid,
    output logic [ 15:0] wr_addr,
    output logic [ 31:0] wr_data,
    // Counters.
    output logic [ 31:0] cyc_total,
    output logic [ 31:0] cyc_mm,
    output logic [ 31:0] cyc_dma,
    output logic [ 31:0] cyc_vec,
    output logic [ 31:0] n_inst
);

  // Short names for the indices of the unit vectors.
  localparam int Ld = int'(ga2_pkg::OpLoad);
  localparam int St = int'(ga2_pkg::OpStore);
  localparam int Mm = int'(ga2_pkg::OpMatMul);
  localparam int Rq = int'(ga2_pkg::OpRequantize);
  localparam int Sm = int'(ga2_pkg::OpSoftmax);
  localparam int Va = int'(ga2_pkg::OpVectorAdd);
  localparam int Am = int'(ga2_pkg::OpArgMax);

  // ---- Sequencer and counters ----

  logic [127:0] instruction;
  logic [7:1] turn, wake, working, done;
  logic any_done, clear, running, fetch, busy, legal;

  assign wake = turn | {7{rst}};
  assign any_done = |done;

  ga2_sequencer u_sequencer (
      .clk_i        (clk),
      .rst_i        (rst),
      .start_i      (start),
      .halted_o     (halted),
      .fault_o      (fault),
      .imem_addr_o  (imem_addr),
      .imem_data_i  (imem_data),
      .instruction_o(instruction),
      .turn_o       (turn),
      .done_i       (any_done),
      .clear_o      (clear),
      .running_o    (running),
      .fetch_o      (fetch),
      .busy_o       (busy),
      .legal_o      (legal)
  );

  logic mm_cycle, dma_cycle, vec_cycle;
  assign mm_cycle  = busy && turn[Mm];
  assign dma_cycle = busy && (turn[Ld] || turn[St]);
  assign vec_cycle = busy && (turn[Rq] || turn[Sm] || turn[Va] || turn[Am]);

  ga2_counters u_counters (
      .clk_i      (clk),
      .clear_i    (clear),
      .running_i  (running),
      .mm_i       (mm_cycle),
      .dma_i      (dma_cycle),
      .vec_i      (vec_cycle),
      .done_i     (any_done),
      .cyc_total_o(cyc_total),
      .cyc_mm_o   (cyc_mm),
      .cyc_dma_o  (cyc_dma),
      .cyc_vec_o  (cyc_vec),
      .n_inst_o   (n_inst)
  );

  // ---- Instruction fields (docs/isa.md) ----

  logic [15:0] field_a, field_b, field_c;
  logic [23:0] field_d;
  logic [ 5:0] field_e;
  logic [7:0] field_f, field_g, field_h;
  logic [ 3:0] field_fl;
  logic [17:0] field_x;

  assign field_a  = instruction[123:108];
  assign field_b  = instruction[107:92];
  assign field_c  = instruction[91:76];
  assign field_d  = instruction[75:52];
  assign field_e  = instruction[51:46];
  assign field_f  = instruction[45:38];
  assign field_g  = instruction[37:30];
  assign field_h  = instruction[29:22];
  assign field_fl = instruction[21:18];
  assign field_x  = instruction[17:0];

  // The sequencer gives a unit the turn only for lengths and tile sizes in range, so the bits above
  // the range are 0 there; reserved bits mean nothing.
  logic unused_fields;
  assign unused_fields = ^{
    field_a[15:12],
    field_c[15:12],
    field_f[7:3],
    field_g[7],
    field_h[7:3],
    field_fl[3:1],
    field_x[17:12],
    instruction[127:124]
  };

  // ---- Scratchpad and the choice of its ports ----

  logic scratchpad_read, scratchpad_write;
  logic [11:0] scratchpad_read_addr, scratchpad_write_addr;
  logic [31:0] scratchpad_read_data, scratchpad_write_data;

  logic [7:1] read, write;
  logic [11:0] st_read_addr, mm_read_addr, rq_read_addr, sm_read_addr, va_read_addr, am_read_addr;
  logic [11:0]
      ld_write_addr, mm_write_addr, rq_write_addr, sm_write_addr, va_write_addr, am_write_addr;
  logic [31:0] ld_write_data, mm_write_data, rq_write_data, va_write_data;
  logic [16:0] sm_write_data;
  logic [11:0] am_write_data;

  assign read[Ld] = 1'b0;
  assign write[St] = 1'b0;

  assign scratchpad_read = |read;
  assign scratchpad_read_addr =
      turn[Mm] ? mm_read_addr :
      turn[St] ? st_read_addr :
      turn[Rq] ? rq_read_addr :
      turn[Sm] ? sm_read_addr :
      turn[Va] ? va_read_addr :
      am_read_addr;

  assign scratchpad_write = |write;
  assign scratchpad_write_addr =
      turn[Mm] ? mm_write_addr :
      turn[Ld] ? ld_write_addr :
      turn[Rq] ? rq_write_addr :
      turn[Sm] ? sm_write_addr :
      turn[Va] ? va_write_addr :
      am_write_addr;
  assign scratchpad_write_data =
      turn[Mm] ? mm_write_data :
      turn[Ld] ? ld_write_data :
      turn[Rq] ? rq_write_data :
      turn[Sm] ? {15'd0, sm_write_data} :
      turn[Va] ? va_write_data :
      {20'd0, am_write_data};

  ga2_scratchpad u_scratchpad (
      .clk_i       (clk),
      .read_i      (scratchpad_read),
      .read_addr_i (scratchpad_read_addr),
      .read_data_o (scratchpad_read_data),
      .write_i     (scratchpad_write),
      .write_addr_i(scratchpad_write_addr),
      .write_data_i(scratchpad_write_data)
  );

  // ---- Units ----

  ga2_dma_load u_dma_load (
      .clk_i       (clk),
      .rst_i       (rst),
      .wake_i      (wake[Ld]),
      .dst_i       (field_a[11:0]),
      .src_i       (field_b),
      .length_i    (field_c[11:0]),
      .working_o   (working[Ld]),
      .done_o      (done[Ld]),
      .req_valid_o (req_valid),
      .req_addr_o  (req_addr),
      .resp_valid_i(resp_valid),
      .resp_data_i (resp_data),
      .write_o     (write[Ld]),
      .write_addr_o(ld_write_addr),
      .write_data_o(ld_write_data)
  );

  ga2_dma_store u_dma_store (
      .clk_i      (clk),
      .rst_i      (rst),
      .wake_i     (wake[St]),
      .src_i      (field_a[11:0]),
      .dst_i      (field_b),
      .length_i   (field_c[11:0]),
      .working_o  (working[St]),
      .done_o     (done[St]),
      .read_o     (read[St]),
      .read_addr_o(st_read_addr),
      .read_data_i(scratchpad_read_data),
      .wr_valid_o (wr_valid),
      .wr_addr_o  (wr_addr),
      .wr_data_o  (wr_data)
  );

  ga2_matrix_unit u_matrix_unit (
      .clk_i        (clk),
      .rst_i        (rst),
      .wake_i       (wake[Mm]),
      .dst_i        (field_a[11:0]),
      .a_i          (field_b[11:0]),
      .b_i          (field_c[11:0]),
      .rows_i       (field_f[2:0]),
      .depth_i      (field_g[6:0]),
      .columns_i    (field_h[2:0]),
      .transpose_b_i(field_fl[0]),
      .stride_a_i   (field_d[11:0]),
      .stride_b_i   (field_d[23:12]),
      .stride_c_i   (field_x[11:0]),
      .working_o    (working[Mm]),
      .done_o       (done[Mm]),
      .read_o       (read[Mm]),
      .read_addr_o  (mm_read_addr),
      .read_data_i  (scratchpad_read_data[7:0]),
      .write_o      (write[Mm]),
      .write_addr_o (mm_write_addr),
      .write_data_o (mm_write_data)
  );

  ga2_requantizer u_requantizer (
      .clk_i       (clk),
      .rst_i       (rst),
      .wake_i      (wake[Rq]),
      .dst_i       (field_a[11:0]),
      .src_i       (field_b[11:0]),
      .length_i    (field_c[11:0]),
      .multiplier_i(field_d),
      .shift_i     (field_e),
      .relu_i      (field_fl[0]),
      .working_o   (working[Rq]),
      .done_o      (done[Rq]),
      .read_o      (read[Rq]),
      .read_addr_o (rq_read_addr),
      .read_data_i (scratchpad_read_data),
      .write_o     (write[Rq]),
      .write_addr_o(rq_write_addr),
      .write_data_o(rq_write_data)
  );

  ga2_softmax u_softmax (
      .clk_i       (clk),
      .rst_i       (rst),
      .wake_i      (wake[Sm]),
      .dst_i       (field_a[11:0]),
      .src_i       (field_b[11:0]),
      .length_i    (field_c[11:0]),
      .working_o   (working[Sm]),
      .done_o      (done[Sm]),
      .read_o      (read[Sm]),
      .read_addr_o (sm_read_addr),
      .read_data_i (scratchpad_read_data[15:0]),
      .write_o     (write[Sm]),
      .write_addr_o(sm_write_addr),
      .write_data_o(sm_write_data)
  );

  ga2_vector_add u_vector_add (
      .clk_i       (clk),
      .rst_i       (rst),
      .wake_i      (wake[Va]),
      .dst_i       (field_a[11:0]),
      .src1_i      (field_b[11:0]),
      .src2_i      (field_c[11:0]),
      .length_i    (field_d[11:0]),
      .working_o   (working[Va]),
      .done_o      (done[Va]),
      .read_o      (read[Va]),
      .read_addr_o (va_read_addr),
      .read_data_i (scratchpad_read_data[7:0]),
      .write_o     (write[Va]),
      .write_addr_o(va_write_addr),
      .write_data_o(va_write_data)
  );

  ga2_argmax u_argmax (
      .clk_i       (clk),
      .rst_i       (rst),
      .wake_i      (wake[Am]),
      .dst_i       (field_a[11:0]),
      .src_i       (field_b[11:0]),
      .length_i    (field_c[11:0]),
      .working_o   (working[Am]),
      .done_o      (done[Am]),
      .read_o      (read[Am]),
      .read_addr_o (am_read_addr),
      .read_data_i (scratchpad_read_data),
      .write_o     (write[Am]),
      .write_addr_o(am_write_addr),
      .write_data_o(am_write_data)
  );

`ifndef SYNTHESIS
  logic [7:1] access;
  assign access = read | write | {5'd0, wr_valid, req_valid};

  ga2_invariants u_invariants (
      .clk_i      (clk),
      .rst_i      (rst),
      .legal_i    (legal),
      .fetch_i    (fetch),
      .busy_i     (busy),
      .halted_i   (halted),
      .turn_i     (turn),
      .working_i  (working),
      .access_i   (access),
      .cyc_total_i(cyc_total),
      .cyc_mm_i   (cyc_mm),
      .cyc_dma_i  (cyc_dma),
      .cyc_vec_i  (cyc_vec),
      .n_inst_i   (n_inst)
  );
`endif

endmodule
