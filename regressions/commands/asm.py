"""`asm`: assembly text to a bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from refmodel.errors import Ga2Error
from refmodel.machine.assembler import assemble
from regressions.exit_status import ExitStatus
from regressions.soundness import require_sound
from sequences.bundle_file import save_bundle


def asm(
    file: Annotated[Path, typer.Argument(help="Assembly text.", metavar="FILE")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The bundle to write.", metavar="BUNDLE")],
) -> ExitStatus:
    """Assemble a text into a bundle.

    A line is an instruction as docs/isa.md spells it, or .word HEX for what no mnemonic yields, or data:
    .ext ADDRESS: WORDS and .spad ADDRESS: WORDS. A # starts a comment.
    """
    try:
        bundle = assemble(file.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise Ga2Error(f"{file}: byte {error.start} is not UTF-8: is this assembly text?") from error
    except Ga2Error as error:
        raise Ga2Error(f"{file}: {error}") from error
    require_sound(file, bundle)
    save_bundle(output, bundle)
    return ExitStatus.GOOD
