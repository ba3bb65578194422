"""A decoding whose speculative tokens are wrong although every program is right."""

from __future__ import annotations

from dataclasses import replace

import pyuvm
from pyuvm import uvm_factory

from sequences.speculative_decode import SpeculativeDecodeSequence
from verif.uvm_tests import decode


class ForgetfulDecodeSequence(SpeculativeDecodeSequence):
    """Loses the last token."""

    async def body(self) -> None:
        """Decode, and forget."""
        await super().body()
        assert self.run is not None
        self.run = replace(self.run, tokens=self.run.tokens[:-1])


@pyuvm.test()
class WrongTokensTest(decode.DecodeTest):
    """Takes and reports what DecodeTest does."""

    counts_for_coverage = False

    def build_phase(self) -> None:
        """Replace the sequence before it is made."""
        super().build_phase()
        uvm_factory().set_type_override_by_type(SpeculativeDecodeSequence, ForgetfulDecodeSequence)
