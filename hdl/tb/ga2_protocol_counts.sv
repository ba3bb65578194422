// How often each check of ga2_protocol looked and failed, in simulation.
//
// A check has three numbers: how often it looked, how often it failed, and the first wrong cycle (FETCH of pc 0 is
// cycle 1; 0 is before the start). The bench compares how often a check looked with how often it must have, so a
// check that never ran is a failure too. ga2_protocol calls the tasks; nothing here wakes by itself.
module ga2_protocol_counts;

  logic [31:0] n_checked[ga2_rules::Checks];
  logic [31:0] n_failed[ga2_rules::Checks];
  logic [31:0] first_failure[ga2_rules::Checks];

  task static look(input logic [5:0] check);
    n_checked[check] = n_checked[check] + 32'd1;
  endtask

  task static look_often(input logic [5:0] check, input logic [31:0] times);
    n_checked[check] = n_checked[check] + times;
  endtask

  // The checks of every cycle look once at each; they are added when a program ends.
  task static add_program(input logic [31:0] cycles, input logic [31:0] words,
                          input logic [31:0] retired);
    look_often(ga2_rules::CheckKnown, cycles);
    look_often(ga2_rules::CheckPcStays, cycles);
    look_often(ga2_rules::CheckRunning, cycles);
    look_often(ga2_rules::CheckCounterTotal, cycles);
    look_often(ga2_rules::CheckCounterMm, cycles);
    look_often(ga2_rules::CheckCounterDma, cycles);
    look_often(ga2_rules::CheckCounterVec, cycles);
    look_often(ga2_rules::CheckCounterInst, cycles);
    look_often(ga2_rules::CheckValidsLow, cycles);
    look_often(ga2_rules::CheckFetchSamples, words);
    look_often(ga2_rules::CheckFetchIssueTime, words);
    look_often(ga2_rules::CheckPcAdvances, retired);
    look_often(ga2_rules::CheckLegalRuns, retired);
  endtask

  // An instruction has retired, behind which `pc` comes.
  task static add_instruction(input logic [3:0] opcode, input logic [15:0] length,
                              input logic [15:0] pc);
    look(ga2_rules::CheckLoadTime - 6'd1 + {2'd0, opcode});
    if (pc == 16'd0) look(ga2_rules::CheckPcWraps);
    if (opcode == ga2_rules::OpLoad) begin
      look_often(ga2_rules::CheckLoadRequests, {16'd0, length});
      look_often(ga2_rules::CheckLoadAddresses, {16'd0, length});
      look_often(ga2_rules::CheckRequestBound, {16'd0, length});
      look_often(ga2_rules::CheckResponseAsked, {16'd0, length});
    end
    if (opcode == ga2_rules::OpStore) begin
      look_often(ga2_rules::CheckStoreWrites, {16'd0, length});
      look_often(ga2_rules::CheckStoreAddresses, {16'd0, length});
      look_often(ga2_rules::CheckWriteBound, {16'd0, length});
    end
  endtask

  // Adds the failures of a cycle.
  task static record(input logic [ga2_rules::Checks-1:0] failing, input logic [31:0] cycle);
    for (int check = 0; check < ga2_rules::Checks; check++) begin
      if (failing[check]) begin
        if (n_failed[check] == 0) first_failure[check] = cycle;
        n_failed[check] = n_failed[check] + 32'd1;
      end
    end
  endtask

  task static clear;
    for (int check = 0; check < ga2_rules::Checks; check++) begin
      n_checked[check] = '0;
      n_failed[check] = '0;
      first_failure[check] = '0;
    end
  endtask

endmodule
