"""What makes two programs the same to a chip: a digest of everything that reaches it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from sequences.directed.directed_program import DirectedProgram


def series_digest(series: Iterable[DirectedProgram], circumstances: object = ()) -> str:
    """Return a digest of some programs with what happens around them, 64 hexadecimal digits.

    Names, notes and expectations do not count. `circumstances` is whatever else is to tell two series apart;
    its repr must be the same in every process.
    """
    digest = hashlib.sha256()
    for program in series:
        bundle = program.bundle
        digest.update(repr((bundle.code, bundle.ext_words, bundle.read_latency, program.stimulus)).encode())
        digest.update(bundle.ext.tobytes())
        digest.update(b"" if bundle.scratchpad is None else bundle.scratchpad.tobytes())
    digest.update(repr(circumstances).encode())
    return digest.hexdigest()


class StimulusDigest:
    """The digest of programs that come one after another, none of which is kept."""

    def __init__(self) -> None:
        """Begin before the first program."""
        self._digest = hashlib.sha256()

    def add(self, program: DirectedProgram) -> None:
        """Take the next program."""
        self._digest.update(series_digest([program]).encode())

    def hexdigest(self) -> str:
        """Return the digest of the programs so far, 64 hexadecimal digits."""
        return self._digest.hexdigest()
