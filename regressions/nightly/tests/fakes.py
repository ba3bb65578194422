"""Jobs that do what their parameters say instead of a simulation, and an engine without workers."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from regressions.nightly.engine import Ended, Standing
from regressions.nightly.job import NightJob
from regressions.nightly.local_engine import LocalEngine
from regressions.nightly.night import Night, open_night
from regressions.nightly.result import Failure, JobResult, Status, write_result
from regressions.nightly.running import run_jobs_left
from regressions.nightly.tests.processes import processes_of
from verif.simulation.guarded_process import guarded_process
from verif.simulation.simulation import NoSpaceError


def job(name: str, do: str = "pass", simulator: str = "icarus", seed: int = 1, **more: Any) -> NightJob:
    fields: dict[str, Any] = {
        "timeout": 60.0,
        "build": "optimized",
        "initial_seed": seed,
        "stimulus": name,
        "tags": (),
    }
    parameters = {
        "do": do,
        **{key: more.pop(key) for key in list(more) if key not in NightJob.__annotations__},
    }
    fields |= more
    return NightJob(
        name=name,
        entry=name.partition("-")[0],
        test="broken_bench.EmptyRunTest",
        simulator=simulator,
        seed=seed,
        parameters=parameters,
        **fields,
    )


def simulate(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
    """Do what the job says. `directory` ends with the number of the attempt."""
    is_first = directory.name == "1"
    do = job.parameters["do"]
    if do == "die" or (do == "die once" and is_first):
        os.kill(os.getpid(), signal.SIGKILL)
    if do == "interrupt once" and is_first:
        raise KeyboardInterrupt
    if do == "raise":
        raise RuntimeError("a mistake")
    if do == "no space":
        raise NoSpaceError("there is no space left")
    if do == "sleep" or (do == "sleep once" and is_first):
        sleep(job.parameters["seconds"], night)
    if do == "burn":
        burn(night)
    if do == "grow":
        _run(f"held = b'x' * {job.parameters['megabytes'] << 20}; import time; time.sleep(1)", night)
    if do == "explain":  # "slow": the attempts in which that takes for ever
        write_result(directory, JobResult(job, Status.FAILED, "word 3", 1, 1, ("word 3",), "f"))
        if deeply or directory.name in job.parameters["slow"]:
            burn(night)
        if job.parameters.get("dies") in (True, directory.name):
            os.kill(os.getpid(), signal.SIGKILL)
        do = "pass" if job.parameters.get("flaky") and not is_first else "fail"
        if do == "pass":
            (night / "coverage" / f"{job.name}.json").touch()
    is_over = int(directory.name) > job.parameters.get("times", 1000)
    if do == "fail" and not is_over:
        told = {key: job.parameters.get(key) for key in ("kind", "unit", "opcode", "role")}
        failure = Failure("out/failures/x", "it differs", **told, shrunk="shrunk to one" if deeply else "")
        return JobResult(job, Status.FAILED, "word 3", 1, 1, ("word 3",), "f", failure=failure)
    if do in ("timeout", "crashed", "killed") and not is_over:
        return JobResult(job, Status(do), f"it is {do} after 17 s")
    return JobResult(job, Status.PASSED, "", 1, 10, found=job.parameters.get("found", "p"))


def sleep(seconds: float, night: Path) -> None:
    """Let a process of its own sleep, as a simulation would run, that can be told by its environment."""
    environment = {**os.environ, "NIGHT": str(night)}
    with guarded_process(["sleep", str(seconds)], Path.cwd(), environment) as process:
        process.communicate()


def burn(night: Path) -> None:
    """Let a process of its own use CPU time for ever."""
    _run("while True: pass", night)


def _run(program: str, night: Path) -> None:
    environment = {**os.environ, "NIGHT": str(night)}
    with guarded_process([sys.executable, "-c", program], Path.cwd(), environment) as process:
        process.communicate()


def sleepers_of(night: Night) -> list[int]:
    """Return what stands for simulations; each is a child of its worker."""
    found = []
    for pid in processes_of(night.directory):
        with contextlib.suppress(OSError):  # it has ended
            if Path(f"/proc/{pid}/comm").read_text() == "sleep\n":
                found.append(pid)
    return found


class InlineEngine:
    """Runs jobs in this process, one after the other."""

    workers = 1
    memory: int | None = None

    def __init__(self, _: int = 1) -> None:
        self._waiting: deque[tuple[str, Callable[[Any], Any], Any]] = deque()

    def submit(self, name: str, function: Callable[[Any], Any], argument: Any) -> None:
        self._waiting.append((name, function, argument))

    def ended(self) -> Iterator[Ended]:
        while self._waiting:
            name, function, argument = self._waiting.popleft()
            try:
                ended = Ended(name, function(argument))
            except Exception as error:
                ended = Ended(name, error=error)
            yield ended

    def standing(self) -> Standing:
        return Standing(here=1)

    def close(self) -> None:
        self._waiting.clear()


if __name__ == "__main__":
    running = open_night(Path(sys.argv[1]))
    run_jobs_left(running, LocalEngine(2), simulate, lambda _: None)
