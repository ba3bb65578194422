"""Refuses programs that no bench should run."""

from __future__ import annotations

from pathlib import Path

from refmodel.errors import Ga2Error
from refmodel.isa.checker import Severity, check_program
from refmodel.machine.bundle import Bundle


def require_sound(path: Path, bundle: Bundle) -> None:
    """Raise Ga2Error with the first error that the static checker finds in the bundle read from `path`."""
    errors = [
        finding
        for finding in check_program(bundle.code, bundle.ext_words)
        if finding.severity is Severity.ERROR
    ]
    if errors:
        first = errors[0]
        others = f" (and {len(errors) - 1} more errors)" if len(errors) > 1 else ""
        raise Ga2Error(f"{path}: pc {first.pc}: {first.instruction}: {first.message}{others}")
