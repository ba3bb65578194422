"""Decodes speculatively on the RTL: draft programs guess, verifier programs judge."""

from __future__ import annotations

from refmodel.speculative.host_loop import HostLoop
from sequences.decode_request import DecodeRequest
from sequences.host_loop_sequence import HostLoopSequence


class SpeculativeDecodeSequence(HostLoopSequence):
    """Draft, verify, accept; each guess and each verdict is one the RTL computed."""

    request = DecodeRequest()
    """What to decode; set before the sequence starts."""

    def host_loop(self) -> HostLoop:
        """Return the speculative loop of the request."""
        return self.request.speculative()
