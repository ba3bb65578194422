"""Lines for a shell: every command that the project prints for its user to paste."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from verif.simulation.chip import RTL_VARIABLES
from verif.simulation.plain_path import REPOSITORY

_MODULE = ["-m", "regressions"]

_ESCAPED = re.compile(r"\$'((?:[^'\\]|\\x[0-9a-f]{2})*)'")
"""A word with escapes, as `quoted` writes it."""


def command_line(*words: object, settings: Mapping[str, str] | None = None) -> str:
    """Return a line that runs a command of `regressions`; it works in a fresh shell, in any directory.

    Paths among `words` may be relative to the current directory; text is taken as it is. `settings` are
    variables of the environment.
    """
    return in_repository(_regressions(words, settings or {}))


def make_line(*words: str) -> str:
    """Return a line that makes a target of the front door, in any directory."""
    return " ".join(["make -C", quoted(str(REPOSITORY)), *map(quoted, words)])


def checkout_line(commit: str, *words: object, settings: Mapping[str, str] | None = None) -> str:
    """Return a line that checks a commit out, given by its hexadecimal hash, and runs a command there."""
    assert commit.isalnum(), "nothing else may get into a shell"
    return in_repository(f"git checkout {commit} && {_regressions(words, settings or {})}")


def in_repository(command: str) -> str:
    """Return a line that runs a command in the repository and leaves the shell where it is."""
    return f"(cd {quoted(str(REPOSITORY))} && {command})"


def same_here(line: str) -> str:
    """Return the line that does in this checkout what a line in a report does, wherever that was written.

    Nothing of it is kept but the command's words and settings, so that no report brings a command of its own.
    Raises ValueError when it is not a command of this project.
    """
    inner = line.removesuffix(")") if line.startswith("(cd ") else line
    words = shlex.split(_ESCAPED.sub(_unescaped, inner))
    starts = [at for at in range(1, len(words)) if words[at : at + 2] == _MODULE]
    if not starts or len(words) == starts[0] + 2:
        raise ValueError(f"not a command of this project: {line}")
    start = starts[0]
    before = words[: start - 1]
    if before[:1] == ["(cd"]:
        before = before[3:]
    settings = dict(word.split("=", 1) for word in before if "=" in word)
    if len(settings) != len(before) or not settings.keys() <= set(RTL_VARIABLES):
        raise ValueError(f"not a command of this project: {line}")
    return command_line(*words[start + 2 :], settings=settings)


def quoted(value: object) -> str:
    """Return a word of a command; a path as it is named from the repository on."""
    text = _from_repository(value) if isinstance(value, Path) else str(value)
    if text.isprintable():
        return shlex.quote(text)
    escapes = "".join(_escaped(byte) for byte in text.encode(errors="surrogatepass"))
    return f"$'{escapes}'"


def _regressions(words: tuple[object, ...], settings: Mapping[str, str]) -> str:
    variables = (f"{name}={quoted(value)}" for name, value in settings.items())
    return " ".join([*variables, quoted(Path(sys.executable)), *_MODULE, *map(quoted, words)])


def _from_repository(path: Path) -> str:
    absolute = path.absolute()
    return str(absolute.relative_to(REPOSITORY) if absolute.is_relative_to(REPOSITORY) else absolute)


def _unescaped(word: re.Match[str]) -> str:
    """Return a word with escapes as `shlex` reads it."""
    plain = re.sub(rb"\\x(..)", lambda found: bytes([int(found[1], 16)]), word[1].encode())
    return shlex.quote(plain.decode(errors="surrogatepass"))


def _escaped(byte: int) -> str:
    """Return a byte as it stands between `$'` and `'` in Bash."""
    character = chr(byte)
    is_plain = character.isascii() and character.isprintable() and character not in "\\'"
    return character if is_plain else f"\\x{byte:02x}"
