"""What is done for a failure beside finding it must not hide it, whatever goes wrong."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from refmodel.errors import Ga2Error

TRACEBACK = "traceback.txt"

_T = TypeVar("_T")


def attempt(work: Callable[[], _T], otherwise: str, folder: Path) -> tuple[_T | None, str]:
    """Do some work; return its result and nothing, or None and a sentence: `otherwise`, and why.

    An exception that is no Ga2Error is a mistake in the bench. It is told as one, and its traceback is left
    in `folder`, that of the failure.
    """
    try:
        return work(), ""
    except (Ga2Error, OSError) as error:
        return None, f"{otherwise}: {error}"
    except Exception as error:  # whatever it is, the failure that the work was done for matters more
        with contextlib.suppress(OSError):
            (folder / TRACEBACK).write_text(traceback.format_exc(), encoding="utf-8")
        what = " ".join(f"{type(error).__name__}: {error}".split())
        return None, f"{otherwise}, because the bench itself failed ({what}); see {folder / TRACEBACK}"
