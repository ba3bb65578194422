"""What sim.mk does: `python -m verif.simulation TARGET`, with its variables in the environment.

Everything goes on as a vector of arguments or as environment, so no value is ever read by make or a shell.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from refmodel.errors import Ga2Error
from sequences.whole_file import temporary_beside
from verif.simulation.chip import SIMULATORS, Chip, checked_plusargs
from verif.simulation.icarus import Icarus
from verif.simulation.kept_build import DIGEST, end_of
from verif.simulation.lint import lint
from verif.simulation.native import NATIVE_LIBRARY, native_build
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.tool_sources import TOP
from verif.simulation.tools import LARGEST_SEED, embedded_python, gpi_users, tool_environment
from verif.simulation.verilator import Verilator
from verif.simulation.without_pytest import ENTRY_POINTS


class SettingError(Ga2Error):
    """A variable with an invalid value."""


class SimulationEnded(Ga2Error):  # noqa: N818 -- an outcome
    """A simulation that did not end with status 0."""


def main(target: str, variables: Mapping[str, str]) -> None:
    """Make one target. Raises Ga2Error, whose message's last line says what is wrong; OSError."""
    os.chdir(REPOSITORY)  # sources, builds and $readmemh start here
    action, _, simulator = target.partition("-")
    if target == "lint":
        if found := lint(Chip.from_variables(variables)):
            raise SettingError(f"{found.rstrip()}\nlint has found something")
    elif target == "native":
        native_build().ensure()
    elif action not in ("build", "run", "bare"):
        raise SettingError(
            f"unknown target {target[:40]!a}: there are build-SIM, run-SIM, bare-SIM, native and lint"
        )
    elif simulator not in SIMULATORS:
        raise SettingError(f"unknown simulator {simulator[:40]!a}: there are {' and '.join(SIMULATORS)}")
    else:
        _on_simulator(action, simulator, variables)


def _on_simulator(action: str, simulator: str, variables: Mapping[str, str]) -> None:
    counts = variables.get("CODE_COVERAGE", "")
    if counts and simulator == "icarus":
        raise SettingError("CODE_COVERAGE: Icarus counts none, use Verilator")
    chip = Chip.from_variables(variables)
    built: Icarus | Verilator = Icarus(chip) if simulator == "icarus" else Verilator(chip, bool(counts))
    native_build().ensure()
    digest = built.build().ensure()
    if action == "build":
        return
    seed = _seed(variables.get("SEED") or "1")
    waves = variables.get("WAVES", "")
    if isinstance(built, Icarus):
        command = built.command(cocotb=action == "run", dumps=bool(waves))
    else:
        command = built.command(seed, counts)
    environment = tool_environment()
    if action == "run":
        environment |= _cocotb_environment(chip, seed, variables)
    elif manifest := variables.get("BARE"):
        command.append(f"+bare={manifest}")
    command += checked_plusargs(variables.get("PLUSARGS", "").split())
    _simulate(command, digest, environment, variables)


def _simulate(
    command: list[str], digest: str, environment: Mapping[str, str], variables: Mapping[str, str]
) -> None:
    """Run a simulation with its output in RUN_DIR/sim.log, and its waves there until they are whole."""
    if not variables.get("RUN_DIR"):
        raise SettingError("RUN_DIR is not set")
    run_directory, waves = Path(variables["RUN_DIR"]), variables.get("WAVES", "")
    if waves and Path(waves).exists() and not Path(waves).is_file():
        raise SettingError(f"WAVES={waves}: not a regular file")
    run_directory.mkdir(parents=True, exist_ok=True)
    (run_directory / DIGEST).write_text(f"{digest}\n", encoding="ascii")
    log, dump = run_directory / "sim.log", run_directory / "dump.fst"
    dump.unlink(missing_ok=True)
    folder = os.open(run_directory, os.O_RDONLY | os.O_DIRECTORY)
    if waves:  # Icarus dumps to ASCII names only, so it gets the directory as a number
        command.append(f"+waves=/proc/self/fd/{folder}/{dump.name}")
        if variables.get("WAVES_SCOPE", "all") == "all":
            command.append("+waves_all=1")
    try:
        with log.open("wb") as output:
            status = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment,
                pass_fds=[folder],
                preexec_fn=partial(_limit_cpu, variables.get("CPU_SECONDS", "")),
                check=False,
            ).returncode
    finally:
        os.close(folder)
    if waves and dump.exists():
        _move(dump, Path(waves).resolve())
    if status != 0:
        status = status if status > 0 else 128 - status  # as a shell numbers signals
        raise SimulationEnded(
            f"{end_of(log)}\nthe simulation ended with status {status}; the whole output is in {log}"
        )


def _limit_cpu(seconds: str) -> None:
    """Let this process take so many seconds of CPU time; where the user's own limit is lower it stays."""
    if not seconds:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    lowest = min(each for each in (int(seconds), soft, hard) if each != resource.RLIM_INFINITY)
    resource.setrlimit(resource.RLIMIT_CPU, (lowest, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _move(dump: Path, target: Path) -> None:
    """Move a dump to its place; on another disk only once it is there as a whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    arriving = temporary_beside(target)
    try:
        shutil.move(dump, arriving)
        arriving.replace(target)
    finally:
        arriving.unlink(missing_ok=True)


def _cocotb_environment(chip: Chip, seed: int, variables: Mapping[str, str]) -> dict[str, str]:
    return {
        "PYTHONPATH": str(REPOSITORY),
        "PYGPI_PYTHON_BIN": embedded_python(),
        "GPI_USERS": gpi_users(),
        "PYGPI_USERS": ",".join(ENTRY_POINTS),
        "TOPLEVEL_LANG": "verilog",
        "COCOTB_TOPLEVEL": TOP,
        "COCOTB_TEST_MODULES": variables.get("TEST_MODULE", ""),
        "COCOTB_TEST_FILTER": variables.get("TEST_FILTER", ""),
        "COCOTB_RANDOM_SEED": str(seed),
        "COCOTB_RESULTS_FILE": str(Path(variables.get("RUN_DIR", "")).absolute() / "results.xml"),
        "COCOTB_TRUST_INERTIAL_WRITES": "1",
        # Otherwise cocotb rewrites the assertions of every module, which takes three seconds a process.
        "COCOTB_REWRITE_ASSERTION_FILES": "",
        "GA2_NATIVE_LIBRARY": str(REPOSITORY / NATIVE_LIBRARY),
        "GA2_SCRATCHPAD": chip.memory,
    }


def _seed(text: str) -> int:
    if re.fullmatch(r"[0-9]{1,10}", text, re.ASCII) and 1 <= int(text) <= LARGEST_SEED:
        return int(text)
    raise SettingError(f"SEED={text[:40]!a}: not a whole number from 1 to {LARGEST_SEED}")


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) == 2 else "", os.environ)
    except KeyboardInterrupt:
        sys.exit(130)
    except (Ga2Error, OSError) as error:
        *before, last = str(error).splitlines()
        print(*before, f"sim.mk: {last}", sep="\n", file=sys.stderr)
        sys.exit(2)
