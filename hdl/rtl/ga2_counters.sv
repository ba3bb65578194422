// The five live counters: all cycles, busy cycles by kind of unit, completed instructions.
//
// A counter steps at the edge that ends the cycle it counts. No busy time is known here: a busy
// counter adds one for every cycle in which the sequencer waits for a unit of its kind, so each
// busy time is what the unit's own state machine took.
//
// cyc_total adds one each in FETCH, ISSUE and every busy cycle, hence the sum law
//   cyc_total = 2 * (n_inst + 1) + cyc_mm + cyc_dma + cyc_vec   once halted.

module ga2_counters (
    input  logic        clk_i,
    // What the cycle is. Never both of the first two.
    input  logic        clear_i,      // return all five to zero
    input  logic        running_i,    // FETCH, ISSUE or busy, and no reset
    input  logic        mm_i,         // a busy cycle of the matrix unit
    input  logic        dma_i,        // a busy cycle of DMA load or store
    input  logic        vec_i,        // a busy cycle of a vector unit
    input  logic        done_i,       // the last busy cycle of an instruction
    // The counters, 32 bits, wrapping.
    output logic [31:0] cyc_total_o,
    output logic [31:0] cyc_mm_o,
    output logic [31:0] cyc_dma_o,
    output logic [31:0] cyc_vec_o,
    output logic [31:0] n_inst_o
);

  always_ff @(posedge clk_i) begin
    if (running_i) begin
      cyc_total_o <= cyc_total_o + 32'd1;
      if (mm_i) cyc_mm_o <= cyc_mm_o + 32'd1;
      else if (dma_i) cyc_dma_o <= cyc_dma_o + 32'd1;
      else if (vec_i) cyc_vec_o <= cyc_vec_o + 32'd1;
      if (done_i) n_inst_o <= n_inst_o + 32'd1;
    end else if (clear_i) begin
      cyc_total_o <= 32'd0;
      cyc_mm_o <= 32'd0;
      cyc_dma_o <= 32'd0;
      cyc_vec_o <= 32'd0;
      n_inst_o <= 32'd0;
    end
  end

endmodule
