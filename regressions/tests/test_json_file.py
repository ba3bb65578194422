"""Results that cannot be written."""

from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.json_file import write_json


def test_the_file_is_named_not_the_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Ga2Error) as raised:
        write_json(tmp_path / "file" / "result.json", {})
    assert str(raised.value) == f"{tmp_path}/file/result.json: cannot be written: Not a directory"
