"""The command line: one function a command, and one place that turns errors into a line and a status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer

from refmodel.errors import Ga2Error
from refmodel.printable import printable
from regressions.commands import (
    asm,
    bench,
    close,
    code_coverage,
    coverage,
    decode,
    diff,
    disasm,
    explain,
    figures,
    history,
    nightly,
    qualify,
    qualify_software,
    replay,
    report,
    reproduce,
    run,
    shrink,
    study,
    testplan,
    timeline,
    walkthrough,
    waves,
)
from regressions.exit_status import ExitStatus
from regressions.missing_package import told
from regressions.rtl import RtlFailure
from regressions.terminal import show
from verif.sources import SourcesError

LONGEST_LINE, LONGEST_MESSAGE = 1000, 60
"""Characters of a line, and lines, that an error prints."""

app = typer.Typer(
    name="regressions",
    help="Runs GA2's RTL and its reference model. Exit status: 0 good, 1 a mismatch or a hang, 2 bad input, "
    "3 other sources than those of the failure or the run.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("decode")(decode.decode)
app.command("replay")(replay.replay)
app.command("asm")(asm.asm)
app.command("disasm")(disasm.disasm)
app.command("explain")(explain.explain)
app.command("diff")(diff.diff)
app.command("reproduce")(reproduce.reproduce_failure)
app.command("shrink")(shrink.shrink)
app.command("waves")(waves.waves)
app.command("timeline")(timeline.timeline)
app.command("run")(run.run)
app.command("qualify")(qualify.qualify_bench)
app.command("qualify-software")(qualify_software.qualify_software)
app.command("nightly")(nightly.nightly)
app.command("figures")(figures.propose_figures)
app.command("report")(report.report)
app.add_typer(history.app, name="history")
app.command("bench")(bench.bench)
app.command("close")(close.close)
app.add_typer(coverage.app, name="coverage")
app.add_typer(code_coverage.app, name="code-coverage")
app.add_typer(study.app, name="study")
app.command("testplan")(testplan.testplan)
app.command("walkthrough")(walkthrough.walkthrough)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; whatever the user can cause is one line, no traceback."""
    try:
        status = app(args=arguments, standalone_mode=False, prog_name="regressions")
        sys.stdout.flush()
        if status == ExitStatus.INTERRUPTED:  # typer makes this of Ctrl-C, without a word
            raise KeyboardInterrupt
    except typer.TyperException as error:  # wrong options
        return _complain(error.format_message(), ExitStatus(error.exit_code))
    except RtlFailure as error:
        return _complain(str(error), ExitStatus.MISMATCH)
    except SourcesError as error:
        return _complain(str(error), ExitStatus.OTHER_SOURCES)
    except Ga2Error as error:
        return _complain(str(error), ExitStatus.BAD_INPUT)
    except ModuleNotFoundError as error:  # of what only some commands load
        message = told(error)
        if not message:
            raise
        return _complain(message, ExitStatus.BAD_INPUT)
    except OSError as error:
        if error.filename is None:  # a full disk, or a reader such as `head` that has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left must go somewhere
        where = error.filename or "standard output"
        return _complain(f"{where}: {error.strerror}", ExitStatus.BAD_INPUT)
    except SystemExit:  # rich makes this of such a reader, with the status of a mismatch
        return _complain("standard output: Broken pipe", ExitStatus.BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", ExitStatus.INTERRUPTED)
    return int(status or ExitStatus.GOOD)


def _shortened(message: str) -> str:
    """Return a message of which neither a line nor the number of lines is endless, as input may be."""
    lines = message.split("\n")
    left_out = len(lines) - LONGEST_MESSAGE
    if left_out > 0:
        head = LONGEST_MESSAGE * 2 // 3
        lines[head : head + left_out] = [f"… {left_out:,} lines left out …"]
    return "\n".join(printable(line, LONGEST_LINE) for line in lines)


def _complain(message: str, status: ExitStatus) -> ExitStatus:
    if message:  # without arguments typer shows its help instead
        try:
            show(f"error: {_shortened(message)}", file=sys.stderr)
            sys.stderr.flush()
        except OSError:  # the terminal is gone, or the reader of both outputs
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    return status
