"""A Slurm as a fixture."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from regressions.nightly import dask_engine, slurm_engine
from regressions.nightly.tests.private_slurm import PrivateSlurm, private_slurm, why_there_is_none

TEST_SECONDS = 1800
"""A test that takes longer hangs."""


@pytest.fixture
def slurm(monkeypatch: pytest.MonkeyPatch) -> Iterator[PrivateSlurm]:
    """Start a Slurm that this process uses from now on, and look after workers often."""
    if why_there_is_none():
        pytest.skip(why_there_is_none())
    monkeypatch.setattr(slurm_engine, "LOOK_SECONDS", 0.5)
    monkeypatch.setattr(slurm_engine, "STUCK_ROUNDS", 600)
    monkeypatch.setitem(dask_engine.SETTINGS, "distributed.deploy.lost-worker-timeout", "1s")
    with private_slurm() as started:
        monkeypatch.setenv("SLURM_CONF", str(started.configuration))
        with _not_for_ever(started):
            yield started


@contextmanager
def _not_for_ever(slurm: PrivateSlurm) -> Iterator[None]:
    """Have a test that hangs fail where it hangs, with what Slurm says of it."""

    def fail(_: int, __: FrameType | None) -> None:
        raise AssertionError(f"it hangs:\n{slurm.described()}")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(TEST_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
