"""What is said where the virtual environment is older than requirements.txt."""

from __future__ import annotations

OWN = ("refmodel", "regressions", "sequences", "verif")


def told(error: ModuleNotFoundError) -> str:
    """Return what to do about a package that is missing; nothing if it is one of the project's own."""
    package = (error.name or "").partition(".")[0]
    if not package or package in OWN:
        return ""
    return f"package {package} is missing: run `make setup`, then `. .venv/bin/activate`"
