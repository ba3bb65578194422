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
from sequences.document import read_text
from sequences.whole_file import require_directory


def asm(
    file: Annotated[Path, typer.Argument(help="Assembly text.", metavar="FILE")],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="The bundle to write.", metavar="BUNDLE", callback=require_directory
        ),
    ],
) -> ExitStatus:
    """Assemble a text into a bundle.

    A line is an instruction as docs/isa.md spells it, or .word HEX for what no mnemonic yields, or data:
    .ext ADDRESS: WORDS and .spad ADDRESS: WORDS. A # starts a comment.
    """
    text = read_text(file)
    try:
        bundle = assemble(text)
    except Ga2Error as error:
        raise Ga2Error(f"{file}: {error}") from error
    if not bundle.code:
        raise Ga2Error(f"{file}: holds no instruction; is it the right file?")
    require_sound(file, bundle)
    save_bundle(output, bundle)
    return ExitStatus.GOOD
