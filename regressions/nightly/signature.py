"""By what failures are told apart: the first divergence of each."""

from __future__ import annotations

import re
from pathlib import Path

from regressions.nightly.result import Failure
from sequences.document import read_json
from verif.failure.folder import REPORT_JSON
from verif.run_report import RunReport
from verif.simulation.simulation import BrokenSimulationError

_INDICES = re.compile(r"\[\d+\]")


def failure_in(failed: RunReport | BrokenSimulationError) -> Failure | None:
    """Return what a failed run says of its first divergence; None if it left no folder."""
    if failed.failure is None:
        return None
    report = read_json(Path(failed.failure) / REPORT_JSON)
    return Failure(
        failed.failure,
        failed.explanation or report["first_sign"],
        report["kind"],
        report["unit"],
        report["opcode"],
        _role(report),
        failed.shrunk,
    )


def _role(report: dict[str, object]) -> str | None:
    """Return the kind of node that the wrong instruction serves, or its operand where there is no graph.

    Names of tensors differ from graph to graph, and one bug shows in many of them.
    """
    service, element = report["service"], report["element"]
    if service is not None:
        return str(service)
    return None if element is None else _INDICES.sub("", str(element))
