"""Writing: files are complete or not there, and what is not a file is written into."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from sequences import whole_file
from sequences.document import read_json
from sequences.whole_file import discard_old, temporary_beside, write_bytes, write_json, write_text


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("old, and longer than the new one")
    write_json(path, {"a": [1]}, indent=None)
    assert path.read_text() == '{"a": [1]}\n'
    assert list(tmp_path.iterdir()) == [path]


def test_json_holds_nothing_that_readers_refuse(tmp_path: Path) -> None:
    write_json(tmp_path / "out", {"a": "\udc80\0é"})
    assert read_json(tmp_path / "out") == {"a": "?\ufffdé"}


def test_lone_surrogates_become_escapes(tmp_path: Path) -> None:
    write_text(tmp_path / "out", "a\udc80é")
    assert (tmp_path / "out").read_bytes() == b"a\\udc80\xc3\xa9"


@pytest.mark.parametrize("to", ["target", "dangling", "second"])
def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path, to: str) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "target").write_text("old")
    (tmp_path / "d" / "second").symlink_to("target")
    link = tmp_path / "link"
    link.symlink_to(Path("d", to))
    write_text(link, "new")
    assert link.readlink() == Path("d", to)
    assert link.read_text() == "new"
    assert not (tmp_path / "d" / to).is_symlink() or to == "second"
    discard_old(link)
    assert link.is_symlink()
    assert not link.exists()


def test_a_circle_of_links_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(Ga2Error, match="a: cannot be written: Too many levels of symbolic links"):
        write_text(tmp_path / "a", "")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to make a link of another user")
def test_a_link_of_another_user_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "link").symlink_to("mine")
    os.lchown(tmp_path / "link", 12345, 12345)
    with pytest.raises(Ga2Error, match="link of another user"):
        write_text(tmp_path / "link", "new")
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_fifo_is_written_into(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    write_bytes(fifo, b"x" * 200_000)  # more than a pipe holds
    reader.join(10)
    assert read == [b"x" * 200_000]
    assert fifo.is_fifo()
    discard_old(fifo)
    assert fifo.is_fifo()


def test_a_fifo_that_no_process_reads_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_file, "READER_SECONDS", 0.1)
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(Ga2Error, match="fifo: cannot be written: no process reads this FIFO"):
        write_bytes(tmp_path / "fifo", b"x")


@pytest.mark.parametrize("through_link", [False, True])
def test_a_device_is_written_into(tmp_path: Path, through_link: bool) -> None:
    device = Path("/dev/full")
    if through_link:
        (tmp_path / "link").symlink_to(device)
    with pytest.raises(Ga2Error, match="cannot be written: No space left on device"):
        write_bytes(tmp_path / "link" if through_link else device, b"x")
    assert device.is_char_device()


def test_standard_output_is_appended_to(tmp_path: Path) -> None:
    out = tmp_path / "out"
    script = (
        "from pathlib import Path; from sequences.whole_file import *\n"
        "print('before', flush=True); discard_old(Path('/dev/stdout')); write_text(Path('/dev/stdout'), 'x')"
    )
    with out.open("w") as file:
        subprocess.run([sys.executable, "-c", script], stdout=file, check=True)
    assert out.read_text() == "before\nx"
    assert Path("/dev/stdout").is_symlink()


@pytest.mark.parametrize("path", ["", ".", "..", "/"])
def test_a_directory_is_one_line(path: str) -> None:
    with pytest.raises(Ga2Error, match="cannot be written: Is a directory"):
        write_text(Path(path), "x")


def test_mode_bits_are_those_of_a_normal_open(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.touch()
    old.chmod(0o604)
    umask = os.umask(0o027)
    try:
        write_text(old, "x")
        write_text(new, "x")
    finally:
        os.umask(umask)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (old, new)] == [0o604, 0o640]


def test_a_failed_write_keeps_the_old_file_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out"
    path.write_text("old")

    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(Ga2Error, match="out: cannot be written: No space left"):
        write_bytes(path, b"new", durable=True)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_killed_writers_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    script = (
        "import os; from pathlib import Path; from sequences.whole_file import temporary_beside\n"
        "temporary_beside(Path('out')).touch()\n"
        "temporary_beside(Path('d')).joinpath('x').mkdir(parents=True)\n"
        "os.kill(os.getpid(), 9)"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env={"PYTHONPATH": str(root)}, check=False)
    assert len(list(tmp_path.iterdir())) == 2
    dead = re.search(r"-(\d+)-\w{8}\.tmp", next(tmp_path.iterdir()).name)
    assert dead is not None
    alive = temporary_beside(tmp_path / "elsewhere" / "out").name
    kept = {alive, f".ga2-otherhost-1-{dead[1]}-01234567.tmp", f".out.{dead[1]}.tmp", "out"}
    for name in kept:
        (tmp_path / name).touch()
    write_text(tmp_path / "out", "x")
    assert {path.name for path in tmp_path.iterdir()} == kept


def test_the_file_is_named_not_the_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Ga2Error) as raised:
        write_json(tmp_path / "file" / "result.json", {})
    assert str(raised.value) == f"{tmp_path}/file/result.json: cannot be written: Not a directory"
