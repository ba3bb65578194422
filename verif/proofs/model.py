"""Reads a model that Yosys' solver found (WaveJSON)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verif.proofs.design import HOLD
from verif.proofs.proof import Counterexample


def read_model(path: Path, properties: Sequence[str]) -> Counterexample:
    """Return the run of a model, and which of the properties do not hold in its last cycle."""
    signals = {}
    for signal in read_signals(path):
        values = _values(signal["wave"], signal.get("data", []))
        signals[signal["name"]] = values[1:]  # the first is the initial state of registers
    broken = tuple(name for name in properties if signals.get(f"{HOLD}.{name}", ("1",))[-1] == "0")
    shown = {name: values for name, values in signals.items() if not name.startswith((HOLD, "cover."))}
    return Counterexample(broken, dict(sorted(shown.items())))


def read_signals(path: Path) -> list[dict[str, Any]]:
    """Return the signals of a model. Yosys does not escape the backslashes of names, as JSON demands."""
    text = path.read_text(encoding="utf-8").replace("\\", "\\\\")
    signals: list[dict[str, Any]] = json.loads(text)["signal"]
    return signals


def _values(wave: str, data: Sequence[str]) -> tuple[str, ...]:
    """Return the bits in each cycle: a letter is a bit, `=` the next of the data, `.` what was before."""
    values: list[str] = []
    following = iter(data)
    for letter in wave:
        if letter == "=" or letter in "23456789":
            values.append(next(following, ""))
        else:
            values.append(values[-1] if letter == "." and values else letter)
    return tuple(values)
