"""`disasm`: a bundle to assembly text."""

from __future__ import annotations

from refmodel.machine.disassembler import disassemble
from regressions.exit_status import ExitStatus
from regressions.options import BundleArgument
from regressions.terminal import show
from sequences.bundle_file import load_bundle


def disasm(bundle: BundleArgument) -> ExitStatus:
    """Print a bundle as the text that `asm` makes the same bundle of.

    Comments say what each instruction is for, if the bundle has a source map; `asm` keeps no map.
    """
    show(disassemble(load_bundle(bundle)), end="")
    return ExitStatus.GOOD
