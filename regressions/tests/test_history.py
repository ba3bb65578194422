"""`history` from the command line, on nights that never ran."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from regressions.history.database import HISTORY_VARIABLE
from regressions.history.tests.made_up import made_job, made_night, write_night
from regressions.tests.conftest import CommandLine
from verif.shell_line import command_line as regressions_line

pytestmark = pytest.mark.usefixtures("history")

STANDING: dict[str, Any] = {"tags": ["standing"]}
LONG = "shapes-shape-more-000-verilator"

NIGHTS = [
    made_night(
        "nightly-20270101T020000-aaaa",
        1,
        [made_job("t-0", cycles=268346, **STANDING), made_job(LONG, "failed", bucket=("data", "attention"))],
    ),
    made_night(
        "nightly-20270102T020000-bbbb",
        2,
        [
            made_job("t-0", cycles=268350, **STANDING),
            made_job(LONG),
            made_job("x-0", "failed", bucket=("timing", "q"), machine="there"),
        ],
        commit="c0ffee0123456789-dirty",
    ),
]


@pytest.fixture
def history(tmp_path: Path, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the history of two nights, which commands find by themselves."""
    path = tmp_path / "history.sqlite"
    monkeypatch.setenv(HISTORY_VARIABLE, str(path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TZ", "UTC")
    places = [write_night(tmp_path / "nights", night) for night in NIGHTS]
    done = command_line("history", "import", *places)
    assert (done.status, done.output) == (0, f"2 nights are new in {path}, 0 were there\n")
    return path


def asked(command_line: CommandLine, tmp_path: Path, *arguments: object) -> tuple[str, dict[str, Any]]:
    """Return what a question answers, as text and as JSON."""
    answer = tmp_path / "answer.json"
    told = command_line("history", *arguments, "--json", answer)
    assert (told.status, told.error) == (0, "")
    document: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
    return told.output, document


def test_nights(command_line: CommandLine, tmp_path: Path) -> None:
    text, document = asked(command_line, tmp_path, "nights")
    assert max(map(len, text.splitlines())) <= 80
    assert "c0ffee01-dirty" in text
    assert [(each["name"], each["statuses"]) for each in document["nights"]] == [
        ("nightly-20270101T020000-aaaa", {"failed": 1, "passed": 1}),
        ("nightly-20270102T020000-bbbb", {"failed": 1, "passed": 2}),
    ]


def test_failures(command_line: CommandLine, tmp_path: Path) -> None:
    text, document = asked(command_line, tmp_path, "failures")
    assert text.splitlines()[1:] == [
        "new: timing, matrix, MM, q; 1 job on icarus",
        "    since 2027-01-02 01:00, commit c0ffee01-dirty; last without it: commit 01234567",
        "    first divergence: q is wrong",
        f"    see it again: {regressions_line('reproduce', 'x')}",
        "fixed: data, matrix, MM, attention; 1 job on icarus",
        "    since 2027-01-01 01:00, commit 01234567",
    ]
    new, fixed = document["failures"]
    assert (new["state"], new["kind"], new["jobs"]) == ("new", "timing", ["x-0"])
    assert new["last_without"]["name"] == NIGHTS[0]["night"]
    assert (fixed["state"], fixed["role"], fixed["last_without"]) == ("fixed", "attention", None)
    text, _ = asked(command_line, tmp_path, "failures", "--night", NIGHTS[0]["night"])
    assert text.splitlines()[1] == "new: data, matrix, MM, attention; 1 job on icarus"


def test_a_night_without_failures_says_so(command_line: CommandLine, tmp_path: Path) -> None:
    alone, both = [made_job("t-0")], [made_job("t-0"), made_job("u-0", None)]
    for night, told in (
        (made_night("s", 3, alone), "nothing fails; there is no whole night before it"),
        (made_night("t", 4, alone), "nothing fails, nor did the night before"),
        (
            made_night("u", 5, both, missing=["u-0"]),
            "nothing of the part that ran fails, nor did the night before",
        ),
    ):
        path = write_night(tmp_path, night | {"list": "smoke"})
        assert command_line("history", "import", path).status == 0
        text, document = asked(command_line, tmp_path, "failures", "--list", "smoke")
        assert text.splitlines()[1] == told
        assert document == {"night": night["night"], "failures": []}


def test_whose_rtl_it_was_is_told(command_line: CommandLine, tmp_path: Path) -> None:
    night = made_night("r", 6, [made_job("t-0")]) | {"list": "smoke", "chip": {"RTL": "my/files.f"}}
    assert command_line("history", "import", write_night(tmp_path, night)).status == 0
    for question in ("failures", "trends"):
        text, _ = asked(command_line, tmp_path, question, "--list", "smoke")
        assert text.count("RTL=my/files.f") == 1


def test_trends(command_line: CommandLine, tmp_path: Path) -> None:
    text, document = asked(command_line, tmp_path, "trends")
    assert max(map(len, text.splitlines())) <= 80
    assert "90.00 %" in text
    assert [line.split()[0] for line in text.splitlines() if "nightly" in line][:2] == ["nightly"] * 2
    change = "t-0: 268,346 → 268,350 cycles in nightly-20270102T020000-bbbb, commit c0ffee01-dirty"
    assert f"{change} (not accepted)" in " ".join(text.split())
    assert [each["coverage"] for each in document["nights"]] == [90.0, 90.0]
    assert document["nights"][0]["speeds"] == [
        {
            "simulator": "icarus",
            "build": "optimized",
            "machine": "here",
            "cycles_per_second": 268346.0,
            "programs_per_second": 10.0,
        }
    ]
    assert document["cycles"][0]["after"] == 268350
    accepted = command_line("history", "accept", NIGHTS[1]["night"], "--reason", "LD is longer")
    assert accepted.output == f"later nights must have the cycle counts of {NIGHTS[1]['night']}\n"
    text, _ = asked(command_line, tmp_path, "trends")
    assert "(accepted: LD is longer)" in " ".join(text.split())


def test_a_job(command_line: CommandLine, tmp_path: Path) -> None:
    text, document = asked(command_line, tmp_path, "job", "x-0")
    assert max(map(len, text.splitlines())) <= 80
    assert "x-0 has not passed since 2027-01-02 01:00, commit c0ffee01-dirty: word 3" in " ".join(
        text.split()
    )
    assert document["failing_since"]["night"] == NIGHTS[1]["night"]
    text, document = asked(command_line, tmp_path, "job", LONG, "--last", 1)
    assert f"{LONG} is passed" in text
    assert (document["failing_since"], len(document["runs"])) == (None, 1)


def test_a_night_as_markdown(command_line: CommandLine, tmp_path: Path) -> None:
    told = command_line("history", "markdown", tmp_path / "nights" / NIGHTS[1]["night"])
    assert (told.status, told.error) == (0, "")
    lines = told.output.splitlines()
    assert lines[0] == "## ❌ nightly: NOT good"
    assert any(line.startswith(r"### new\: ") for line in lines)


@pytest.mark.parametrize(("content", "why"), [(None, "there is no history"), ("x", "is damaged")])
def test_without_a_history_markdown_tells_the_rest(
    content: str | None, why: str, tmp_path: Path, command_line: CommandLine
) -> None:
    history, night = tmp_path / "other.sqlite", tmp_path / "nights" / NIGHTS[1]["night"]
    if content is not None:
        history.write_text(content * 100, encoding="utf-8")
    told = command_line("history", "markdown", night, "--history", history)
    assert told.status == 0
    (line,) = (each for each in told.output.splitlines() if each.startswith("What is new is not known"))
    assert why in line
    assert "## ❌ nightly: NOT good" in told.output


def test_nights_that_cannot_be_imported_keep_no_other_out(tmp_path: Path, command_line: CommandLine) -> None:
    history = tmp_path / "other.sqlite"
    places = [write_night(tmp_path / "nights", made_night(f"n{day}", day, [])) for day in range(1, 6)]
    (places[1] / "summary.json").write_text("{", encoding="utf-8")
    (places[2] / "summary.json").rename(places[2] / "night.json")  # it runs, or was interrupted
    outcome = command_line("history", "import", *places[1:], "--history", history)
    assert (outcome.status, outcome.output) == (2, f"2 nights are new in {history}, 0 were there\n")
    told, *reasons = outcome.error.splitlines()
    assert told == "error: 2 of 4 nights were not imported:"
    assert (
        f"  {places[1] / 'summary.json'}: is not a whole summary of format ga2-night-summary/1: "
        in reasons[0]
    )
    assert reasons[1:] == [
        f"  {places[2]}: this night has not ended; go on with it: "
        + regressions_line("nightly", "--resume", places[2])
    ]
    names = {
        night["name"] for night in asked(command_line, tmp_path, "nights", "--history", history)[1]["nights"]
    }
    assert names == {"n4", "n5"}
    outcome = command_line("history", "import", *places, "--history", history)
    assert (outcome.status, outcome.output) == (2, f"1 nights are new in {history}, 2 were there\n")


def test_where_no_night_can_be_imported_no_history_is_made(tmp_path: Path, command_line: CommandLine) -> None:
    outcome = command_line("history", "import", tmp_path / "none", "--history", tmp_path / "new.sqlite")
    assert (outcome.status, outcome.output) == (2, "")
    assert not (tmp_path / "new.sqlite").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["nights", "--list", "smok"],
            "the history has no night of list 'smok'; there are nights of nightly",
        ),
        (
            ["failures", "--night", "nightly-20270101T020000-aaab"],
            "there is no night 'nightly-20270101T020000-",
        ),
        (["job", "x-1"], "there is no job 'x-1' in the history; did you mean x-0?"),
        (["accept", "none", "--reason", "why"], "there is no night 'none' in the history"),
        (
            ["import", "none"],
            "none: cannot be read: No such file or directory; name a night's directory, or its summary.json",
        ),
        (["import"], "Missing argument 'NIGHT...'"),
        (["markdown", "none"], "none: cannot be read: No such file or directory; name a night's directory"),
        (["nights", "--last", "0"], "Invalid value for '--last'"),
        (["nights", "--history", "none.sqlite"], "none.sqlite: there is no history; nights add themselves"),
        (["nights", "--history", "README.md"], "README.md: is damaged (file is not a database); restore it"),
        (["nights", "--json", "none/x.json"], "none/x.json: there is no directory none; make it first"),
    ],
)
def test_bad_input_is_one_message(
    arguments: list[str], message: str, history: Path, command_line: CommandLine
) -> None:
    before = history.read_bytes()
    outcome = command_line("history", *arguments)
    assert outcome.status == 2
    assert outcome.error.startswith("error: ")
    assert message in outcome.error
    assert (outcome.output, outcome.error.count("\n")) == ("", 1)
    assert history.read_bytes() == before


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE nights SET began = '20r7-01-01'",
        "UPDATE nights SET problems = '[\"1 fai'",
        "UPDATE nights SET chip = '{'",
        "UPDATE nights SET chip = '[]'",
        """UPDATE nights SET chip = '{"a": 1}'""",
        "UPDATE nights SET problems = '5'",
        "UPDATE nights SET problems = '[5]'",
        "UPDATE nights SET problems = printf('%.*c', 99999, '[')",
        "UPDATE nights SET problems = printf('%.*c', 9999999, ' ')",
        "UPDATE nights SET seconds = 'x'",
        "UPDATE nights SET seconds = 9e999",
        "UPDATE nights SET bins_hit = 'x', bins = 3",
        "UPDATE nights SET revision = x'00'",
        "UPDATE nights SET name = CAST(id AS BLOB)",
        "UPDATE jobs SET cycles = 'x', reason = x'00'",
        "UPDATE jobs SET seconds = 'x'",
        "UPDATE buckets SET explanation = x'00'",
        "UPDATE throughput SET simulation_cpu = 'x', cycles = 'y'",
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER more AFTER INSERT ON nights BEGIN SELECT 1; END",
        "UPDATE nights SET list = CAST(x'ff' AS TEXT)",
        "ALTER TABLE nights RENAME COLUMN problems TO probl3ms",
        "DROP TABLE jobs",
    ],
)
def test_what_cannot_be_there_is_damage(damage: str, history: Path, command_line: CommandLine) -> None:
    with closing(sqlite3.connect(history)) as connection:
        connection.execute(damage)
        connection.commit()
    questions = (["nights"], ["failures"], ["trends"], ["job", "x-0"])
    errors = [told.error for told in (command_line("history", *each) for each in questions) if told.status]
    assert errors
    for error in errors:
        assert error.startswith(f"error: {history}: is damaged (")
        assert error.count("\n") == 1


def test_names_are_told_as_they_are(command_line: CommandLine, tmp_path: Path) -> None:
    night = made_night("odd", 3, [made_job("x-0")], list="odd", commit="[/a]", night="own[/b]")
    command_line("history", "import", write_night(tmp_path / "odd", night))
    nights, _ = asked(command_line, tmp_path, "nights", "--list", "odd")
    job, _ = asked(command_line, tmp_path, "job", "x-0")
    assert "own[/b]" in nights
    assert "[/a]" in job
