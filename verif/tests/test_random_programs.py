"""Constrained-random programs on both simulators."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from refmodel.machine.machine import Machine
from sequences.directed.directed_program import DirectedProgram
from sequences.random_programs import RandomProgram, load_weights, random_programs, with_predecessors
from sequences.random_programs.legality import defined_after, nothing_defined
from sequences.random_programs.weights import SHORT_WEIGHTS
from verif.scoreboard.expected_run import expected_run
from verif.series.program_identity import StimulusDigest
from verif.tests.conftest import Simulate

MANY = {"icarus": 400, "verilator": 4000}
"""In `make test-all`: as the default weights have them, a minute or two."""


@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param(range(80), id="first"),
        pytest.param(range(80, 200), id="further", marks=pytest.mark.slow("icarus")),
    ],
)
def test_short_random_programs(simulate: Simulate, seed: int, numbers: range) -> None:
    """They come in series of eight, so that neither part reads what the other one leaves."""
    only, weights = list(numbers), str(SHORT_WEIGHTS)
    report = simulate("random_programs.RandomProgramTest", seed=seed, only=only, weights=weights)
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert report.programs == len(numbers)
    made_here = random_programs(seed, numbers, load_weights(SHORT_WEIGHTS))
    assert report.payload["stimulus"] == digest_of(made_here), "a seed means other programs in there"


def digest_of(programs: Iterable[RandomProgram]) -> str:
    """Return the digest of programs made in this process; both simulators must have been sent just these."""
    digest = StimulusDigest()
    for program in programs:
        digest.add(DirectedProgram(program.name, program.bundle(), program.stimulus))
    return digest.hexdigest()


@pytest.mark.slow
def test_many_random_programs(simulate: Simulate, simulator: str, seed: int) -> None:
    count = MANY[simulator]
    report = simulate("random_programs.RandomProgramTest", timeout=1500.0, seed=seed, count=count)
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert report.programs == count


def test_chosen_programs_run_after_those_that_they_read_from(simulate: Simulate, seed: int) -> None:
    only = [5, 21, 43]
    report = simulate("random_programs.RandomProgramTest", seed=seed, only=only)
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    numbers = with_predecessors(seed, only)
    assert report.programs == len(numbers)
    assert report.payload["stimulus"] == digest_of(random_programs(seed, numbers))


def test_no_program_is_no_good_run(simulate: Simulate, seed: int) -> None:
    report = simulate("random_programs.RandomProgramTest", seed=seed, count=0)
    assert (report.passed, report.error_kind) == (False, "input")
    assert report.error == "RandomProgramTest: count: Input should be greater than or equal to 1, not 0"


def test_bad_weights_are_bad_input(simulate: Simulate, tmp_path: Path) -> None:
    path = tmp_path / "weights.toml"
    path.write_text("[matrix]\nk = 3", encoding="utf-8")
    report = simulate("random_programs.RandomProgramTest", seed=1, count=1, weights=str(path))
    assert not report.passed
    assert report.error_kind == "input"
    told = f"weights {path}: matrix.k is 3, expected an array of bins {{ weight, from, to }}"
    assert report.error == f"RandomProgramTest: weights: {told}"


@pytest.mark.parametrize("weights", [None, SHORT_WEIGHTS])
def test_a_strict_machine_takes_every_program(seed: int, weights: Path | None) -> None:
    """And knows of every word that the generator takes for defined, resets and restarts included."""
    machine, defined = Machine(strict=True), nothing_defined()
    chosen = None if weights is None else load_weights(weights)
    exact, compared = True, 0
    for program in random_programs(seed, range(240), chosen):
        if program.number % 8 == 0:
            machine.reset_scratchpad()
            defined = nothing_defined()
        exact |= program.number % 8 == 0 or program.scratchpad is not None
        result = expected_run(machine, program.bundle(), program.stimulus).result
        defined = defined_after(program, defined)
        assert not (defined & ~result.defined).any()
        assert result.stray_ext_accesses == 0
        exact &= program.stimulus.extra_start is None or program.stimulus.reset_cycle is None
        if exact:
            compared += 1
            assert (defined == result.defined).all()
    assert compared > 200
