"""Lists of jobs: what is refused, jobs in pieces and joined again, the cheapest pieces, the standing list."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from regressions.closing.base import RANDOM_JOBS, base_jobs
from regressions.closing.job import Job
from regressions.closing.job_list import CLOSING_LIST, JobListError, load_jobs, save_jobs
from regressions.closing.job_runner import JobRunner
from regressions.closing.piece import Piece, pieces_of
from regressions.closing.pieces import group_of, join, split, weights_of
from regressions.closing.progress import ClosingProgress
from regressions.closing.reduction import cheapest, joined
from regressions.closing.standing_list import ListError, proven_list
from regressions.coverage.set_cover import cheapest_cover
from regressions.coverage.summary import summarize
from regressions.tests.conftest import CommandLine
from regressions.tests.coverage_databases import database
from regressions.tests.coverage_databases import run as run_of
from regressions.tests.fake_campaign import ALL, MODEL, FakeChip, closing
from sequences.directed import GROUPS
from sequences.random_programs import random_programs, with_predecessors
from verif.coverage.database import BinHits, RunHits
from verif.simulation.plain_path import REPOSITORY

JOB = (
    '[[job]]\nname = "a"\nsimulator = "icarus"\ntest = "decode.DecodeTest"\n'
    "parameters = { decodings = [{ request = {}, speculative = false }] }\n"
)


def test_lists_are_read_as_they_were_written(tmp_path: Path) -> None:
    jobs = list(base_jobs(3))
    save_jobs(tmp_path / "list.toml", ["Told of it"], jobs)
    assert (tmp_path / "list.toml").read_text(encoding="utf-8").startswith("# Told of it\n\n[[job]]\n")
    assert load_jobs(tmp_path / "list.toml") == [
        Job(job.name, job.simulator, job.test, _plain(job.parameters)) for job in jobs
    ]


def _plain(value: Any) -> Any:
    """Return tuples as lists, as TOML and JSON know them."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[job]\n", "toml:1: is not TOML"),
        ("", "there is no \\[\\[job\\]\\] in it"),
        ("job = 3\n", "there is no \\[\\[job\\]\\] in it"),
        (JOB.replace("[[job]]", "[[jobs]]"), "unknown name 'jobs'.*did you mean job\\?"),
        (
            JOB.replace("simulator", "simulater"),
            "job 1 \\(a\\): key: unknown name 'simulater'.*mean simulator\\?",
        ),
        (JOB.replace("icarus", "icaros"), "simulator: unknown name 'icaros'.*did you mean icarus\\?"),
        (
            JOB.replace("DecodeTest", "DecodTest"),
            "unknown name 'decode.DecodTest'.*mean decode.DecodeTest\\?",
        ),
        (JOB.replace("decodings", "decoding"), "no parameter 'decoding'; did you mean decodings\\?"),
        (JOB.replace("false", "3"), "decodings.0.speculative: Input should be a valid boolean, not 3"),
        (
            JOB.replace("decode.DecodeTest", "random_graphs.RandomGraphTest").replace(
                "decodings = [{ request = {}, speculative = false }]", "seed = 1, count = 2"
            ),
            "needs parameter 'seeds' in this list",
        ),
        (JOB.replace('test = "decode.DecodeTest"\n', ""), "job 1 \\(a\\): test: Field required"),
        (JOB.replace('"a"', '"../a"'), "job 1 \\(../a\\): name: String should match"),
        (JOB + JOB, "two jobs are called a; rename one"),
    ],
)
def test_damaged_lists_are_refused(
    tmp_path: Path, command_line: CommandLine, text: str, message: str
) -> None:
    path = tmp_path / "list.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(JobListError, match=message):
        load_jobs(path)
    outcome = command_line("close", "--list", path)
    assert (outcome.status, outcome.output) == (2, "")
    assert str(path) in outcome.error


def test_a_list_that_is_not_there(tmp_path: Path, command_line: CommandLine) -> None:
    outcome = command_line("close", "--list", tmp_path / "none.toml")
    assert outcome.status == 2
    assert "none.toml: cannot be read: No such file or directory" in outcome.error
    outcome = command_line("close", "--list", CLOSING_LIST, "--resume")
    assert (outcome.status, "leave out --resume" in outcome.error) == (2, True)


def test_random_programs_are_split_where_one_begins_with_a_scratchpad_of_its_own() -> None:
    job = Job("j", "verilator", "random_programs.RandomProgramTest", {"seed": 1, "only": list(range(16))})
    parts = [part.parameters["only"] for part in split(job)]
    assert [number for part in parts for number in part] == list(range(16))
    assert len(parts) > 3
    for part in parts:
        first, *rest = random_programs(1, part)
        assert first.scratchpad is not None or first.number % 8 == 0
        assert all(program.scratchpad is None for program in rest)


def test_what_was_split_is_joined_again() -> None:
    for job in list(base_jobs(1))[RANDOM_JOBS - 1 :]:  # the others differ in their programs alone
        parts = list(split(job))
        assert len({group_of(part) for part in parts}) == 1
        whole = join(job.name, parts)
        if "only" in job.parameters:
            needed = with_predecessors(1, job.parameters["only"], weights_of(job))
            assert whole.parameters["only"] == list(needed)
        else:
            assert whole == job
    one, other = (
        Job("", "verilator", "directed.DirectedTest", {"groups": ["order"], "seed": n}) for n in (1, 2)
    )
    assert group_of(one) != group_of(other)


def test_a_piece_hits_what_the_model_tells_of_it_as_far_as_the_whole_job_did() -> None:
    job = Job("j", "verilator", "directed.DirectedTest", {"groups": ["requantizer", "resets"], "seed": 1})
    (shift,) = MODEL["rq_shift"].named("37", "relu").tolist()
    (unseen,) = MODEL["rq_shift"].named("38", "relu").tolist()
    (reset,) = MODEL["reset_state"].named("FETCH").tolist()
    names = [program.name for program in GROUPS["resets"](1)]
    hits = RunHits(99, {shift: BinHits(1, "x"), reset: BinHits(1, names[0])})
    requantizer, resets = pieces_of(job, hits, 1, MODEL)
    assert shift in requantizer.bins
    assert unseen not in requantizer.bins
    assert reset not in requantizer.bins
    assert reset in resets.bins, "the model knows nothing of rst, but its first hit was by a program of these"
    assert (requantizer.job.parameters["groups"], resets.programs) == (["requantizer"], len(names))


def piece(what: str, hits: set[int], cycles: int = 1, simulator: str = "verilator") -> Piece:
    """Return one group of directed programs."""
    job = Job("j", simulator, "directed.DirectedTest", {"groups": [what], "seed": 1})
    return Piece(job, frozenset(hits), cycles, 1)


def test_the_cheapest_pieces_are_taken() -> None:
    pieces = [piece("a", {1, 2, 3}, 10**7), piece("b", {1, 2}), piece("c", {3}), piece("d", {2})]
    assert cheapest(pieces, MODEL) == [pieces[1], pieces[2]]
    (job,) = joined(cheapest(pieces, MODEL))
    assert (job.name, job.parameters["groups"]) == ("verilator-directed", ["b", "c"])


def test_control_is_hit_on_icarus_too() -> None:
    control = set(MODEL["reset_state"].named("FETCH").tolist())
    other = set(MODEL["rq_shift"].named("37", "relu").tolist())
    pieces = [
        piece("a", control | other),
        piece("b", other, 10**6, simulator="icarus"),
        piece("c", control, simulator="icarus"),
    ]
    assert cheapest(pieces, MODEL) == [pieces[0], pieces[2]]


def test_a_group_costs_something_of_its_own() -> None:
    sets = [{1}, {1, 2}, {2}]
    assert cheapest_cover(sets, [1, 3, 1]) == [0, 2]
    assert cheapest_cover(sets, [1, 3, 1], ["x", "y", "z"], group_cost=5) == [1]
    assert cheapest_cover([], []) == []


def listing(directory: Path, monkeypatch: pytest.MonkeyPatch, hits: dict[str, frozenset[int]]) -> JobRunner:
    """Return a runner whose jobs hit what is told by their groups, joined by commas."""
    chip = FakeChip(directory, {})

    def simulate(runner: JobRunner, job: Job) -> None:
        chip.hits[job.name] = frozenset[int]().union(*(hits[each] for each in job.parameters["groups"]))
        chip.simulate(runner, job)

    monkeypatch.setattr(JobRunner, "_simulate", simulate)
    return JobRunner(1, directory, MODEL, 1, ClosingProgress(Console(quiet=True)), code_coverage=False)


def test_what_a_piece_does_not_hit_after_all_is_taken_from_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    relu, idle = ("fused_relu", "a fused relu"), ("start_honoured", "idle")
    covered = summarize(database({run_of("t"): [relu, idle]}), MODEL)
    (one,), (two,) = (MODEL[item].named(name).tolist() for item, name in (relu, idle))
    pieces = [piece("a", {one, two}), piece("b", {one, two}, 100)]
    runner = listing(tmp_path, monkeypatch, {"a": frozenset({one}), "b": frozenset({one, two})})
    with runner.progress:
        (job,) = proven_list(pieces, covered, runner)
    assert job.parameters["groups"] == ["b"]
    runner = listing(tmp_path, monkeypatch, {"a": frozenset({one}), "b": frozenset({one})})
    with runner.progress, pytest.raises(ListError, match="missed bins"):
        proven_list(pieces, covered, runner)


def test_the_standing_list_is_one_of_both_simulators_and_small() -> None:
    jobs = load_jobs()
    assert {job.simulator for job in jobs} == {"icarus", "verilator"}
    assert len(jobs) <= 10
    assert CLOSING_LIST.is_relative_to(REPOSITORY)


def test_sample_of_the_standing_list_runs_on_both_simulators(
    tmp_path: Path, command_line: CommandLine
) -> None:
    wanted = "icarus-random-programs", "verilator-protocol"
    jobs = [job for job in load_jobs() if job.name in wanted]
    assert tuple(job.name for job in jobs) == wanted
    save_jobs(tmp_path / "sample.toml", [], jobs)
    outcome = command_line("close", "--list", tmp_path / "sample.toml")
    assert outcome.status == 1, "these two hit some bins, not all"
    assert "in 2 runs that passed" in outcome.output
    (hit,) = re.findall(rf"(\d+) of {sum(item.bins for item in MODEL):,} bins", outcome.output)
    assert int(hit) > 200


@pytest.mark.slow  # minutes; nothing else shows that a new item made the list too small
def test_the_standing_list_covers_everything(command_line: CommandLine) -> None:
    outcome = command_line("close", "--list", CLOSING_LIST)
    assert outcome.status == 0, outcome.output + outcome.error
    bins = sum(item.bins for item in MODEL)
    assert f"{bins:,} of {bins:,} bins (100.0 %)" in outcome.output


def test_standing_list_that_misses_a_goal_is_a_mismatch_that_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command_line: CommandLine
) -> None:
    """As after a new item, whose bins no job of the list hits."""
    missed = MODEL["fused_relu"].first
    closing(tmp_path, monkeypatch, {job.name: ALL - {missed} for job in load_jobs()})
    monkeypatch.setattr("regressions.commands.close.build", lambda *_, **__: None)
    outcome = command_line("close", "--list", CLOSING_LIST)
    assert outcome.status == 1
    assert "fused_relu" in outcome.output
    last = outcome.output.splitlines()[-1]
    assert last.endswith("misses goals; make it anew: python -m regressions close --write-list")
