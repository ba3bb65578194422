"""Which jobs a list becomes, and which of them are chosen."""

from __future__ import annotations

from typing import Any

import pytest

from refmodel.errors import Ga2Error
from regressions.choices import UnknownNameError
from regressions.nightly.seeds import derived_seed
from regressions.nightly.selection import (
    NothingSelectedError,
    SameNameError,
    jobs_of,
    require_names,
    selected,
)
from regressions.nightly.test_list import ListedTest


def listed(name: str, **fields: Any) -> ListedTest:
    defaults = {"test": "directed.DirectedTest", "timeout": 9.0, "parameters": {"seed": "$seed"}}
    return ListedTest(**{"name": name, **defaults, **fields})


A = listed("a", reseed=2, reason="r", tags=["t"])
B = listed("b", seeds=[7], reason="r", simulators=["verilator"], skip="broken")
X = listed("x", build="x-random", initial_states=2)


def test_a_list_becomes_jobs_in_its_order() -> None:
    jobs = jobs_of([A, B, X], 5)
    assert [job.name for job in jobs] == [
        *("a-000-icarus", "a-000-verilator", "a-001-icarus", "a-001-verilator"),
        "b-seed-7-verilator",
        *("x-000-icarus", "x-000-verilator-x0", "x-000-verilator-x1"),
    ]
    assert [job.seed for job in jobs[:5]] == [
        *[derived_seed(5, "a-000")] * 2,
        *[derived_seed(5, "a-001")] * 2,
        7,
    ]
    assert all(job.parameters == {"seed": job.seed} for job in jobs)
    assert jobs[4].skip == "broken"


def test_a_sweep_sends_the_same_from_different_initial_states() -> None:
    jobs = jobs_of([X], 5)
    assert len({job.seed for job in jobs}) == len({job.stimulus for job in jobs}) == 1
    assert len({job.initial_seed for job in jobs}) == 3


def test_seeds_do_not_depend_on_what_else_runs() -> None:
    alone = jobs_of([A], 5)
    among = jobs_of([X, B, A], 5)
    assert alone == [job for job in among if job.entry == "a"]
    assert selected(among, only="a-001") == alone[2:]
    assert {job.seed for job in jobs_of([A], 6)}.isdisjoint(job.seed for job in alone)


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"only": "a-000"}, ["a-000-icarus", "a-000-verilator"]),
        ({"only": "a*veri"}, ["a-000-verilator", "a-001-verilator"]),
        ({"tag": "t", "simulator": "icarus"}, ["a-000-icarus", "a-001-icarus"]),
        ({"simulator": "verilator", "only": "b"}, ["b-seed-7-verilator"]),
    ],
)
def test_filters(filters: dict[str, str], names: list[str]) -> None:
    assert [job.name for job in selected(jobs_of([A, B], 5), **filters)] == names


def test_a_whole_name_is_that_job_alone_though_others_hold_it() -> None:
    jobs = jobs_of([A, listed("initial-a", reseed=2, reason="r")], 5)
    assert [job.name for job in selected(jobs, only="a-000-icarus")] == ["a-000-icarus"]
    assert len(selected(jobs, only="a-000-icar")) == 2


@pytest.mark.parametrize(
    ("filters", "error", "message"),
    [
        ({"only": "z"}, NothingSelectedError, r"--only z: matches none of 5 jobs; --list shows them"),
        ({"only": "b", "simulator": "icarus"}, NothingSelectedError, r"--only b --sim icarus: matches none"),
        ({"tag": "tt"}, UnknownNameError, r"--tag: unknown name 'tt'; there are t; did you mean t\?"),
        ({"simulator": "verlator"}, UnknownNameError, r"did you mean verilator\?"),
    ],
)
def test_a_filter_that_means_nothing_is_an_error(
    filters: dict[str, str], error: type[Ga2Error], message: str
) -> None:
    with pytest.raises(error, match=message):
        selected(jobs_of([A, B], 5), **filters)


def test_two_jobs_of_one_name_are_refused() -> None:
    require_names(jobs_of([A, B, X], 5))
    tests = [listed("a", seeds=[100], reason="r"), listed("a-seed", reseed=101, reason="r")]
    with pytest.raises(SameNameError, match="2 jobs would be called a-seed-100-icarus; give every seed"):
        require_names(jobs_of(tests, 5))
