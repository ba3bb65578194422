"""The report.json of a failure's folder read back, which may have been damaged meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from sequences.document import DocumentError, read_json
from verif.failure.folder import REPORT_JSON

_KINDS = {"simulator": str, "seed": int, "chip": dict, "plusargs": list, "first_sign": str}
"""What a further run, or a further report, needs of it."""

_NEEDED = {*_KINDS, "kind"}


def read_report(folder: Path) -> dict[str, Any]:
    """Return a folder's report.json. Raises Ga2Error when the folder is none, or its report damaged."""
    path = folder / REPORT_JSON
    try:
        recorded: dict[str, Any] = read_json(path)
    except DocumentError as error:
        if error.is_missing:
            raise Ga2Error(f"{error}; name the folder that a failure left") from error
        raise Ga2Error(f"{path} is damaged ({error.problem}); run what failed again") from error
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
    return recorded
