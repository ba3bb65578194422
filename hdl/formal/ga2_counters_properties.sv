// docs/isa.md, "Counters are live": each counter steps by one at the edge that ends a cycle that it counts,
// in full 32 bits, is 0 after reset and start, and holds otherwise.

module ga2_counters_properties (
    input logic        clk_i,
    input logic        clear_i,
    input logic        running_i,
    input logic        mm_i,
    input logic        dma_i,
    input logic        vec_i,
    input logic        done_i,
    input logic [31:0] cyc_total_o,
    input logic [31:0] cyc_mm_o,
    input logic [31:0] cyc_dma_o,
    input logic [31:0] cyc_vec_o,
    input logic [31:0] n_inst_o
);

  logic valid_q, clear_q, running_q, mm_q, dma_q, vec_q, done_q;
  logic [31:0] total_q, mm_count_q, dma_count_q, vec_count_q, n_inst_q;
  logic cleared_q;
  initial valid_q = 1'b0;
  initial cleared_q = 1'b0;

  always_ff @(posedge clk_i) begin
    valid_q <= 1'b1;
    cleared_q <= cleared_q || clear_i;
    clear_q <= clear_i;
    running_q <= running_i;
    mm_q <= mm_i;
    dma_q <= dma_i;
    vec_q <= vec_i;
    done_q <= done_i;
    total_q <= cyc_total_o;
    mm_count_q <= cyc_mm_o;
    dma_count_q <= cyc_dma_o;
    vec_count_q <= cyc_vec_o;
    n_inst_q <= n_inst_o;
  end

  logic any_32;  // wider than a carry chain that were cut short
  assign any_32 = total_q[31:20] == 12'hfff && running_q;

  always_comb begin
    assume (!(clear_i && running_i));
    assume (!(mm_i && dma_i) && !(mm_i && vec_i) && !(dma_i && vec_i));
    if (valid_q) begin
      cyc_total_steps_clears_and_holds :
      assert (cyc_total_o == (clear_q ? 32'd0 : total_q + {31'd0, running_q}));
      cyc_mm_steps_clears_and_holds :
      assert (cyc_mm_o == (clear_q ? 32'd0 : mm_count_q + {31'd0, running_q && mm_q}));
      cyc_dma_steps_clears_and_holds :
      assert (cyc_dma_o == (clear_q ? 32'd0 : dma_count_q + {31'd0, running_q && dma_q}));
      cyc_vec_steps_clears_and_holds :
      assert (cyc_vec_o == (clear_q ? 32'd0 : vec_count_q + {31'd0, running_q && vec_q}));
      n_inst_steps_clears_and_holds :
      assert (n_inst_o == (clear_q ? 32'd0 : n_inst_q + {31'd0, running_q && done_q}));
    end
    carry_into_the_top_bits : cover (valid_q && any_32);
    all_three_kinds :
    cover (cleared_q && cyc_mm_o == 32'd1 && cyc_dma_o == 32'd1 && cyc_vec_o == 32'd1);
  end

endmodule
