"""`figures`: what the published figures would be after an intended change of the model."""

from __future__ import annotations

from refmodel.published.measured import decodings
from regressions.exit_status import ExitStatus
from regressions.published.proposal import outside_differences, proposed_patch
from regressions.side_by_side import progress_bar
from regressions.terminal import Terminal, show


def propose_figures() -> ExitStatus:
    """Print a patch of the published figures with the values of the reference model, for review.

    Changes nothing. Golden bundles whose expected state differs are listed on standard error: an
    implementation outside this project computed them and has to compute them again. Exits with 1 if anything
    differs.
    """
    console = Terminal(stderr=True)
    with progress_bar(console, "decoding on the model", "decodings") as progress:
        task = progress.add_task("decoding", total=decodings())
        patch = proposed_patch(lambda: progress.advance(task))
    outside = outside_differences()
    show(patch, end="")
    for line in outside:
        console.print(f"not proposed, computed outside this project: {line}", soft_wrap=True)
    if not patch and not outside:
        console.print("the reference model reproduces every published figure and golden bundle")
        return ExitStatus.GOOD
    return ExitStatus.MISMATCH
