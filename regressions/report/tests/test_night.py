"""Which night is reported, what is read of it, and what is told first."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.history.database import HistoryError
from regressions.history.recording import record_nights
from regressions.history.tests.made_up import made_job, made_night, write_night
from regressions.nightly.night import Night, begin_night, plan_now
from regressions.nightly.place import find_place
from regressions.nightly.result import JobResult, Status, write_result
from regressions.nightly.tests.fakes import job
from regressions.report.failures import failures_of_night, gone
from regressions.report.glance import first_thing, problem_lines
from regressions.report.remembered import Remembered, remember
from regressions.report.summary import read_reported
from regressions.report.tests.made_site import edited, failing_night
from regressions.report.trend_charts import coverage_chart, duration_chart
from verif.shell_line import command_line


def begun(nights: Path, list_name: str = "smoke") -> Night:
    return begin_night(plan_now(list_name, 5, (job("a-0"), job("b-0"))), nights)


def result(night: Night, name: str, status: Status = Status.PASSED) -> Path:
    (found,) = (each for each in night.plan.jobs if each.name == name)
    write_result(night.directory / "results", JobResult(found, status, "", 3, 40))
    return night.directory / "results" / f"{name}.json"


def test_a_night_is_found_by_directory_name_and_as_the_last(tmp_path: Path) -> None:
    older, newer = begun(tmp_path).directory, begun(tmp_path, "weekly").directory
    os.utime(older / "night.json", (1, 1))
    (tmp_path / "no night").mkdir()
    assert find_place(str(older), None, tmp_path) == older
    assert find_place(older.name, None, tmp_path) == older
    assert find_place("last", None, tmp_path) == newer
    assert find_place("last", "smoke", tmp_path) == older
    imported = write_night(tmp_path, made_night("far", 3, [made_job("x")]))
    assert find_place("last", None, tmp_path) == imported, "a summary alone is a night too"


def test_an_unknown_night_is_one_message_with_the_nearest_name(tmp_path: Path) -> None:
    night = begun(tmp_path).directory
    with pytest.raises(Ga2Error, match=rf"no night .*did you mean {night.name}\?"):
        find_place(night.name[:-1], None, tmp_path)
    with pytest.raises(Ga2Error, match="there is no night of list weekly"):
        find_place("last", "weekly", tmp_path)
    with pytest.raises(Ga2Error, match="--list chooses the last night of a list"):
        find_place(night.name, "smoke", tmp_path)
    with pytest.raises(Ga2Error, match=r"there is no night yet; run one: make -C .* nightly"):
        find_place("last", None, tmp_path / "none")


def test_a_night_without_a_summary_is_told_so_far(tmp_path: Path) -> None:
    night = begun(tmp_path)
    result(night, "a-0")
    found = read_reported(night.directory)
    assert not found.ended
    assert found.summary.statuses["passed"] == 1
    assert (found.summary.programs, found.summary.comparisons) == (3, 40)
    assert found.summary.missing == ("b-0",)
    assert found.summary.tools == {}
    first = first_thing(found, [], [])
    assert first.command == command_line("nightly", "--resume", night.directory)


def test_a_night_without_any_result_says_what_to_do(tmp_path: Path) -> None:
    night = begun(tmp_path)
    with pytest.raises(Ga2Error, match="no job of this night has a result yet; wait for it, or go on"):
        read_reported(night.directory)


def test_a_damaged_result_is_named(tmp_path: Path) -> None:
    night = begun(tmp_path)
    result(night, "a-0")
    path = result(night, "b-0")
    path.write_text(path.read_text()[:40], encoding="utf-8")
    with pytest.raises(Ga2Error, match=r"results/b-0\.json is damaged, or of another job; remove it"):
        read_reported(night.directory)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text[:100], "is not a whole summary of format ga2-night-summary/1: Invalid JSON"),
        (
            lambda text: text.replace("summary/1", "summary/9"),
            "format: Input should be 'ga2-night-summary/1'",
        ),
        (lambda text: text.replace('"statuses"', '"states"'), "statuses: Field required"),
    ],
)
def test_a_damaged_summary_is_one_message(tmp_path: Path, damage: object, message: str) -> None:
    night = failing_night(tmp_path)
    path = night / "summary.json"
    path.write_text(damage(path.read_text()), encoding="utf-8")  # type: ignore[operator]
    with pytest.raises(Ga2Error) as told:
        read_reported(night)
    assert message in str(told.value)
    assert f"write it again: {command_line('nightly', '--resume', night)}" in str(told.value)


def test_what_is_first(night: Path, tmp_path: Path) -> None:
    found = read_reported(night)
    remembered = remember(tmp_path / "history.sqlite", found.summary.night)
    failures = failures_of_night(found, remembered)
    states = {str(each.signature): each.state and each.state.value for each in failures}
    assert states == {"data, matrix, MM, q": "known", "killed, matrix, MM, it was killed": "new"}
    known = first_thing(found, failures, gone(remembered))
    assert known.words.startswith("What fails was there before.")
    assert (known.command, known.link) == (command_line("reproduce", "x"), "#failure-1")
    unheard = first_thing(found, failures_of_night(found, Remembered("x")), [])
    assert unheard.words.startswith("Something fails.")
    assert next(problem_lines(found.summary)) == (
        "2 jobs failed: something differs from the model, the chip hangs, or nothing was compared"
    )
    assert list(problem_lines(found.summary))[-1].startswith("1 without a result")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"drifts": ["x took 3 cycles, but 2 before"]}, "Cycle counts moved."),
        ({"missing": ["good-000-icarus"]}, "1 job has no result."),
        ({"problems": ["nothing was compared"]}, "Look into this: nothing was compared."),
        ({"warnings": ["icarus runs at 50%"]}, "Throughput dropped"),
        ({}, "Nothing: all is good."),
    ],
)
def test_without_failures_something_else_is_first(
    tmp_path: Path, fields: dict[str, object], words: str
) -> None:
    night = write_night(tmp_path, made_night("n", 1, [made_job("good-000-icarus")]))
    assert first_thing(read_reported(edited(night, **fields)), [], []).words.startswith(words)


def test_a_picture_is_found_wherever_the_night_was_moved_to(night: Path, tmp_path: Path) -> None:
    moved = night.rename(tmp_path / "moved")
    first, second = failures_of_night(read_reported(moved), Remembered("x"))
    assert first.picture == moved / "failures/icarus-bad-1/window.png"
    assert second.picture is None


def test_trends_end_with_the_night(tmp_path: Path, night: Path) -> None:
    history = tmp_path / "history.sqlite"
    last = remember(history, night.name)
    assert [point.night.name for point in last.points] == ["nightly-20270102T020000-made", night.name]
    assert last.before == last.points[0].night
    first = remember(history, "nightly-20270102T020000-made")
    assert [point.night.name for point in first.points] == ["nightly-20270102T020000-made"]
    assert first.before is None
    assert "does not have this night" in remember(history, "other").unknown


def test_curves_of_coverage_and_time_leave_out_parts_of_a_list(tmp_path: Path) -> None:
    nights = [
        made_night("whole", 1, [made_job("x")]),
        made_night("part", 2, [made_job("x")], filtered=True, coverage={"hit": 1, "bins": 1000}),
    ]
    record_nights(tmp_path / "history.sqlite", [write_night(tmp_path, each) for each in nights])
    points = remember(tmp_path / "history.sqlite", "part").points
    assert [point.night.whole for point in points] == [True, False]
    for charts, last in ((points[:1], "coverage 90"), (points, "nothing")):
        assert f"the last: {last}" in coverage_chart(charts, None).svg
    assert "the last: nothing" in duration_chart(points, None).svg


def test_a_directory_is_no_history(tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match="is not a regular file"):
        remember(tmp_path, "n")
