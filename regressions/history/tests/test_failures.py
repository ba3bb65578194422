"""New, known, flaky, fixed or unseen, and since when: every answer is worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from regressions.history.database import opened
from regressions.history.failures import RecordedFailure, failures_of
from regressions.history.nights import find_night
from regressions.history.tests.conftest import MakeHistory
from regressions.history.tests.made_up import made_job, made_night
from verif.shell_line import command_line

Q, K = ("data", "q"), ("timing", "k")


def failing(name: str, bucket: tuple[str, str] = Q, **more: Any) -> dict[str, Any]:
    return made_job(name, "failed", bucket=bucket, **more)


def told(history_of: MakeHistory, nights: list[dict[str, Any]], name: str) -> list[RecordedFailure]:
    with opened(history_of(*nights)) as connection:
        return failures_of(connection, find_night(connection, name))


def states(failures: list[RecordedFailure]) -> dict[str, str]:
    return {each.signature.role: each.state.value for each in failures}


def test_the_first_night_has_only_new_failures(history_of: MakeHistory) -> None:
    (failure,) = told(history_of, [made_night("a", 1, [failing("x-0"), failing("x-1")])], "a")
    assert (failure.state, failure.jobs, failure.simulators) == ("new", ("x-0", "x-1"), ("icarus",))
    assert str(failure.signature) == "data, matrix, MM, q"
    assert (failure.since.name, failure.first_seen.name, failure.last_without) == ("a", "a", None)


def test_a_failure_is_known_since_the_first_night_in_a_row(history_of: MakeHistory) -> None:
    nights = [
        made_night("a", 1, [failing("x-0")]),
        made_night("b", 2, [made_job("x-0")]),
        made_night("c", 3, [failing("x-0")]),
        made_night("d", 4, [failing("x-1", seed=9)]),
        made_night("e", 5, [failing("x-0"), failing("y-0", K)]),
    ]
    failures = told(history_of, nights, "e")
    assert states(failures) == {"k": "new", "q": "known"}
    new, known = failures
    assert (known.since.name, known.first_seen.name) == ("c", "a")
    assert known.last_without is not None
    assert known.last_without.name == "b"
    assert known.since.revision.startswith("03")
    assert new.last_without is not None
    assert (new.since.name, new.last_without.name) == ("e", "d")


def test_the_order_of_import_does_not_matter(history_of: MakeHistory) -> None:
    nights = [made_night("b", 2, [failing("x-0")]), made_night("a", 1, [failing("x-0")])]
    (failure,) = told(history_of, nights, "b")
    assert (failure.state, failure.since.name) == ("known", "a")


@pytest.mark.parametrize(
    ("jobs", "state"),
    [
        ([made_job("x-0"), made_job("x-1")], "fixed"),
        ([made_job("x-0", fingerprint="does-x-1")], "fixed"),  # as a failed seed of an earlier night
        ([made_job("x-0"), failing("x-1", K)], "unseen"),
        ([made_job("x-0", "timeout"), made_job("x-1")], "unseen"),
        ([made_job("x-0", fingerprint="another seed")], "unseen"),
        ([made_job("y-0")], "unseen"),
    ],
)
def test_fixed_is_only_what_ran_again_and_passed(
    jobs: list[dict[str, Any]], state: str, history_of: MakeHistory
) -> None:
    nights = [made_night("a", 1, [failing("x-0"), failing("x-1")]), made_night("b", 2, jobs)]
    failures = told(history_of, nights, "b")
    assert states(failures)["q"] == state
    gone = failures[-1]
    assert (gone.since.name, gone.jobs) == ("a", ("x-0", "x-1"))


def test_flaky_is_what_passed_again_all_of_it(history_of: MakeHistory) -> None:
    flaky = made_job("x-0", "flaky", bucket=Q)
    nights = [made_night("a", 1, [flaky, made_job("y-0", "flaky", bucket=K), failing("y-1", K)])]
    assert states(told(history_of, nights, "a")) == {"q": "flaky", "k": "new"}


def test_a_flaky_failure_is_not_fixed_by_being_flaky(history_of: MakeHistory) -> None:
    nights = [
        made_night("a", 1, [failing("x-0")]),
        made_night("b", 2, [made_job("x-0", "flaky", bucket=K)]),
    ]
    assert states(told(history_of, nights, "b")) == {"k": "flaky", "q": "unseen"}


@pytest.mark.parametrize(
    "part", [{"filtered": True}, {"missing": ["x-0"]}, {"list": "smoke"}, {"chip": {"RTL": "my.f"}}]
)
def test_a_part_of_a_night_another_list_or_other_rtl_is_not_the_night_before(
    part: dict[str, Any], history_of: MakeHistory
) -> None:
    nights = [
        made_night("a", 1, [failing("x-0")]),
        made_night("part", 2, [made_job("y-0")], **part),
        made_night("c", 3, [failing("x-0")]),
    ]
    (failure,) = told(history_of, nights, "c")
    assert (failure.state, failure.since.name) == ("known", "a")


def test_another_list_may_have_seen_it_first(history_of: MakeHistory) -> None:
    nights = [
        made_night("s", 1, [failing("x-0")], list="smoke"),
        made_night("a", 2, [made_job("x-0")]),
        made_night("b", 3, [failing("x-0")]),
    ]
    (failure,) = told(history_of, nights, "b")
    assert (failure.state, failure.since.name, failure.first_seen.name) == ("new", "b", "s")


def test_a_stimulus_that_depends_on_its_initial_state_is_a_failure(history_of: MakeHistory) -> None:
    dependence = {
        "stimulus": "x",
        "jobs": ["x-0", "x-1"],
        "sentence": "x depends on its initial state",
        "reproduce": command_line("nightly", "x"),
    }
    states_differ = {"compared": 1, "dependent": [dependence]}
    jobs = [made_job("x-0"), made_job("x-1", simulator="verilator")]
    nights = [made_night("a", 1, jobs, initial_states=states_differ), made_night("b", 2, jobs)]
    (failure,) = told(history_of, nights, "a")
    assert str(failure.signature) == "initial state, x"
    assert (failure.state, failure.simulators) == ("new", ("icarus", "verilator"))
    with opened(history_of(*nights)) as connection:
        assert states(failures_of(connection, find_night(connection, "b"))) == {"x": "fixed"}


def test_an_earlier_night_is_answered_as_it_was_then(history_of: MakeHistory) -> None:
    nights = [
        made_night("a", 1, [failing("x-0")]),
        made_night("b", 2, [failing("x-0"), failing("y-0", K)]),
        made_night("c", 3, [made_job("x-0"), made_job("y-0")]),
        made_night("d", 4, [failing("y-0", K)]),
    ]
    failures = told(history_of, nights, "b")
    assert states(failures) == {"k": "new", "q": "known"}
    new, known = failures
    assert (known.since.name, known.last_without) == ("a", None)
    assert new.last_without is not None
    assert (new.since.name, new.last_without.name) == ("b", "a")
    first = told(history_of, nights, "a")
    assert states(first) == {"q": "new"}


def test_a_failure_is_not_there_since_a_part_of_a_night(history_of: MakeHistory) -> None:
    nights = [
        made_night("a", 1, [made_job("x-0")]),
        made_night("part", 2, [failing("x-0")], filtered=True),
        made_night("c", 3, [failing("x-0")]),
    ]
    (failure,) = told(history_of, nights, "c")
    assert (failure.since.name, failure.first_seen.name) == ("c", "part")
