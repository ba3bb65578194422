// External memory: in-order reads after a latency chosen at run time, writes that are never refused.
//
//   cycle t        request on req_valid/req_addr
//   cycle t + LAT  its answer on resp_valid/resp_data, at most one a cycle, up to 4095 outstanding
//
// A program's own limit is ext_words: a read beyond it is answered with 0 and a write is dropped, so
// that the chip finishes; the checks report both. rst drops every outstanding read and takes none.
//
// While resp_valid is low resp_data holds garbage, another word after each row of responses; it follows from `seed`.
//
// With `strays` not 0, `stray` is high in about every fourth cycle, in bus_mode too: a response that answers nothing,
// which the harness passes on where the chip must ignore it.
//
// With bus_mode high the read side is silent and a bus driver answers instead; writes are still taken.
//
// The block sleeps unless there is something to do, so `cycle` counts only the cycles in which it is awake.
module ga2_tb_memory
  import ga2_tb_pkg::*;
(
    input logic        clk,
    input logic        rst,
    input logic        clear,      // a new run begins: the garbage starts from the seed
    input logic [31:0] seed,       // not 0
    input logic [11:0] latency,
    input logic [16:0] ext_words,
    input logic        bus_mode,
    input logic [31:0] strays,     // 0, or the seed

    output logic stray,

    input  logic        req_valid,
    input  logic [15:0] req_addr,
    output logic        resp_valid,
    output logic [31:0] resp_data,

    input logic        wr_valid,
    input logic [15:0] wr_addr,
    input logic [31:0] wr_data
);

  logic [31:0] words[65536];

  // Outstanding reads: address and the cycle in which the answer is due.
  logic [15:0] queue_addr[4096];
  logic [12:0] queue_due[4096];
  logic [11:0] head, tail;
  logic [12:0] cycle;
  logic        pending;
  logic [31:0] noise, stray_noise;

  wire traffic = (req_valid | wr_valid) === 1'b1;
  wire awake = rst | clear | strays != 0 | stray | traffic | resp_valid | pending;

  initial begin
    head = '0;
    tail = '0;
    cycle = '0;
    pending = 1'b0;
    resp_valid = 1'b0;
    resp_data = '1;
    noise = 32'h2545_f491;
    stray = 1'b0;
    stray_noise = 32'h2545_f491;
  end

  always @(posedge clk) begin
    if (awake) begin
      if (wr_valid === 1'b1 && {1'b0, wr_addr} < ext_words) words[wr_addr] <= wr_data;

      if (rst) begin
        head = tail;
      end else if (req_valid === 1'b1 && !bus_mode) begin
        queue_addr[tail] = req_addr;
        queue_due[tail] = cycle + {1'b0, latency};
        tail = tail + 12'd1;
      end

      cycle = cycle + 13'd1;
      if (head != tail && queue_due[head] == cycle) begin
        resp_valid <= 1'b1;
        resp_data  <= {1'b0, queue_addr[head]} < ext_words ? words[queue_addr[head]] : '0;
        head = head + 12'd1;
      end else begin
        resp_valid <= 1'b0;
        if (resp_valid || clear || strays != 0) stir;
      end
      stray <= strays != 0 && stray_noise[1:0] == 2'd0;
      if (strays != 0) stray_noise = clear ? strays : stirred(stray_noise);
      pending <= head != tail;
    end
`ifndef VERILATOR
    wait (awake);
`endif
  end

  task static stir;
    noise = clear ? seed : stirred(noise);
    resp_data <= noise;
  endtask

endmodule
