// Dumps every signal of the harness to the file that +waves=FILE names; a second top of Icarus builds.
// (Verilator's traced build dumps by itself.)
module ga2_waves;
  string waves;

  initial begin
    if ($value$plusargs("waves=%s", waves)) begin
      $dumpfile(waves);
      $dumpvars(0, ga2_tb);
    end
  end
endmodule
