// A chip that honours reset and start and then never ends: what the watchdog is for.
module ga2 (
    input  logic         clk,
    input  logic         rst,
    input  logic         start,
    output logic         halted,
    output logic         fault,
    output logic [ 15:0] imem_addr,
    input  logic [127:0] imem_data,
    output logic         req_valid,
    output logic [ 15:0] req_addr,
    input  logic         resp_valid,
    input  logic [ 31:0] resp_data,
    output logic         wr_valid,
    output logic [ 15:0] wr_addr,
    output logic [ 31:0] wr_data,
    output logic [ 31:0] cyc_total,
    output logic [ 31:0] cyc_mm,
    output logic [ 31:0] cyc_dma,
    output logic [ 31:0] cyc_vec,
    output logic [ 31:0] n_inst
);

  // The scratchpad, by another name and in another place than that of the real chip
  logic [31:0] words[4096];
  logic running;

  assign {halted, fault, imem_addr, req_valid, req_addr, wr_valid, wr_addr, wr_data} = '0;
  assign {cyc_mm, cyc_dma, cyc_vec, n_inst} = '0;

  always_ff @(posedge clk) begin
    if (rst) begin
      running   <= 1'b0;
      cyc_total <= '0;
    end else begin
      running <= running | start;
      if (running) cyc_total <= cyc_total + 32'd1;
      words[cyc_total[11:0]] <= cyc_total;
    end
  end

endmodule
