"""Mutants of the sequencer."""

from __future__ import annotations

from refmodel.isa.timing import Unit
from verif.divergence.kind import DivergenceKind
from verif.qualification.mutant import Category, Expression, FirstDivergence, Mutant, Statement

_FILE = "ga2_sequencer.sv"

MUTANTS = (
    Mutant(
        "addition_length_from_c",
        Category.FAULT_DECISION,
        _FILE,
        (
            Expression(
                "(opcode == ga2_pkg::OpVectorAdd) ? instruction_q[67:52] : instruction_q[91:76]",
                "instruction_q[91:76]",
            ),
        ),
        "The length of VADD is checked in field c, its second source, so that a source at 0 faults.",
        ("vectors/vadd-doubling",),
        FirstDivergence(0, "VADD", Unit.VECTOR, DivergenceKind.FAULT_INSTEAD_OF_RUN),
    ),
    Mutant(
        "length_4096_runs",
        Category.FAULT_DECISION,
        _FILE,
        (Expression("length > 16'd4095", "length > 16'd4096"),),
        "A length of 4096 does not fault.",
        ("faults/rq-length-4096-first",),
        FirstDivergence(0, "RQ", None, DivergenceKind.RUN_INSTEAD_OF_FAULT),
    ),
    Mutant(
        "opcode_15_runs",
        Category.FAULT_DECISION,
        _FILE,
        (Expression("opcode[3]", "opcode[3] && (opcode != 4'd15)"),),
        "Operation code 15 does not fault and runs as AMAX.",
        ("faults/opcode-15-with-operands",),
        FirstDivergence(0, "opcode 15", None, DivergenceKind.RUN_INSTEAD_OF_FAULT),
    ),
    Mutant(
        "issue_of_halt_uncounted",
        Category.WRONG_COUNTER,
        _FILE,
        (
            Expression(
                "(state_q == StFetch) || (state_q == StIssue) || (state_q == StBusy)",
                "(state_q == StFetch) || ((state_q == StIssue) && !halt) || (state_q == StBusy)",
            ),
        ),
        "The ISSUE of HALT is not counted in cyc_total.",
        ("latencies/8-tour",),
        FirstDivergence(7, "HALT", None, DivergenceKind.COUNTER),
    ),
    Mutant(
        "pc_kept_at_start",
        Category.STALE_STATE,
        _FILE,
        (Statement("pc_q <= 16'd0;", "", prefix="state_q <= StFetch;\n              "),),
        "Reset alone clears the pc: a second program begins where the first one ended, here at a HALT.",
        ("latencies/8-tour", "vectors/vadd-doubling"),
        FirstDivergence(0, "VADD", Unit.VECTOR, DivergenceKind.END_WITH_EVENT_PENDING),
    ),
    Mutant(
        "fault_kept_at_start",
        Category.STALE_STATE,
        _FILE,
        (
            Statement("fault_q <= 1'b0;", "", prefix="pc_q <= 16'd0;\n              "),
            Statement("fault_q <= illegal;", "fault_q <= fault_q || illegal;"),
        ),
        "Reset alone clears the fault: it stays high from the start of a good program to its end.",
        ("faults/opcode-9-first", "latencies/8-tour"),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.RULE),
    ),
    Mutant(
        "fetch_until_the_word_repeats",
        Category.STALE_STATE,
        _FILE,
        (Statement("state_q <= StIssue;", "if (instruction_q == imem_data_i) state_q <= StIssue;"),),
        "FETCH lasts until the instruction register holds what stands at the port. The word stands there for "
        "one cycle, so the chip runs garbage, and the request due in the first busy cycle is missing.",
        ("latencies/8-loads",),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.MISSING),
        x_dependent=True,
    ),
    Mutant(
        "start_wins_over_reset_when_idle",
        Category.RESET_VALUE,
        "ga2_sequencer.sv",
        (Expression("rst_i", "rst_i && !(start_i && (state_q == StIdle))", prefix="if ("),),
        "From its second cycle on rst does not win over start: FETCH comes under it, and samples garbage.",
        ("surroundings/ld-rst-2-held",),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.FAULT_INSTEAD_OF_RUN),
    ),
    Mutant(
        "counters_survive_reset",
        Category.RESET_VALUE,
        _FILE,
        (Expression("rst_i || begin_program", "begin_program"),),
        "Reset does not clear the counters, only a start does: the idle chip shows old ones, and every event "
        "after the start is right.",
        ("vectors/amax-one-apart",),
        FirstDivergence(0, "AMAX", Unit.VECTOR, DivergenceKind.RULE),
        x_dependent=True,
    ),
    Mutant(
        "length_bit_13_ignored",
        Category.FAULT_DECISION,
        _FILE,
        (Expression("length > 16'd4095", "(length & 16'hdfff) > 16'd4095"),),
        "Bit 13 of a length is not compared, so that 5 + 8192 words run as 5.",
        ("single-bits/rq-length-bit-13",),
        FirstDivergence(0, "RQ", None, DivergenceKind.RUN_INSTEAD_OF_FAULT),
    ),
    Mutant(
        "rows_bit_5_ignored",
        Category.FAULT_DECISION,
        _FILE,
        (Expression("rows > 8'd4", "(rows & 8'hdf) > 8'd4"),),
        "Bit 5 of M is not compared, so that 4 + 32 rows run as 4.",
        ("single-bits/mm-m-36",),
        FirstDivergence(0, "MM", None, DivergenceKind.RUN_INSTEAD_OF_FAULT),
    ),
    Mutant(
        "carry_into_bit_9_sets_bit_8",
        Category.ADDRESS_WRAP,
        _FILE,
        (
            Statement(
                "pc_q <= pc_q + 16'd1;",
                "pc_q <= pc_q + "
                "(((pc_q[8:0] == 9'h1ff) && (opcode != ga2_pkg::OpVectorAdd)) ? 16'd257 : 16'd1);",
            ),
        ),
        "Behind pc 0x1ff comes 0x300, except after VADD, of which the longest programs are made.",
        ("pc/carries-of-4",),
        FirstDivergence(512, "ST", Unit.DMA, DivergenceKind.WRITE_OUTSIDE_TURN),
    ),
    Mutant(
        "held_start_lost",
        Category.STALE_STATE,
        _FILE,
        (
            Expression(
                "start_i && ((state_q == StIdle) || (state_q == StHalted))",
                "start_i && ((state_q == StIdle) || ((state_q == StHalted) && !instruction_q[0]))",
            ),
            Statement(
                "fault_q <= illegal;",
                "begin fault_q <= illegal; instruction_q[0] <= start_i; end",
            ),
        ),
        "A start that is held from before the halt is lost: only one that rises while halted is honoured.",
        ("control/held-start",),
        FirstDivergence(4, "HALT", None, DivergenceKind.START),
    ),
    Mutant(
        "start_lost_after_fault",
        Category.STALE_STATE,
        _FILE,
        (
            Expression(
                "start_i && ((state_q == StIdle) || (state_q == StHalted))",
                "start_i && ((state_q == StIdle) || ((state_q == StHalted) && !fault_q))",
            ),
        ),
        "After a fault no start is honoured, only a reset helps.",
        ("faults/opcode-9-first", "latencies/8-tour"),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.START),
    ),
    Mutant(
        "illegal_state_after_start_under_reset",
        Category.RESET_VALUE,
        _FILE,
        (
            Statement(
                "pc_q <= 16'd0;",
                "begin pc_q <= 16'd0; if (start_i) {state_q} <= 3'd7; end",
                prefix="state_q <= StIdle;\n        ",
            ),
        ),
        "After an edge with rst and start the sequencer is in none of its states for a cycle. A port "
        "shows it where start is high in that cycle: it is lost.",
        ("surroundings/ld-rst-2-held",),
        FirstDivergence(0, "LD", Unit.DMA, DivergenceKind.HANG),
    ),
    Mutant(
        "fault_in_one_fetch",
        Category.FAULT_DECISION,
        _FILE,
        (
            Expression(
                "fault_q", "fault_q || ((state_q == StFetch) && (pc_q == 16'd3))", prefix="assign fault_o = "
            ),
        ),
        "fault is high in one FETCH: no event shows it, only the check of that sentence.",
        ("latencies/8-tour",),
        FirstDivergence(3, "VADD", Unit.VECTOR, DivergenceKind.RULE),
    ),
)
