from __future__ import annotations

import subprocess
import sys

from verif.sim_make import REPOSITORY

HEAVY = ("cocotb", "pyuvm", "pytest", "matplotlib", "PIL", "jinja2")


def test_no_command_waits_for_what_only_some_need() -> None:
    program = f"import sys, regressions.command_line; print(*(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "\n"), done.stderr
