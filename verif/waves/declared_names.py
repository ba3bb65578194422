"""The names of an FST's signals as they were declared, and as GTKWave knows them.

pywellen leaves ranges out, and takes what an escaped name such as `\\bus[0]` has in brackets for an index.

An FST is a row of blocks: a byte that tells the kind, eight with the length, the content. The block of the
hierarchy is a packed list of scopes and variables (fstapi.h of GTKWave).
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import lz4.block

_GZIP_HIERARCHY, _LZ4_HIERARCHY = 4, 6
_WITHOUT_RANGE = {1, 2, 24, 25, 26, 27}
"""Kinds of variables that GTKWave shows without their range: integer, parameter, and int to byte."""

_SCOPE, _UP, _ATTRIBUTE, _ATTRIBUTE_END = 254, 255, 252, 253
_LENGTH = 8


def declared_names(path: Path) -> dict[str, str]:
    """Return for each full name without range the name with it: `top.unit.turn` and `top.unit.turn[7:1]`.

    As in GTKWave, integers and parameters have none. The file must be whole.
    """
    content = path.read_bytes()
    at = 0
    names: dict[str, str] = {}
    while at < len(content):
        kind = content[at]
        length = int.from_bytes(content[at + 1 : at + 1 + _LENGTH], "big")
        block = content[at + 1 + _LENGTH : at + 1 + length]
        size, packed = int.from_bytes(block[:_LENGTH], "big"), block[_LENGTH:]
        if kind == _GZIP_HIERARCHY:
            names |= dict(_variables(_Reader(gzip.decompress(packed))))
        elif kind == _LZ4_HIERARCHY:
            names |= dict(_variables(_Reader(lz4.block.decompress(packed, uncompressed_size=size))))
        at += 1 + length
    return names


@dataclass
class _Reader:
    """Takes a hierarchy apart from its beginning on."""

    content: bytes
    at: int = 0

    def byte(self) -> int:
        self.at += 1
        return self.content[self.at - 1]

    def text(self) -> str:
        end = self.content.index(0, self.at)
        text, self.at = self.content[self.at : end].decode(errors="replace"), end + 1
        return text

    def skip_number(self) -> None:
        """Skip an integer of seven bits a byte."""
        while self.byte() & 0x80:
            pass

    @property
    def is_done(self) -> bool:
        return self.at >= len(self.content)


def _variables(reader: _Reader) -> Iterator[tuple[str, str]]:
    """Yield the two names of each variable."""
    scopes: list[str] = []
    while not reader.is_done:
        match reader.byte():
            case tag if tag == _SCOPE:
                reader.byte()
                scopes.append(reader.text())
                reader.text()
            case tag if tag == _UP:
                scopes.pop()
            case tag if tag == _ATTRIBUTE:
                reader.at += 2
                reader.text()
                reader.skip_number()
            case tag if tag == _ATTRIBUTE_END:
                pass
            case tag:
                reader.byte()
                name, _, declared_range = reader.text().partition(" ")
                reader.skip_number()
                reader.skip_number()
                full_name = ".".join([*scopes, name])
                yield full_name, full_name + ("" if tag in _WITHOUT_RANGE else declared_range)
