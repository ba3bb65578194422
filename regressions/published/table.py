"""The published table: its rows, what each must show, and the verdict on what was found.

A row of the first kind is one decoding of 32 tokens; a row of the second kind is one program, found among
those that the decodings ran. Figures come from `refmodel.published`, the measured side from any simulator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from refmodel.language.programs import ScaleMode
from refmodel.language.target import rule
from refmodel.published import figures
from sequences.decode_request import DecodeRequest
from sequences.program_record import ProgramRecord
from verif.loop_outcome import LoopOutcome

Value = int | str | bool | tuple[int, ...]

SECTIONS: dict[ScaleMode, str] = {"shape": "scales by program shape", "model": "scales by tensor role"}
"""Parts of the table, by how scales are planned."""

DECODING_FIGURES = ("accepted", "proposed", "blocks", "programs")
"""Figures that a decoding's report has by the same name; one that a row does not publish is not judged."""


@dataclass(frozen=True)
class Figure:
    """One published figure and what was found in its place."""

    name: str
    published: Value
    found: Value | None
    """None when there was nothing to find."""
    label: str = ""
    """How the table spells the published value, where it is too long to print."""

    @property
    def good(self) -> bool:
        """Whether the figure was reproduced exactly."""
        return self.found == self.published


@dataclass(frozen=True)
class Row:
    """One line of the table with its figures."""

    section: str
    name: str
    figures: tuple[Figure, ...]
    mismatches: tuple[str, ...] = ()
    """What the bench found wrong on the way, figures apart."""
    seconds: float = 0.0
    command: str = ""
    """The command with its options that does the same, the simulator apart; empty if there is none."""

    @property
    def good(self) -> bool:
        """Whether every figure was reproduced and nothing else is wrong."""
        return all(figure.good for figure in self.figures) and not self.mismatches


@dataclass(frozen=True)
class DecodingRow:
    """One published decoding: what to run, and what it must show."""

    request: DecodeRequest
    plain: bool
    published: Mapping[str, int]

    def judge(self, report: LoopOutcome, plain: LoopOutcome) -> Row:
        """Return the row for what was found; `plain` is the plain decoding of the same target."""
        found = {name: getattr(report, name) for name in DECODING_FIGURES}
        judged = [self._tokens(report, plain)]
        judged += [
            Figure(name, self.published[name], found[name]) for name in found if name in self.published
        ]
        judged.append(Figure("cycles", self.published["cycles"], report.counters.cyc_total))
        return Row(self.section, self.name, tuple(judged), report.mismatches, report.seconds, self.command)

    def failed(self, reason: str, seconds: float) -> Row:
        """Return the row for a decoding that did not end: nothing was found of what is published."""
        published = {name: self.published[name] for name in DECODING_FIGURES if name in self.published}
        published["cycles"] = self.published["cycles"]
        figures = tuple(Figure(name, value, None) for name, value in published.items())
        return Row(self.section, self.name, figures, (reason,), seconds, self.command)

    @property
    def section(self) -> str:
        """The part of the table it belongs to."""
        return SECTIONS[self.request.scales]

    @property
    def name(self) -> str:
        """What the row is about."""
        request = self.request
        target = (
            request.target if request.target == "structured" else f"{request.target} {request.target_seed}"
        )
        return f"{target}, plain" if self.plain else f"{target}, k = {request.k}, noise {request.noise:g}"

    @property
    def command(self) -> str:
        """The command with its options that decodes the same, the simulator apart."""
        request = self.request
        options: dict[str, object] = {"target": request.target, "target-seed": request.target_seed}
        if not self.plain:
            options |= {"k": request.k, "noise": f"{request.noise:g}", "draft-seed": request.draft_seed}
        options |= {"scales": request.scales, "tokens": request.tokens}
        options["prompt"] = ",".join(map(str, request.prompt))
        words = [f"--{name} {value}" for name, value in options.items()]
        return " ".join(["decode", *words, *(["--plain"] if self.plain else [])])

    def _tokens(self, report: LoopOutcome, plain: LoopOutcome) -> Figure:
        """Return the tokens beside the rule's or, without a rule, those that this chip decodes plainly."""
        if self.request.target != "structured":
            return Figure("tokens", plain.tokens, report.tokens, "plain")
        expected = [rule(self.request.prompt[-1])]
        while len(expected) < self.request.tokens:
            expected.append(rule(expected[-1]))
        return Figure("tokens", tuple(expected), report.tokens, "rule")


def decoding_rows() -> list[DecodingRow]:
    """Return the published decodings, those under `shape` scales first; the plain one leads each target."""
    published = figures()
    common = {"tokens": published["tokens"], "draft_seed": published["draft_seed"]}
    rows = []
    entries_by_mode: dict[ScaleMode, Any] = {"shape": published["runs"], "model": published["model_scales"]}
    for scales, entries in entries_by_mode.items():
        for entry in sorted(entries, key=_leading_first):
            request = DecodeRequest(
                target=entry["target"],
                target_seed=entry.get("target_seed", 1),
                k=entry.get("k", 3),
                noise=float(entry.get("noise", 0)),
                prompt=(published["start"],),
                scales=scales,
                **common,
            )
            plain = entry["mode"] == "plain"
            rows.append(DecodingRow(request, plain, entry))
    return rows


def _leading_first(entry: Mapping[str, Any]) -> tuple[bool, bool]:
    return entry["target"] != "structured", entry["mode"] != "plain"


def program_rows(records: Sequence[ProgramRecord]) -> list[Row]:
    """Return the rows of single programs, each judged on the first such program among `records`."""
    published = figures()
    verifier = published["verifier"]
    rows = []
    for context, cycles in published["verifier_cycles_m4"].items():
        record = _first(records, "verifier", int(context), verifier["m"])
        expected = {"cyc_total": cycles}
        if int(context) == verifier["c"]:
            expected |= {name: verifier[name] for name in ("cyc_mm", "cyc_dma", "cyc_vec", "n_inst")}
            expected |= {"words loaded": verifier["words_loaded"], **verifier["ops"]}
        rows.append(_program_row(f"verifier block, m = {verifier['m']}, c = {context}", expected, record))
    draft = _first(records, "draft", 0, 1)
    rows.append(_program_row("draft step", {"cyc_total": published["draft_cycles"]}, draft))
    for context, cycles in published["plain_cycles"].items():
        record = _first(records, "plain", int(context) - 1, 1)
        expected = {"cyc_total": cycles, "words loaded": published["plain_words_loaded"][context]}
        rows.append(_program_row(f"plain step, context {context}", expected, record))
    return rows


def _program_row(name: str, expected: Mapping[str, int], record: ProgramRecord | None) -> Row:
    found: dict[str, int] = {}
    if record is not None:
        found = {**asdict(record.counters), "words loaded": record.words_loaded, **record.operations}
    return Row(
        "single programs",
        name,
        tuple(Figure(figure, value, found.get(figure)) for figure, value in expected.items()),
    )


def _first(records: Sequence[ProgramRecord], kind: str, context: int, rows: int) -> ProgramRecord | None:
    shape = (kind, context, rows)
    return next((record for record in records if (record.kind, record.context, record.rows) == shape), None)
