"""The report.json of a failure's folder read back, which may be damaged, or come from a stranger."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from sequences.document import DocumentError, read_json
from sequences.whole_file import require_no_links
from verif.failure.folder import REPORT_JSON
from verif.simulation.chip import RTL_VARIABLES, SIMULATORS, Chip, checked_plusargs

_KINDS = {"simulator": str, "seed": int, "chip": dict, "plusargs": list, "first_sign": str}
"""What a further run, or a further report, needs of it."""

_NEEDED = {*_KINDS, "kind"}


def read_report(folder: Path) -> dict[str, Any]:
    """Return a folder's report.json. Raises Ga2Error when it is missing, damaged or invalid."""
    path = folder / REPORT_JSON
    try:
        recorded: dict[str, Any] = read_json(path)
    except DocumentError as error:
        if error.is_missing:
            raise Ga2Error(f"{error}; name the folder that a failure left") from error
        raise Ga2Error(f"{path} is damaged ({error.problem}); run what failed again") from error
    require_no_links(folder)
    if not isinstance(recorded, dict):
        raise Ga2Error(f"{path} is damaged (it holds no object); run what failed again")
    missing = _NEEDED - set(recorded)
    if missing:
        raise Ga2Error(f"{path} lacks {', '.join(sorted(missing))}; run what failed again")
    wrong = [name for name, kind in _KINDS.items() if not isinstance(recorded[name], kind)]
    if not wrong:
        sources = recorded.setdefault("sources", {})  # older folders have none
        texts = {"chip": recorded["chip"].values(), "plusargs": recorded["plusargs"]}
        texts["sources"] = sources.values() if isinstance(sources, dict) else [None]
        wrong = [name for name, values in texts.items() if not all(isinstance(each, str) for each in values)]
    if wrong:
        raise Ga2Error(f"{path} is damaged ({', '.join(wrong)}); run what failed again")
    try:
        _require_simulation(recorded)
    except Ga2Error as error:
        raise Ga2Error(f"{path} is invalid: {error}") from error
    return recorded


def _require_simulation(recorded: dict[str, Any]) -> None:
    """Refuse settings that no run of this bench has written. Raises Ga2Error."""
    if recorded["simulator"] not in SIMULATORS:
        raise Ga2Error(f"unknown simulator {recorded['simulator'][:40]!a}; there are {', '.join(SIMULATORS)}")
    unknown = sorted(set(recorded["chip"]) - set(RTL_VARIABLES))
    if unknown:
        raise Ga2Error(f"chip: unknown variable {unknown[0][:40]!a}; there are {', '.join(RTL_VARIABLES)}")
    Chip.from_variables(recorded["chip"])
    checked_plusargs(recorded["plusargs"])
