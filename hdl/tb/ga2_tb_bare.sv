// Runs the harness without Python, to measure what the bench costs on top of it.
//
//   +bare=MANIFEST      one line a program: code file, image file (both for $readmemh), number of code
//                       words, ext_words, latency, how often to run it
//   +bare_limit=CYCLES  the watchdog of each run, 1000000 unless given
//
// Prints the cycles of each program and a total, and ends the simulation. It plays Python's part and
// writes the same registers of ga2_tb; without +bare it does nothing.
module ga2_tb_bare;

  logic [8*512-1:0] manifest, code_file, image_file;
  int unsigned code_words, ext_words, latency, repeats, limit;
  int unsigned programs, runs;
  longint unsigned cycles;
  int file, fields;

  initial begin
    if ($value$plusargs("bare=%s", manifest)) begin
      if (!$value$plusargs("bare_limit=%d", limit)) limit = 1_000_000;
      file = $fopen(manifest, "r");
      if (file == 0) $display("BARE error: cannot open the manifest");
      @(posedge ga2_tb.clk);  // every register has its initial value
      programs = 0;
      runs = 0;
      cycles = 0;
      fields = 6;
      while (file != 0 && fields == 6) begin
        fields = $fscanf(
            file,
            "%s %s %d %d %d %d",
            code_file,
            image_file,
            code_words,
            ext_words,
            latency,
            repeats
        );
        if (fields == 6) run_program();
      end
      $display("BARE programs=%0d runs=%0d cycles=%0d", programs, runs, cycles);
      $finish;
    end
  end

  task automatic run_program;
    $readmemh(code_file, ga2_tb.imem, 0, code_words - 1);
    $readmemh(image_file, ga2_tb.u_memory.words, 0, ext_words - 1);
    ga2_tb.cfg_code_words = code_words[12:0];
    ga2_tb.cfg_ext_words = ext_words[16:0];
    ga2_tb.cfg_latency = latency[11:0];
    ga2_tb.cfg_cycle_limit = limit;
    repeat (repeats) begin
      ga2_tb.run_id = ga2_tb.run_id + 1;
      wait (ga2_tb.done_id == ga2_tb.run_id);
      cycles = cycles + {32'd0, ga2_tb.cyc_total};
      runs   = runs + 1;
      if (ga2_tb.hung) $display("BARE error: program %0d hung", programs);
    end
    programs = programs + 1;
  endtask

endmodule
