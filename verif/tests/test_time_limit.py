"""Time limits, and the factor by which a user stretches them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from verif.simulation.process_group import OutOfTimeError, run_in_group
from verif.simulation.process_tree import usage_of
from verif.simulation.time_limit import FACTOR_VARIABLE, time_limit

BURN = "import time\nwhile time.process_time() < 1: pass\n"


def test_a_limit_is_that_of_the_cpu_and_ten_times_as_long_by_the_clock() -> None:
    assert (time_limit(1.5).cpu, time_limit(1.5).clock, time_limit(1.5).whole_seconds) == (1.5, 15.0, 2)
    assert (time_limit(3).times(4).cpu, time_limit(3).times(4).clock) == (12, 120)


def test_the_factor_of_the_environment_stretches_all_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FACTOR_VARIABLE, "2.5")
    assert (time_limit(4).cpu, time_limit(4).clock) == (10, 100)
    monkeypatch.setenv(FACTOR_VARIABLE, "")
    assert time_limit(4).cpu == 4


@pytest.mark.parametrize("factor", ["x", "0", "-1", "nan", "inf"])
def test_a_factor_that_is_not_a_positive_number_is_one_message(
    factor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FACTOR_VARIABLE, factor)
    with pytest.raises(Ga2Error, match=r"give a number above 0, for example 3$"):
        time_limit(1)


def test_time_and_memory_of_descendants_count() -> None:
    program = "import subprocess, sys, time; held = b'x' * (100 << 20); "
    program += f"subprocess.run([sys.executable, '-c', {BURN!r}]); print(flush=True); time.sleep(600)"
    command = ["bash", "-c", '"$0" -c "$1"; :', sys.executable, program]
    before = usage_of(os.getpid())
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        usage, whole = usage_of(process.pid), usage_of(os.getpid())
        os.killpg(process.pid, 9)
    assert usage.cpu >= 1.0
    assert 100e6 < usage.memory < 500e6
    assert whole.cpu - before.cpu >= 1.0
    assert whole.memory > usage.memory
    assert usage_of(process.pid).cpu == 0, "it has ended"


def test_a_command_that_is_killed_by_the_clock_says_how_much_cpu_time_it_had(tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(OutOfTimeError) as caught:
        run_in_group(["bash", "-c", "sleep 600"], tmp_path, os.environ, 1.0)
    assert time.monotonic() - began < 300
    assert caught.value.clock == 1.0
    assert caught.value.cpu < 1.0
