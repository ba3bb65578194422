"""The mutation score's arithmetic."""

import pytest

from verif.qualification.generated.tests.trials import trial
from verif.qualification.generated.trial import Fate
from verif.qualification.generated.unkilled import Unkilled, Why
from verif.qualification.mutants import MUTANTS
from verif.qualification.outcome import Outcome, Verdict
from verif.qualification.score import BY_HAND, Judged, Score, grouped, judged, score

REASON = "an argument that is as long as it has to be for a list"


def unkilled(**why: Why) -> dict[str, Unkilled]:
    return {name: Unkilled(mutant=name, why=each, reason=REASON) for name, each in why.items()}


@pytest.mark.parametrize(
    ("counts", "survived", "percent", "good"),
    [
        (Score(100, 99, 0), 1, 99.0, True),
        (Score(100, 97, 0), 3, 97.0, False),
        (Score(110, 99, 10), 1, 99.0, True),
        (Score(1000, 979, 0), 21, 97.9, False),
        (Score(3, 0, 3), 0, None, True),
        (Score(0, 0, 0), 0, None, False),
    ],
)
def test_percent_of_those_that_can_be_found(
    counts: Score, survived: int, percent: float | None, good: bool
) -> None:
    assert (counts.survived, counts.percent, counts.good) == (survived, percent, good)


def test_what_became_of_a_generated_mutant_counts() -> None:
    trials = [
        trial("killed", Fate.KILLED),
        trial("equivalent", Fate.SURVIVED),
        trial("survivor", Fate.SURVIVED),
        trial("unlisted", Fate.SURVIVED),
        trial("broken", Fate.ERROR),
        trial("killed_after_all", Fate.KILLED),
    ]
    listed = unkilled(
        equivalent=Why.EQUIVALENT,
        survivor=Why.SURVIVOR,
        broken=Why.EQUIVALENT,
        killed_after_all=Why.EQUIVALENT,
    )
    found = judged([], trials, listed, ())
    assert [(each.name, each.killed, each.equivalent) for each in found] == [
        ("killed", True, False),
        ("equivalent", False, True),
        ("survivor", False, False),
        ("unlisted", False, False),
        ("broken", False, False),
        ("killed_after_all", True, False),
    ]
    assert score(found) == Score(6, 2, 1)


@pytest.mark.parametrize(
    ("verdicts", "killed"),
    [
        ((Verdict.AS_EXPECTED, Verdict.AS_EXPECTED), True),
        ((Verdict.AS_EXPECTED, Verdict.ELSEWHERE), True),
        ((Verdict.SURVIVED, Verdict.AS_EXPECTED), False),
        ((Verdict.AS_EXPECTED, Verdict.SURVIVED), False),
        ((Verdict.ERROR, Verdict.AS_EXPECTED), False),
    ],
)
def test_one_written_by_hand_must_be_found_everywhere(verdicts: tuple[Verdict, ...], killed: bool) -> None:
    simulators = ("icarus", "verilator")
    outcomes = [
        Outcome(MUTANTS[0], simulator, verdict)
        for simulator, verdict in zip(simulators, verdicts, strict=True)
    ]
    name, file = MUTANTS[0].name, MUTANTS[0].file
    assert judged(outcomes, [], {}, ()) == [Judged(name, file, BY_HAND, killed)]
    assert judged(outcomes, [], {}, {name}) == [Judged(name, file, BY_HAND, killed=False)]


def test_groups_add_up() -> None:
    mutants = [
        Judged("a", "x.sv", "one", True),
        Judged("b", "y.sv", "one", False),
        Judged("c", "x.sv", "two", True),
    ]
    assert grouped(mutants, lambda each: each.file) == {"x.sv": Score(2, 2, 0), "y.sv": Score(1, 0, 0)}
    assert grouped(mutants, lambda each: each.operator) == {"one": Score(2, 1, 0), "two": Score(1, 1, 0)}
