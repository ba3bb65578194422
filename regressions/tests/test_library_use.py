"""The reference model as a library: the script of docs/architecture.md runs from any directory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from verif.simulation.plain_path import REPOSITORY


def test_the_documented_script_prints_what_is_documented(tmp_path: Path) -> None:
    text = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.partition("## As a library\n")[2].partition("\n## ")[0]
    lines = section.splitlines()
    code = [line[4:] for line in lines if line.startswith("    ") or not line]
    script = tmp_path / "script.py"
    script.write_text("\n".join(code), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed = section.partition("It prints ")[2]
    for line in done.stdout.splitlines():
        assert f"`{line}`" in printed
    assert len(done.stdout.splitlines()) == 3
