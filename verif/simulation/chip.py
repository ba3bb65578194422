"""Which chip is simulated: RTL, the SCRATCHPAD variables and MIRRORS, checked in this one place.

They may come from a stranger, in a failure's folder for example. So each has a strict pattern, and neither
make nor a shell expands any of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from refmodel.errors import Ga2Error
from verif.simulation.file_list import Entry, expand, parse, words_of

SIMULATORS = ("icarus", "verilator")

PROJECT_RTL = "hdl/rtl/ga2.f"
HARNESS = "hdl/tb/tb.f"
PROJECT_MIRRORS = "hdl/tb/ga2_tb_mirrors.sv"

_NAME = r"[A-Za-z_][\w$]*(?:\[\d+\])*"
_HIERARCHICAL_NAME = re.compile(rf"{_NAME}(?:\.{_NAME})*", re.ASCII)

_PLUSARG = re.compile(r"\+[A-Za-z_]\w*(?:=[\w.,:-]*)?", re.ASCII)

_OWN_PLUSARGS = ("waves", "waves_all", "bare", "bare_images")
"""The harness's own, which name files that it writes and reads; sim.mk has variables for them."""


class ChipError(Ga2Error):
    """An invalid value; the message begins with the variable's name."""


@dataclass(frozen=True)
class Chip:
    """The RTL of module ga2 and what the harness must know of its inside.

    Raises Ga2Error if a value is invalid.
    """

    rtl: str = ""
    """A file list or source files, options between them; empty: the project's own."""
    scratchpad: str = ""
    """Path of the scratchpad's memory below the harness's `dut`."""
    scratchpad_write: str = ""
    """Enable, address and data of its write port, separated by commas; or `none`."""
    scratchpad_read: str = ""
    """Enable of its read port; or `none`."""
    mirrors: str = ""
    """The source of module ga2_tb_mirrors."""

    def __post_init__(self) -> None:
        """Check every value; that the files exist is checked when they are used."""
        parse(words_of(self.rtl), "RTL")
        mirrors = parse([self.mirrors] if self.mirrors else [], "MIRRORS")
        if any(entry.option for entry in mirrors):
            raise ChipError(f"MIRRORS={self.mirrors}: give one source file")
        if not _HIERARCHICAL_NAME.fullmatch(self.scratchpad or "default"):
            raise ChipError(
                f"SCRATCHPAD={self.scratchpad[:80]!a}: not a hierarchical name, as u_scratchpad.mem is"
            )
        if len(self.write_port) not in (0, 3) or not all(map(_HIERARCHICAL_NAME.fullmatch, self.write_port)):
            raise ChipError(
                f"SCRATCHPAD_WRITE={self.scratchpad_write[:80]!a}: give three paths, for enable, address and "
                "data, or none"
            )
        if not _HIERARCHICAL_NAME.fullmatch(self.read_port or "none"):
            raise ChipError(
                f"SCRATCHPAD_READ={self.scratchpad_read[:80]!a}: give the path of the read enable, or none"
            )

    @classmethod
    def from_variables(cls, variables: Mapping[str, str]) -> Chip:
        """Return the chip that the variables of sim.mk choose."""
        return cls(*(variables.get(name, "") for name in RTL_VARIABLES))

    @property
    def is_the_projects(self) -> bool:
        """Is nothing set?"""
        return self == Chip()

    @property
    def memory(self) -> str:
        """The scratchpad's path with its default filled in."""
        return self.scratchpad or "u_scratchpad.mem"

    @property
    def write_port(self) -> tuple[str, ...]:
        """Enable, address and data of the scratchpad's write port; empty if nobody has named it."""
        unit = "u_scratchpad"
        default = "none" if self.scratchpad else f"{unit}.write_i,{unit}.write_addr_i,{unit}.write_data_i"
        given = self.scratchpad_write or default
        return () if given == "none" else tuple(given.replace(",", " ").split())

    @property
    def read_port(self) -> str:
        """Enable of the scratchpad's read port; empty if nobody has named it.

        Its default belongs to the default write port: RTL whose write port has another name has another here.
        """
        default = "none" if self.scratchpad or self.scratchpad_write else "u_scratchpad.read_i"
        given = self.scratchpad_read or default
        return "" if given == "none" else given

    @property
    def not_compared(self) -> tuple[str, ...]:
        """What a run cannot compare since a port has no name, as lines to print with its verdict."""
        lines = []
        if not self.write_port:
            lines.append("scratchpad writes not compared: SCRATCHPAD_WRITE names no write port")
        if not self.read_port:
            lines.append("scratchpad reads not compared: SCRATCHPAD_READ names no read enable")
        return tuple(lines)

    @cached_property
    def sources(self) -> tuple[Entry, ...]:
        """The RTL's sources and options. Raises Ga2Error when a file is missing."""
        return _existing(words_of(self.rtl) or [PROJECT_RTL], f"RTL={self.rtl}" if self.rtl else PROJECT_RTL)

    @cached_property
    def bench_sources(self) -> tuple[Entry, ...]:
        """The whole simulation's: those of the harness, of the RTL and of the mirrors. Raises Ga2Error.

        The harness comes first, so that no directive in the RTL reaches it.
        """
        mirrors = self.mirrors or ("" if self.rtl or self.scratchpad else PROJECT_MIRRORS)
        prefixes = ("", "_ADDR", "_DATA")
        defines = [
            f"GA2_SCRATCHPAD_WRITE{suffix}=ga2_tb.dut.{signal}"
            for suffix, signal in zip(prefixes, self.write_port, strict=False)
        ]
        defines += [f"GA2_SCRATCHPAD_READ=ga2_tb.dut.{self.read_port}"] if self.read_port else []
        defines += ["GA2_MIRRORS"] if mirrors else []
        return (
            *(Entry("+define+", define) for define in defines),
            *_existing([HARNESS], HARNESS),
            *self.sources,
            *(_existing([mirrors], f"MIRRORS={mirrors}") if mirrors else ()),
        )


RTL_VARIABLES = ("RTL", "SCRATCHPAD", "SCRATCHPAD_WRITE", "SCRATCHPAD_READ", "MIRRORS")
"""The variables of sim.mk that say what the chip is, in the order of Chip's fields."""


def checked_plusargs(plusargs: Sequence[str]) -> tuple[str, ...]:
    """Return the plusargs if each is `+name` or `+name=value` and names no file. Raises ChipError."""
    for plusarg in plusargs:
        name = plusarg[1:].partition("=")[0]
        if not _PLUSARG.fullmatch(plusarg) or name in _OWN_PLUSARGS:
            raise ChipError(f"{plusarg[:80]!a}: not a plusarg of the form +name or +name=value")
    return tuple(plusargs)


def _existing(words: Sequence[str], origin: str) -> tuple[Entry, ...]:
    entries = expand(parse(words, origin))
    missing = [entry.value for entry in entries if entry.option in ("", "-v", "-f") and not entry.exists]
    if missing:
        raise ChipError(f"no such source file: {' '.join(missing)} (from {origin})")
    return tuple(entries)
