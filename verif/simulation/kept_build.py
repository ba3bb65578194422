"""Builds are kept, and repeated only when something that went into them has changed."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from refmodel.errors import Ga2Error
from sequences.whole_file import locked
from verif.simulation.file_list import SOURCE_SUFFIXES
from verif.simulation.plain_path import with_real_paths

DIGEST, INPUTS, LOG = "built-from", "inputs.json", "build.log"

LOG_TAIL = 20

_INCLUDED = (*SOURCE_SUFFIXES, ".inc")


class BuildFailed(Ga2Error):  # noqa: N818 -- an outcome
    """A tool has refused the sources, or failed."""


@dataclass(frozen=True)
class KeptBuild:
    """One build in a directory of its own, from inputs that the tools name while they build."""

    directory: Path
    """Relative to the repository's root, which is the working directory."""
    recipe: Sequence[str]
    """Everything but the contents of files that the result depends on: commands, versions of tools."""
    searched: Sequence[str]
    """Directories that are searched for includes and modules: a new file there may hide another."""
    compile: Callable[[IO[str]], Sequence[str]]
    """Builds, with the tools' output going to a file; returns every file they read. Raises BuildFailed."""

    def ensure(self) -> str:
        """Build if need be; return the digest of all that it was built from. Calls at the same time are safe.

        Raises BuildFailed, and OSError when there is no room.
        """
        digest = self._current()
        if digest is None:
            self.directory.parent.mkdir(parents=True, exist_ok=True)
            with locked(self.directory.with_name(f"{self.directory.name}.lock")):
                digest = self._current() or self._build()
        return digest

    def _current(self) -> str | None:
        try:
            recorded = (self.directory / DIGEST).read_text(encoding="ascii").strip()
            inputs = json.loads((self.directory / INPUTS).read_text(encoding="utf-8"))
            return recorded if recorded == self._digest(inputs) else None
        except (OSError, ValueError):
            return None  # never built, not to the end, or an input is gone

    def _build(self) -> str:
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)
        began = time.time_ns()
        with (self.directory / LOG).open("w", encoding="utf-8") as log:
            try:
                inputs = sorted(set(self.compile(log)))
            except (BuildFailed, OSError) as error:
                log.flush()
                what = f"building {self.directory} failed; the whole output is in {self.directory / LOG}"
                tail = end_of(self.directory / LOG)
                raise BuildFailed("\n".join(filter(None, [tail, str(error), what]))) from error
        digest = self._digest(inputs)
        (self.directory / INPUTS).write_text(json.dumps(inputs, indent=1), encoding="utf-8")
        if not any(Path(path).stat().st_ctime_ns >= began for path in inputs):  # else it may be of two states
            (self.directory / DIGEST).write_text(f"{digest}\n", encoding="ascii")
        return digest

    def _digest(self, inputs: Sequence[str]) -> str:
        digest = hashlib.sha256(json.dumps([*self.recipe]).encode())
        for path in inputs:
            content = hashlib.sha256(Path(path).read_bytes()).hexdigest()
            digest.update(f"{path} {content}\n".encode(errors="surrogateescape"))
        for folder in sorted({*self.searched, *(str(Path(path).parent) for path in inputs)}):
            names = [each.name for each in Path(folder).glob("*") if each.suffix in _INCLUDED]
            digest.update(json.dumps([folder, *sorted(names)]).encode())
        return digest.hexdigest()


def end_of(log: Path) -> str:
    """Return the last lines of a tool's output, with the paths that the user knows."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return with_real_paths("\n".join([line for line in lines if not line.startswith("make")][-LOG_TAIL:]))


def run_logged(command: Sequence[str], log: IO[str], environment: Mapping[str, str]) -> None:
    """Run one command of a build. Raises BuildFailed."""
    log.flush()
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=environment, check=False
    )
    if done.returncode != 0:
        raise BuildFailed("")
