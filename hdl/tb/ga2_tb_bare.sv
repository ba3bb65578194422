// Runs the harness without Python, to measure what the bench costs on top of it.
//
//   +bare=MANIFEST      one line a program: code file, image file (both for $readmemh), number of code
//                       words, ext_words, latency, how often to run it
//   +bare_limit=CYCLES  the watchdog of each run, 1000000 unless given
//
// Prints how many programs, runs and cycles there were and ends the simulation. It plays Python's part
// and writes the same registers of ga2_tb; without +bare it does nothing.
module ga2_tb_bare;

  logic [8*512-1:0] manifest, code_file, image_file;
  int code_words, ext_words, latency, repeats, limit;
  int unsigned programs, runs;
  logic [63:0] cycles;
  int file;
  logic active;

  initial begin
    active   = 1'b0;
    programs = 0;
    runs     = 0;
    repeats  = 0;
    cycles   = '0;
    if ($value$plusargs("bare=%s", manifest)) begin
      active = 1'b1;
      if (!$value$plusargs("bare_limit=%d", limit)) limit = 1_000_000;
      file = $fopen(manifest, "r");
      if (file == 0) begin
        $display("BARE error: cannot open the manifest");
        $finish;
      end else begin
        next_run;
      end
    end
  end

  // One run has ended.
  always @(ga2_tb.done_id) begin
    if (active && ga2_tb.done_id != 0) begin
      runs   = runs + 1;
      cycles = cycles + {32'd0, ga2_tb.cyc_total};
      if (ga2_tb.hung) $display("BARE error: program %0d hung", programs);
      next_run;
    end
  end

  task static next_run;
    if (repeats == 0) load_program;
    if (repeats == 0) begin
      $display("BARE programs=%0d runs=%0d cycles=%0d", programs, runs, cycles);
      $finish;
    end else begin
      repeats = repeats - 1;
      ga2_tb.run_id <= ga2_tb.run_id + 1;
    end
  endtask

  // Loads the next line's program; leaves `repeats` 0 at the manifest's end.
  task static load_program;
    if ($fscanf(
            file,
            "%s %s %d %d %d %d",
            code_file,
            image_file,
            code_words,
            ext_words,
            latency,
            repeats
        ) == 6) begin
      programs = programs + 1;
      $readmemh(code_file, ga2_tb.u_program.words, 0, code_words - 1);
      $readmemh(image_file, ga2_tb.u_memory.words, 0, ext_words - 1);
      ga2_tb.cfg_code_words  <= code_words[16:0];
      ga2_tb.cfg_ext_words   <= ext_words[16:0];
      ga2_tb.cfg_latency     <= latency[11:0];
      ga2_tb.cfg_cycle_limit <= limit;
    end else begin
      repeats = 0;
    end
  endtask

endmodule
