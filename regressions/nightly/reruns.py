"""Which jobs of a night that have not passed are run again, to tell flaky ones from others."""

from __future__ import annotations

from collections.abc import Iterable

from regressions.nightly.attempt import RERUNS
from regressions.nightly.buckets import sort_into_buckets
from regressions.nightly.job import NightJob
from regressions.nightly.result import RERUN_STATUSES, JobResult, Status

OF_A_BUCKET, OF_A_NIGHT = 5, 20
"""So many jobs at most. Of a chip that is badly broken hundreds fail, and each takes three runs more."""


def chosen_for_reruns(results: Iterable[JobResult]) -> list[NightJob]:
    """Return the jobs that are to be run again and have not been.

    These are the first of each bucket, then the second of each, and so on, those of small seeds first. The
    choice is the same however many of them have been run again, or found flaky, before.
    """
    failed = [result for result in results if result.status in (*RERUN_STATUSES, Status.FLAKY)]
    buckets = [bucket.results for bucket in sort_into_buckets(failed)]
    in_turn = [results[turn] for turn in range(OF_A_BUCKET) for results in buckets if turn < len(results)]
    chosen = in_turn[:OF_A_NIGHT]
    return [each.job for each in chosen if each.status is not Status.FLAKY and each.reruns < RERUNS]
