"""A speculative decoding block by block: what was guessed, what stood, what it cost, where that leads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any

from refmodel.language.target import VOCABULARY
from refmodel.published import figures
from refmodel.speculative.verification import greedy_rows, verify_greedy
from regressions.published.table import Figure
from regressions.study.decodings import Decoding
from regressions.study.published import decoding_figures, figures_json
from sequences.decode_request import DecodeRequest
from sequences.program_record import ProgramRecord


@dataclass(frozen=True)
class StudiedBlock:
    """One block, and where the decoding stands after it."""

    cached: int
    """Rows in the cache before it."""
    last: int
    """The last committed token, which it starts with."""
    drafted: tuple[int, ...]
    choices: tuple[int, ...]
    """The target's own token after each of its rows."""
    accepted: int
    draft_cycles: int
    """Of all its draft steps."""
    verifier_cycles: int
    tokens: int
    """Tokens decoded so far; what the last block overshoots by is cut off."""
    cycles: int
    """Cycles so far."""
    plain_cycles: int
    """What plain decoding takes for as many tokens."""

    @property
    def next_token(self) -> int:
        """The target's token after the accepted guesses."""
        return self.choices[self.accepted]

    @property
    def emitted(self) -> tuple[int, ...]:
        """Tokens that it adds, what is cut off included."""
        return (*self.drafted[: self.accepted], self.next_token)

    @property
    def all_accepted(self) -> bool:
        """Whether its next token is a bonus, rather than the correction of a wrong guess."""
        return self.accepted == len(self.drafted)

    @property
    def speedup(self) -> float:
        """Over plain decoding, up to here."""
        return self.plain_cycles / self.cycles

    @property
    def tokens_a_kilocycle(self) -> float:
        """Tokens in 1,000 cycles, up to here."""
        return 1000 * self.tokens / self.cycles


@dataclass(frozen=True)
class BlockStudy:
    """All blocks of one decoding."""

    decoding: Decoding
    simulator: str
    blocks: tuple[StudiedBlock, ...]
    figures: tuple[Figure, ...]
    """Those that are published."""

    @property
    def request(self) -> DecodeRequest:
        """What was decoded."""
        return self.decoding.request

    @property
    def speedup(self) -> float:
        """Over plain decoding, at the end."""
        return self.blocks[-1].speedup

    def to_json(self) -> dict[str, Any]:
        """Return it as docs/studies.md describes it."""
        return {
            "study": "blocks",
            "simulator": self.simulator,
            "request": asdict(self.request),
            "tokens": list(self.decoding.speculative.tokens),
            "plain_tokens": list(self.decoding.plain.tokens),
            "equal": self.decoding.equal,
            "cycles": self.blocks[-1].cycles,
            "plain_cycles": self.blocks[-1].plain_cycles,
            "speedup": self.speedup,
            "blocks": [
                {
                    **asdict(block),
                    "next_token": block.next_token,
                    "all_accepted": block.all_accepted,
                    "tokens_a_kilocycle": block.tokens_a_kilocycle,
                    "speedup": block.speedup,
                }
                for block in self.blocks
            ],
            "published": figures_json(self.figures),
        }


def study_blocks(decoding: Decoding, simulator: str) -> BlockStudy:
    """Take a decoding apart; it starts from a single token and has neither stop tokens nor an empty draft."""
    blocks = tuple(_blocks(decoding))
    return BlockStudy(
        decoding, simulator, blocks, (*decoding_figures(decoding), *_chip_blocks(decoding, blocks))
    )


def _blocks(decoding: Decoding) -> Iterator[StudiedBlock]:
    plain = [0, *accumulate(record.counters.cyc_total for record in decoding.plain.records)]
    last, emitted, cycles = decoding.request.prompt[-1], 0, 0
    for drafts, verifier in _programs_by_block(decoding.speculative.records):
        drafted = tuple(record.choices[0] for record in drafts)
        accepted, next_token = verify_greedy(greedy_rows(verifier.choices, VOCABULARY), drafted)
        draft_cycles = sum(record.counters.cyc_total for record in drafts)
        cycles += draft_cycles + verifier.counters.cyc_total
        emitted += accepted + 1
        tokens = min(emitted, decoding.request.tokens)
        yield StudiedBlock(
            cached=verifier.context,
            last=last,
            drafted=drafted,
            choices=verifier.choices,
            accepted=accepted,
            draft_cycles=draft_cycles,
            verifier_cycles=verifier.counters.cyc_total,
            tokens=tokens,
            cycles=cycles,
            plain_cycles=plain[tokens],
        )
        last = next_token


def _programs_by_block(
    records: tuple[ProgramRecord, ...],
) -> Iterator[tuple[list[ProgramRecord], ProgramRecord]]:
    """Yield the draft steps and the verifier of each block."""
    drafts: list[ProgramRecord] = []
    for record in records:
        if record.kind == "verifier":
            yield drafts, record
            drafts = []
        else:
            drafts.append(record)


def _chip_blocks(decoding: Decoding, blocks: tuple[StudiedBlock, ...]) -> list[Figure]:
    """Return the first blocks of the random target where they are published: block, choices and accepted."""
    published = figures()
    if decoding.request != DecodeRequest(
        target="random",
        target_seed=1,
        k=3,
        noise=0.0,
        draft_seed=published["draft_seed"],
        tokens=published["tokens"],
        prompt=(published["start"],),
        scales="shape",
    ):
        return []
    return [
        Figure(
            f"block {number}",
            (*entry["block"], *entry["choices"], entry["accepted"]),
            (block.last, *block.drafted, *block.choices, block.accepted),
        )
        for number, (entry, block) in enumerate(
            zip(published["random_seed1_k3_chip_blocks"], blocks, strict=False), 1
        )
    ]
