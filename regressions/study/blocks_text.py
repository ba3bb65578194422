"""A decoding block by block, for the terminal."""

from __future__ import annotations

from rich.console import Console

from regressions.study.blocks import BlockStudy, StudiedBlock
from regressions.study.wording import draft_name, target_name
from regressions.tables import number_table, uncut


def blocks_title(study: BlockStudy) -> str:
    """Return what was decoded."""
    request = study.request
    target = target_name(request.target, request.target_seed)
    return (
        f"{target}, k = {request.k}, {draft_name(request)}, {request.scales} scales: "
        f"{request.tokens} tokens in {len(study.blocks)} blocks"
    )


def blocks_result(study: BlockStudy) -> str:
    """Return what came of it."""
    last = study.blocks[-1]
    tokens = "tokens equal" if study.decoding.equal else "TOKENS DIFFER"
    return f"{last.cycles:,} cycles against {last.plain_cycles:,} plainly: {study.speedup:.2f}x, {tokens}"


def print_blocks(study: BlockStudy, console: Console) -> None:
    """Print a line for each block, then the result."""
    console.print(blocks_title(study), style="bold")
    table = number_table("#", "cache", "last", "guesses", "stand", "then", "draft", "verify")
    for column in ("tokens", "cycles", "/kcycle", "speedup"):
        table.add_column(column, justify="right", no_wrap=True)
    for number, block in enumerate(study.blocks, 1):
        table.add_row(*_cells(number, block))
    console.print(uncut(table), crop=False)
    console.print(" cache: rows in it before; then: the target's token, + a bonus or ≠ a correction")
    console.print(" tokens to speedup: so far; /kcycle: tokens in 1,000 cycles")
    console.print(blocks_result(study))


def _cells(number: int, block: StudiedBlock) -> tuple[str, ...]:
    return (
        f"{number}",
        f"{block.cached}",
        f"{block.last}",
        " ".join(map(str, block.drafted)),
        f"{block.accepted}",
        f"{'+' if block.all_accepted else '≠'} {block.next_token}",
        f"{block.draft_cycles:,}",
        f"{block.verifier_cycles:,}",
        f"{block.tokens}",
        f"{block.cycles:,}",
        f"{block.tokens_a_kilocycle:.3f}",
        f"{block.speedup:.2f}x",
    )
