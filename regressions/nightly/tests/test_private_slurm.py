"""What the tests of farms stand on: a Slurm of which nothing is left, however its test ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from regressions.nightly.tests.private_slurm import (
    PrivateSlurm,
    private_slurm,
    reserved_ports,
    why_there_is_none,
)
from regressions.nightly.tests.processes import processes_of, wait_until
from verif.simulation.plain_path import REPOSITORY

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(why_there_is_none()), reason=why_there_is_none()),
]


def test_nothing_is_left_when_its_test_is_killed() -> None:
    command = [sys.executable, "-m", "regressions.nightly.tests.test_private_slurm"]
    test = subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
    try:
        assert test.stdout is not None
        directory = Path(test.stdout.readline().strip())
        # munged, slurmctld with a helper, two slurmd, slurmstepd, the job's script, its sleep, what cleans up
        wait_until(lambda: len(processes_of(directory)) == 9, "all of them run", 30)
    finally:
        test.kill()
        test.wait()
    wait_until(lambda: not processes_of(directory), "none of them is left", 30)
    assert not directory.exists()


def test_two_of_them_do_not_touch_each_other() -> None:
    with private_slurm() as one:
        one.kill_controller()
        with private_slurm() as other:
            one.start_controller()
            wait_until(lambda: one.states() == ["idle"] * 2, "its port was kept for it")
            for each in (one, other):
                submit(each)
            assert [list(each.jobs()) for each in (one, other)] == [["1"], ["1"]]


def test_no_two_have_a_port_even_before_their_daemons_listen() -> None:
    with reserved_ports(3) as some, reserved_ports(3) as others:
        assert len({*some, *others}) == 6


def submit(slurm: PrivateSlurm) -> None:
    """Have it run a job."""
    slurm.ask("sbatch", "--output=/dev/null", "--wrap=sleep 600")
    wait_until(lambda: bool(slurm.jobs()), "it runs")


if __name__ == "__main__":
    with private_slurm() as started:
        submit(started)
        print(started.directory, flush=True)
        signal.pause()
