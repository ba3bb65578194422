"""docs/debugging.md tells what happens today."""

import re
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.commands.walkthrough import PAGE, PICTURES
from regressions.walkthrough import story
from regressions.walkthrough.page import walkthrough_page
from verif.failure.investigation import FAILURES


def test_the_page_is_what_its_commands_print_today() -> None:
    told = story.tell()
    assert walkthrough_page(told) == PAGE.read_text(encoding="utf-8"), "make walkthrough writes it again"
    assert not (FAILURES / Path(told.folder).name).exists(), "a passing test leaves no failure"


def test_its_pictures_are_there() -> None:
    names = re.findall(r"\]\(pictures/([^)]+)\)", PAGE.read_text(encoding="utf-8"))
    assert len(names) == 2
    assert sorted(names) == sorted(path.name for path in PICTURES.glob("debugging-*"))


def test_a_command_that_ends_otherwise_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story, "DECODE", ("decode", "--sim", "nonsense"))
    with pytest.raises(Ga2Error, match="expects status 1 of 'decode --sim nonsense', found 2"):
        story.tell()
