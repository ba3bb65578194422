"""Tries what was chosen, and judges what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regressions.qualification.by_hand_run import run_qualification
from regressions.qualification.by_hand_view import failures
from regressions.qualification.chosen import Chosen
from regressions.qualification.mutation_run import MutationRun
from regressions.qualification.mutation_view import missed_line
from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.trial import Fate, Trial
from verif.qualification.generated.unkilled import Unkilled, problems
from verif.qualification.outcome import Outcome
from verif.qualification.score import Judged, judged, score


@dataclass(frozen=True)
class Finding:
    """All that is known of the mutants in the end."""

    outcomes: Sequence[Outcome]
    """Of those written by hand, with their own programs."""
    trials: Sequence[Trial[GeneratedMutant]]
    mutants: Sequence[Judged]
    wrong: Sequence[str]
    """What is not as it must be, a line each."""

    @property
    def not_as_expected(self) -> int:
        """How many written by hand were not found as they must be, on whichever simulator?"""
        return len({outcome.mutant.name for outcome in self.outcomes if not outcome.good})

    @property
    def good(self) -> bool:
        """Is the score high enough, and nothing wrong?"""
        return score(self.mutants).good and not self.wrong


def find(
    chosen: Chosen,
    unkilled: dict[str, Unkilled],
    rtl: Mapping[str, str],
    numbers: Mapping[str, int],
    directory: Path,
    workers: int,
    sources: Mapping[str, str],
    on_done: Callable[[], None],
) -> Finding:
    """Try every mutant, below a directory of the caller's; `on_done` is called for each step.

    `rtl` is each simulator's built copy that holds its mutants, `numbers` selects them in Verilator's, and
    `unkilled` is what is known of those that nothing kills. Raises Ga2Error where programs fail with no
    mutant selected, since nothing follows then, and SourcesError if `sources` change meanwhile.
    """
    outcomes = []
    if chosen.by_hand:
        outcomes = run_qualification(
            chosen.by_hand, chosen.simulators, rtl, directory, workers, sources, on_done
        )
    listed = () if chosen.is_one else unkilled.keys()  # one alone gets the whole closing set
    trying = MutationRun(rtl, numbers, directory, listed, workers, sources)
    by_the_set = trying.trials(chosen.for_the_set, on_done)
    missed = [trial for trial in by_the_set if trial.fate is not Fate.KILLED]
    trials = trying.trials(chosen.generated, on_done)
    known_problems = problems(unkilled, chosen.all_generated, trials)
    wrong = [*failures(outcomes), *map(missed_line, missed), *known_problems]
    mutants = judged(outcomes, trials, unkilled, {trial.mutant.name for trial in missed})
    return Finding(outcomes, trials, mutants, wrong)
