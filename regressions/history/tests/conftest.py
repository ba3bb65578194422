"""A history of made-up nights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from regressions.history.recording import record_nights
from regressions.history.tests.made_up import write_night

MakeHistory = Callable[..., Path]


@pytest.fixture
def history_of(tmp_path: Path) -> MakeHistory:
    """Put nights into a history and return its file."""

    def make(*nights: dict[str, Any]) -> Path:
        path = tmp_path / "history.sqlite"
        record_nights(path, [write_night(tmp_path / "nights", night) for night in nights])
        return path

    return make
