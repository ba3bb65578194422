"""The list of mutants that nothing kills: what it says, and how an entry dies."""

from pathlib import Path

import pytest

from verif.qualification.generated.selection import all_mutants
from verif.qualification.generated.tests.trials import mutant, trial
from verif.qualification.generated.trial import Fate
from verif.qualification.generated.unkilled import Unkilled, UnkilledError, Why, load_unkilled, problems

REASON = "an argument that is as long as it has to be for a list"

ENTRY = f"""[[unkilled]]
mutant = "listed"
why = "equivalent"
reason = "{REASON}"
"""

LISTED = {"listed": Unkilled(mutant="listed", why=Why.EQUIVALENT, reason=REASON)}
BOTH = [mutant("listed"), mutant("other")]


def test_the_list_of_the_project_names_mutants_that_there_are() -> None:
    unkilled = load_unkilled()
    assert unkilled
    assert list(problems(unkilled, all_mutants(), [])) == []


def test_an_entry_is_read(tmp_path: Path) -> None:
    path = tmp_path / "unkilled.toml"
    path.write_text(ENTRY)
    assert load_unkilled(path) == LISTED


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (ENTRY + ENTRY, "listed stands there twice"),
        (ENTRY.replace("equivalent", "dull"), "unkilled.0.why"),
        (ENTRY.replace(REASON, "short"), "unkilled.0.reason"),
        (ENTRY + "line = 3\n", "unkilled.0.line"),
        (ENTRY.replace("mutant =", "name ="), "unkilled.0.mutant"),
        ("[[unkilled]\n", ":1: is not TOML"),
    ],
)
def test_a_bad_file_names_the_key(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "unkilled.toml"
    path.write_text(text)
    with pytest.raises(UnkilledError, match=complaint):
        load_unkilled(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnkilledError, match="cannot be read: No such file"):
        load_unkilled(tmp_path / "none.toml")


def test_what_the_list_accounts_for_is_no_problem() -> None:
    trials = [trial("listed", Fate.SURVIVED), trial("other", Fate.KILLED)]
    assert list(problems(LISTED, BOTH, trials)) == []


def test_an_entry_that_names_no_mutant_is_a_problem() -> None:
    (problem,) = problems(LISTED, BOTH[1:], [])
    assert "no mutant is named listed" in problem
    assert "remove the entry" in problem


def test_an_entry_whose_mutant_is_killed_is_a_problem() -> None:
    (problem,) = problems(LISTED, BOTH, [trial("listed", Fate.KILLED)])
    assert problem == ("unkilled.toml: listed is killed by random-0: random-0 says so; remove the entry")


def test_an_entry_whose_mutant_is_proved_is_a_problem() -> None:
    (problem,) = problems(LISTED, BOTH, [trial("listed", Fate.PROVED), trial("other", Fate.PROVED)])
    assert problem == "unkilled.toml: listed is proved to be equivalent; remove the entry"


def test_a_survivor_without_an_entry_is_a_problem() -> None:
    (problem,) = problems(LISTED, BOTH, [trial("other", Fate.SURVIVED)])
    assert problem.startswith("other survives (ga2_argmax.sv:7, + becomes -): strengthen the stimulus, or")


def test_an_error_is_a_problem_listed_or_not() -> None:
    found = list(problems(LISTED, BOTH, [trial("listed", Fate.ERROR), trial("other", Fate.ERROR)]))
    assert found == [
        f"{name} led to an error: random-0 on verilator: random-0 says so" for name in ("listed", "other")
    ]
