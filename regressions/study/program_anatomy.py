"""What one program of a target is made of: instructions, and cycles by unit, stage and phase."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from refmodel.capra.program import Program
from refmodel.isa.instructions import Load, Opcode
from refmodel.isa.timing import busy_parts
from refmodel.machine.decoded_program import decode_program
from refmodel.machine.result import Counters
from regressions.study.step_programs import bundle_of
from regressions.timeline.accounts import lane_accounts, subject_accounts
from regressions.timeline.lane import Lane
from regressions.timeline.timeline import timeline_of

STAGES: dict[str, tuple[str, ...]] = {
    "weights": ("wq", "wk", "wv", "wo", "w1", "w2", "wout"),
    "embeddings and cache": ("x", "kc", "vc"),
    "queries, keys, values": ("q", "k_new", "v_new"),
    "scores and softmax": ("scores", "probabilities"),
    "weighted values": ("attn",),
    "output projection": ("projected", "h"),
    "feed-forward": ("before_relu", "ffn", "y"),
    "logits and tokens": ("logits", "tok"),
    "HALT": ("HALT",),
}
"""The tensors of a layer by the stage that makes them; loads and stores belong to what they move."""


@dataclass(frozen=True)
class ProgramAnatomy:
    """What one program, or several after each other, are made of."""

    counters: Counters
    instructions: Counter[str]
    """By mnemonic, HALT included."""
    lanes: Counter[Lane]
    """Cycles by who spends them; all cycles are here."""
    stages: Counter[str]
    """Cycles by stage; all cycles are here."""
    matrix_parts: Counter[str]
    """Cycles of the matrix unit by the phases of an MM."""
    words_loaded: int


def program_anatomy(program: Program) -> ProgramAnatomy:
    """Take a program of a target apart."""
    bundle = bundle_of(program)
    timeline = timeline_of(bundle, "")
    instructions = decode_program(bundle.code, bundle.read_latency).instructions
    stage_of = {tensor: stage for stage, tensors in STAGES.items() for tensor in tensors}
    stages: Counter[str] = Counter()
    for account in subject_accounts(timeline):
        stages[stage_of[account.subject.name]] += account.cycles
    parts: Counter[str] = Counter()
    for instruction in instructions:
        if instruction.opcode == Opcode.MM:
            for part in busy_parts(instruction, bundle.read_latency):
                parts[part.name] += part.cycles
    return ProgramAnatomy(
        counters=timeline.end.counters,
        instructions=Counter([Opcode(each.opcode).name for each in instructions] + [Opcode.HALT.name]),
        lanes=Counter({account.lane: account.cycles for account in lane_accounts(timeline)}),
        stages=stages,
        matrix_parts=parts,
        words_loaded=sum(each.length for each in instructions if isinstance(each, Load)),
    )
