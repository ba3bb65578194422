"""Decodes plainly on the RTL: one program a token."""

from __future__ import annotations

from refmodel.speculative.host_loop import HostLoop
from sequences.decode_request import DecodeRequest
from sequences.host_loop_sequence import HostLoopSequence


class PlainDecodeSequence(HostLoopSequence):
    """The target alone, greedily."""

    request = DecodeRequest()
    """What to decode; set before the sequence starts."""

    def host_loop(self) -> HostLoop:
        """Return the plain loop of the request."""
        return self.request.plain()
