"""Verilog file lists (.f): what may be in one, and how it is expanded. Nothing in it is executed.

Relative paths start at the repository's root, wherever a command is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from refmodel.errors import Ga2Error
from sequences.text_file import DocumentError, read_text
from verif.simulation.plain_path import REPOSITORY

ALLOWED = "+define+NAME[=VALUE], +incdir+DIR, +libext+SUFFIX, -y DIR, -v FILE, -f LIST and -F LIST"
"""The options that both simulators take and that start no program."""

SOURCE_SUFFIXES = (".sv", ".v", ".svh", ".vh", ".svp", ".vp")

MOST_ENTRIES = 10_000

_WITH_PATH = ("-y", "-v", "-f", "-F")
_COMMENT = re.compile(r'("[^"\n]*")|(?://|#).*')
_WORD = re.compile(r'"([^"\n]*)"|(\S+)')
_DEFINE = re.compile(r"[A-Za-z_]\w*(=\S*)?")
_LIBRARY_SUFFIX = re.compile(r"\.[A-Za-z]\w*")


class FileListError(Ga2Error):
    """Sources that cannot be used; the message says where and why."""


@dataclass(frozen=True)
class Entry:
    """One source or one option with its value."""

    option: str
    """`+define+`, `+incdir+`, `+libext+`, `-y`, `-v` or `-f`; empty for a source."""
    value: str

    @property
    def is_path(self) -> bool:
        """Does the value name a file or a directory?"""
        return self.option not in ("+define+", "+libext+")

    @property
    def exists(self) -> bool:
        """Is there such a file?"""
        return (REPOSITORY / self.value).is_file()


def words_of(text: str) -> list[str]:
    """Return the words of a variable: separated by blanks, or all of it if that is a file's name.

    A word with blanks stands between double quotes.
    """
    if text.strip() and (REPOSITORY / text).is_file():
        return [text]
    return [quoted or bare for quoted, bare in _WORD.findall(text)]


def parse(words: Iterable[str], origin: str) -> list[Entry]:
    """Return what words mean; `a.f` is short for `-f a.f`. Raises FileListError, which names `origin`."""
    return list(_parse(iter(words), origin))


def expand(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries with every list in them expanded.

    A path that does not exist from the repository's root is taken from its list's own directory. Raises
    FileListError.
    """
    found: list[Entry] = []
    lists: dict[Path, list[Entry]] = {}

    def add(entries: Iterable[Entry], folder: Path | None, within: tuple[Path, ...]) -> None:
        for entry in entries:
            path = Path(_located(entry.value, folder))
            if entry.option != "-f" or not (REPOSITORY / path).is_file():
                found.append(Entry(entry.option, str(path)) if entry.is_path else entry)
            else:
                real = (REPOSITORY / path).resolve()
                if real in within:
                    raise FileListError(f"{path}: the list includes itself")
                if path not in lists:
                    lists[path] = parse(_words_of_list(path), str(path))
                add(lists[path], path.parent, (*within, real))
            if len(found) > MOST_ENTRIES:
                raise FileListError(f"{path}: more than {MOST_ENTRIES} entries with it")

    add(entries, None, ())
    return found


def _parse(words: Iterator[str], origin: str) -> Iterator[Entry]:
    for word in words:
        if not word.isprintable():
            raise FileListError(f"{origin}: {word[:40]!r} has characters that cannot be printed")
        if word in _WITH_PATH:
            path = next(words, None)
            if path is None:
                raise FileListError(f"{origin}: {word} at the end names nothing")
            yield Entry(word.lower(), path)
        elif word[0] == "+":
            yield from _plus_options(word, origin)
        elif word[0] == "-":
            raise _not_allowed(word, origin)
        elif word.endswith(".f"):
            yield Entry("-f", word)
        elif word.endswith(SOURCE_SUFFIXES):
            yield Entry("", word)
        else:
            suffixes = ", ".join(SOURCE_SUFFIXES)
            raise FileListError(
                f"{origin}: {word} is neither a source ({suffixes}) nor a file list (.f); put a path with a "
                "blank between double quotes"
            )


def _plus_options(word: str, origin: str) -> Iterator[Entry]:
    _, name, *values = word.split("+")
    pattern = {"define": _DEFINE, "incdir": re.compile(".+"), "libext": _LIBRARY_SUFFIX}.get(name)
    if pattern is None or not values or not all(map(pattern.fullmatch, values)):
        raise _not_allowed(word, origin)
    for value in values:
        yield Entry(f"+{name}+", value)


def _not_allowed(word: str, origin: str) -> FileListError:
    return FileListError(f"{origin}: option {word[:80]!r} is not allowed; allowed are {ALLOWED}")


def _located(path: str, folder: Path | None) -> str:
    beside = folder / path if folder is not None else None
    if beside is None or (REPOSITORY / path).exists() or not (REPOSITORY / beside).exists():
        return path
    return str(beside)


def _words_of_list(path: Path) -> list[str]:
    try:
        text = read_text(REPOSITORY / path)
    except DocumentError as error:
        raise FileListError(f"{path}: {error.problem}") from error
    lines = (_COMMENT.sub(r"\1", line) for line in text.splitlines())
    return [quoted or bare for line in lines for quoted, bare in _WORD.findall(line)]
