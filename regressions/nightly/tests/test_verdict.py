"""The verdict in words: a part of a list is never as good as the whole of it."""

from __future__ import annotations

import pytest

from regressions.nightly.verdict import Verdict, coverage_words


@pytest.mark.parametrize(
    ("verdict", "words", "colour", "sign"),
    [
        (Verdict(True, 56, 56, ""), "Good", "green", "✅"),
        (Verdict(False, 56, 56, ""), "NOT good", "bold red", "❌"),
        (Verdict(True, 8, 56, "tag standing"), "Good: 8 of 56 jobs (tag standing)", "yellow", "⚠️"),
        (
            Verdict(False, 1, 1056, "only x, sim icarus"),
            "NOT good: 1 of 1,056 jobs (only x, sim icarus)",
            "bold red",
            "❌",
        ),
        (Verdict(True, 8, 0, "a part of the list"), "Good: 8 jobs (a part of the list)", "yellow", "⚠️"),
    ],
)
def test_a_part_of_a_list_is_named_beside_the_verdict(
    verdict: Verdict, words: str, colour: str, sign: str
) -> None:
    assert (str(verdict), verdict.colour, verdict.sign) == (words, colour, sign)


@pytest.mark.parametrize(
    ("hit", "bins", "words"),
    [
        (152, 1219, "coverage: 152 of 1,219 bins (`make close` checks the goals)"),
        (1219, 1219, "coverage: 1,219 of 1,219 bins"),
        (0, 1219, "coverage: 0 of 1,219 bins (`make close` checks the goals)"),
        (None, None, ""),
    ],
)
def test_coverage_that_is_not_complete_names_who_checks_the_goals(
    hit: int | None, bins: int | None, words: str
) -> None:
    assert coverage_words(hit, bins) == words
