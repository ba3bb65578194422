"""Makes a copy of the RTL that holds every mutant, each asleep until a plusarg or the bench selects it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from sequences.whole_file import locked
from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.mutant import Edit, Mutant
from verif.qualification.unique_text import MutationError, unique_place
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.simulation import KEEP_GOING

RTL = REPOSITORY / "hdl" / "rtl"
FILE_LIST = "ga2.f"

MIRRORS = "hdl/tb/ga2_tb_mirrors.sv"
"""What mirrors its memories in waves: a copy has the project's own hierarchy (sim.mk)."""

SELECTOR = "mutant_awake"
"""A register of the top module: the bench writes a mutant's number, or `NONE_AWAKE`. While it is 0, the
plusarg decides. It sets the switches by an event, since Verilator evaluates at every step whatever depends on
such a register by a continuous assignment."""

NONE_AWAKE = 0xFFFF

_TOP = "ga2.sv"

_PORT_LIST_END = re.compile(r"^\);$", re.MULTILINE)


def plusargs(name: str) -> tuple[str, ...]:
    """Return the arguments of a simulation that select a mutant.

    They silence the chip's own assertions, which would end the simulation before the bench could judge.
    """
    return (f"+{_selection(name)}", KEEP_GOING)


def write_mutated_rtl(
    directory: Path,
    mutants: Sequence[Mutant],
    generated: Sequence[GeneratedMutant] = (),
    *,
    at_run_time: bool = False,
) -> Path:
    """Write the copy into a directory, which is made if missing, and return its file list.

    With `at_run_time` the bench can select one mutant after another (`SELECTOR`), by `mutant_numbers`.
    Files that are right already stay untouched, and calls at the same time are safe. Raises MutationError for
    a name that begins another one, a `before` that does not occur exactly once, or edits that cut each other.
    """
    _check_names([*(mutant.name for mutant in mutants), *(mutant.name for mutant in generated)])
    unknown = {mutant.file for mutant in mutants} - {path.name for path in RTL.glob("*.sv")}
    if unknown:
        raise MutationError(f"no file {min(unknown)} in {RTL} to mutate")
    numbers = mutant_numbers([*mutants, *generated]) if at_run_time else {}
    texts = {
        path.name: mutated_text(
            path.read_text(encoding="utf-8"),
            [mutant for mutant in mutants if mutant.file == path.name],
            [mutant for mutant in generated if mutant.file == path.name],
            numbers,
        )
        for path in rtl_files()
    }
    if numbers:
        texts[_TOP] = _with_selector(texts[_TOP])
    directory.mkdir(parents=True, exist_ok=True)
    names = "".join(f"{name}\n" for name in texts)  # a list's paths may start at its own directory
    with locked(directory / ".lock"):
        for name, text in {**texts, FILE_LIST: names}.items():
            _write_if_changed(directory / name, text)
    return directory / FILE_LIST


def mutant_numbers(mutants: Sequence[Mutant | GeneratedMutant]) -> dict[str, int]:
    """Return what selects each mutant of a copy while a simulation runs, by name."""
    return {mutant.name: number for number, mutant in enumerate(mutants, 1)}


def mutated_text(
    source: str,
    mutants: Sequence[Mutant],
    generated: Sequence[GeneratedMutant] = (),
    numbers: Mapping[str, int] | None = None,
) -> str:
    """Return the text of one module with all of these mutants in it. Raises MutationError."""
    both: list[Mutant | GeneratedMutant] = [*mutants, *generated]
    if not both:
        return source
    found = [_place(source, mutant, edit) for mutant in mutants for edit in mutant.edits]
    known = [_Place(cut.begin, cut.end, each, cut.edit) for each in generated for cut in each.cuts]
    places = sorted([*found, *known], key=lambda place: (place.begin, -place.end))
    end = _PORT_LIST_END.search(source)
    if end is None:
        raise MutationError(f"{both[0].file} has no module whose port list ends with a line ');'")
    switches = "".join(_switch_declaration(mutant.name) for mutant in both)
    if numbers:
        switches += _selection_at_run_time({mutant.name: numbers[mutant.name] for mutant in both})
    body = _spliced(source, end.end(), len(source), places)
    return f"{source[: end.end()]}\n{switches}{body}"


@dataclass(frozen=True)
class _Place:
    """Where an edit stands in its file."""

    begin: int
    end: int
    mutant: Mutant | GeneratedMutant
    edit: Edit


def _place(source: str, mutant: Mutant, edit: Edit) -> _Place:
    text = edit.prefix + edit.before
    begin = unique_place(text, source, mutant.name, mutant.file) + len(edit.prefix)
    return _Place(begin, begin + len(edit.before), mutant, edit)


def _spliced(source: str, begin: int, end: int, places: Sequence[_Place]) -> str:
    """Return the text from `begin` to `end` with every edit applied.

    An edit may lie within another one, or at the very same place; then the first one decides.
    """
    parts: list[str] = []
    while places:
        outer, rest = places[0], places[1:]
        inner = [place for place in rest if place.begin < outer.end]
        for place in inner:
            if place.end > outer.end:
                names = f"{outer.mutant.name} and {place.mutant.name}"
                raise MutationError(f"mutants {names} cut each other in {outer.mutant.file}")
        kept = _spliced(source, outer.begin, outer.end, inner)
        parts += [source[begin : outer.begin], outer.edit.selected(_switch(outer.mutant.name), kept)]
        begin, places = outer.end, rest[len(inner) :]
    return "".join([*parts, source[begin:end]])


def _switch(name: str) -> str:
    return f"mutant_{name}"


def _selection(name: str) -> str:
    return f"mutant={name}"


def _switch_declaration(name: str) -> str:
    switch = _switch(name)
    return f'  logic {switch};\n  initial {switch} = $test$plusargs("{_selection(name)}") != 0;\n'


def _selection_at_run_time(numbers: Mapping[str, int]) -> str:
    selector = f"ga2_tb.dut.{SELECTOR}"
    chosen = (f"    {_switch(name)} = {selector} == 16'd{number};\n" for name, number in numbers.items())
    return f"  always @({selector}) if ({selector} != 16'd0) begin\n{''.join(chosen)}  end\n"


def _with_selector(top: str) -> str:
    """Return the top module with the selector in it; Verilator keeps it visible."""
    end = _PORT_LIST_END.search(top)
    assert end is not None, "the top module has been mutated, so it has a port list"
    declaration = f"\n  logic [15:0] {SELECTOR} /*verilator public_flat_rw*/ = 16'd0;"
    return f"{top[: end.end()]}{declaration}{top[end.end() :]}"


def _check_names(unsorted: Sequence[str]) -> None:
    """Refuse names of which one begins another: $test$plusargs would select both."""
    names = sorted(unsorted)
    for name in names:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            raise MutationError(f"mutant {name!r}: a name has small letters, digits and underscores only")
    for name, following in pairwise(names):  # sorted: a beginning stands right before
        if following.startswith(name):
            raise MutationError(f"mutants {name} and {following}: no name may begin another")


def rtl_files() -> Iterator[Path]:
    """Yield the files of the chip in compile order."""
    for line in (RTL / FILE_LIST).read_text(encoding="utf-8").splitlines():
        yield REPOSITORY / line


def _write_if_changed(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
