"""The command line: one function a command, and one place that turns errors into a line and a status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import typer

from refmodel.errors import Ga2Error
from refmodel.printable import printable
from regressions.exit_status import ExitStatus
from regressions.missing_package import told
from regressions.terminal import show

LONGEST_LINE, LONGEST_MESSAGE = 1000, 60
"""Characters of a line, and lines, that an error prints."""

COMMANDS = {
    "decode": "decode",
    "replay": "replay",
    "asm": "asm",
    "disasm": "disasm",
    "explain": "explain",
    "diff": "diff",
    "reproduce": "reproduce_failure",
    "shrink": "shrink",
    "waves": "waves",
    "timeline": "timeline",
    "run": "run",
    "prove": "prove",
    "qualify": "qualify_bench",
    "gates": "gates",
    "qualify-software": "qualify_software",
    "nightly": "nightly",
    "figures": "propose_figures",
    "report": "report",
    "history": "app",
    "bench": "bench",
    "close": "close",
    "coverage": "app",
    "code-coverage": "app",
    "study": "app",
    "testplan": "testplan",
    "walkthrough": "walkthrough",
}
"""Every command, in the order of the help, and what it is in its module: a function, or an application."""


def command_line(arguments: Sequence[str] | None = None) -> typer.Typer:
    """Return the application for some arguments: the command that they begin with alone is loaded, or all."""
    first = (sys.argv[1:] if arguments is None else arguments)[:1]
    names = first if first and first[0] in COMMANDS else COMMANDS
    application = typer.Typer(
        name="regressions",
        help="Runs GA2's RTL and its reference model. Exit status: 0 good, 1 a mismatch or a hang, "
        "2 bad input, 3 other sources than those of the failure or the run.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    application.callback()(lambda: None)  # a single command too is called by its name
    for name in names:
        module = import_module(f"regressions.commands.{name.replace('-', '_')}")
        command = getattr(module, COMMANDS[name])
        if isinstance(command, typer.Typer):
            application.add_typer(command, name=name)
        else:
            application.command(name)(command)
    return application


def main(arguments: Sequence[str] | None = None, application: typer.Typer | None = None) -> int:
    """Run one command and return its exit status; whatever the user can cause is one line, no traceback."""
    try:
        status = (application or command_line(arguments))(
            args=arguments, standalone_mode=False, prog_name="regressions"
        )
        sys.stdout.flush()
        if status == ExitStatus.INTERRUPTED:  # typer makes this of Ctrl-C, without a word
            raise KeyboardInterrupt
    except typer.TyperException as error:  # wrong options
        return _complain(error.format_message(), ExitStatus(error.exit_code))
    except Ga2Error as error:
        return _complain(str(error), _status_of(error))
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


def _status_of(error: Ga2Error) -> ExitStatus:
    """Return the exit status of what a command raised; what it did not load it cannot raise."""
    for module, name, status in (
        ("regressions.rtl", "RtlFailure", ExitStatus.MISMATCH),
        ("verif.sources", "SourcesError", ExitStatus.OTHER_SOURCES),
    ):
        if module in sys.modules and isinstance(error, getattr(sys.modules[module], name)):
            return status
    return ExitStatus.BAD_INPUT


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
