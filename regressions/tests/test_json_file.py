"""Results that cannot be written."""

import os
import stat
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.json_file import discard_old, write_json, write_text


def test_the_file_is_named_not_the_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Ga2Error) as raised:
        write_json(tmp_path / "file" / "result.json", {})
    assert str(raised.value) == f"{tmp_path}/file/result.json: cannot be written: Not a directory"


def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        discard_old(pipe)
        write_text(pipe, "result")
        assert os.read(reader, 100) == b"result"
        assert stat.S_ISFIFO(pipe.stat().st_mode)
    finally:
        os.close(reader)
