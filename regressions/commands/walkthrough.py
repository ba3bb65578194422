"""`walkthrough`: writes docs/debugging.md and its pictures."""

from __future__ import annotations

from regressions.exit_status import ExitStatus
from regressions.patience import working
from sequences.whole_file import write_bytes, write_text
from verif.simulation.plain_path import REPOSITORY

PAGE = REPOSITORY / "docs" / "debugging.md"
PICTURES = REPOSITORY / "docs" / "pictures"


def walkthrough() -> ExitStatus:
    """Write docs/debugging.md by finding a planted error."""
    from regressions.walkthrough.page import small_picture, walkthrough_page  # with libraries for this alone
    from regressions.walkthrough.story import tell

    with working("looking for a planted error", "verilator"):
        story = tell()
    write_text(PAGE, walkthrough_page(story))
    PICTURES.mkdir(exist_ok=True)
    write_bytes(PICTURES / "debugging-window.png", small_picture(story.failure.picture))
    write_bytes(PICTURES / "debugging-shrunk.png", small_picture(story.shrunk.picture))
    return ExitStatus.GOOD
