"""The workloads whose cycles must never change are what they claim to be, and nights run them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from regressions.choices import RTL_SIMULATORS
from regressions.history.recording import STANDING
from regressions.nightly.list_file import find_list, load_list
from regressions.nightly.selection import jobs_of, selected
from regressions.published.table import decoding_rows
from sequences.decode_request import DecodeRequest


def decodings(list_name: str, simulator: str, seed: int) -> Iterator[tuple[DecodeRequest, bool]]:
    """Yield what the standing decodings of a list decode, and whether plainly alone."""
    jobs = selected(jobs_of(load_list(find_list(list_name)).test, seed), "table", STANDING, simulator)
    for job in jobs:
        each: dict[str, Any]
        for each in job.parameters["decodings"]:
            yield DecodeRequest.from_json(each["request"]), not each["speculative"]


def test_nights_decode_the_published_table_on_both_simulators() -> None:
    rows = [(row.request, row.plain) for row in decoding_rows()]
    assert len(rows) == 14
    for simulator in RTL_SIMULATORS:
        for list_name in ("nightly", "weekly"):
            assert sorted(map(str, decodings(list_name, simulator, 7))) == sorted(map(str, rows))


def test_a_standing_workload_does_the_same_in_every_night() -> None:
    listed = load_list(find_list("weekly")).test
    standing = [selected(jobs_of(listed, seed), tag=STANDING) for seed in (1, 2)]
    fingerprints = [[job.fingerprint for job in jobs] for jobs in standing]
    assert fingerprints[0] == fingerprints[1]
    assert len(set(fingerprints[0])) == len(fingerprints[0]) >= 8
    others = [[job.fingerprint for job in selected(jobs_of(listed, seed), "random-more")] for seed in (1, 2)]
    assert set(others[0]).isdisjoint(others[1])
