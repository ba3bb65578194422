"""Programs by name, so that data can refer to them.

matrix/gaps                     a directed program, as its group calls it
golden/softmax                  a golden bundle, from a scratchpad of zeros
plain-step/sharp-c5             the plain step with 5 tokens of context of a target, with model scales
verifier-block/sharp-c3-m2      the verifier block of 2 rows over a cache of 3
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from refmodel.errors import Ga2Error
from refmodel.language.programs import ProgramFamily
from refmodel.language.target import TARGET_KINDS, make_target
from refmodel.machine.bundle import Bundle
from sequences.directed import GROUPS
from sequences.directed.directed_program import DirectedProgram
from sequences.golden import golden_names, load_golden
from sequences.near_names import did_you_mean
from sequences.preset import preset
from sequences.random_cache import bundle_over_random_cache

_LANGUAGE = re.compile(
    rf"(?P<step>plain-step|verifier-block)/(?P<target>{'|'.join(TARGET_KINDS)})-c(?P<context>\d+)(-m(?P<rows>\d+))?"
)


class UnknownProgramError(Ga2Error):
    """No program has this name."""


def named_program(name: str, seed: int) -> DirectedProgram:
    """Return a program by name; `seed` is that of its data. Raises UnknownProgramError."""
    require_program(name)
    group, _, rest = name.partition("/")
    if group == "golden":
        return DirectedProgram(name, preset(load_golden(rest)))
    language = _LANGUAGE.fullmatch(name)
    if language is not None:
        return DirectedProgram(name, _language_bundle(language, seed))
    return next(program for program in GROUPS[group](seed) if program.name == name)


def require_program(name: str) -> None:
    """Raise UnknownProgramError, with the nearest name, if no program has this one."""
    language = _LANGUAGE.fullmatch(name)
    if language is not None and (language["step"] == "plain-step") == (language["rows"] is None):
        return
    if name not in _fixed_names():
        near = did_you_mean(name, _fixed_names())
        raise UnknownProgramError(
            f"no program is named {name!r}; a name is GROUP/NAME of a directed program "
            f"({', '.join(GROUPS)}), golden/NAME, plain-step/TARGET-cCONTEXT or "
            f"verifier-block/TARGET-cCACHED-mROWS{near}"
        )


@cache
def _fixed_names() -> frozenset[str]:
    """Return the names that stand for one program each; which there are depends on no seed."""
    directed = {program.name for programs in GROUPS.values() for program in programs(0)}
    return frozenset(directed | {f"golden/{name}" for name in golden_names()})


def _language_bundle(parts: re.Match[str], seed: int) -> Bundle:
    context, rows = int(parts["context"]), int(parts["rows"] or 0)
    family = ProgramFamily(make_target(parts["target"]), "model", context + rows)
    target = family.for_plain()
    program = target.verifier(context, rows) if rows else target.plain(context)
    return bundle_over_random_cache(target, program, np.random.default_rng([seed, context, rows]))
