"""Lets cocotb start without pytest, which costs a fifth of the CPU time that a small simulation takes.

cocotb imports pytest for tests that raise its exceptions or expect them, and to rewrite assertions. UVM tests
of this project do neither (verif.simulation.__main__ asks for no rewriting).
"""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

ENTRY_POINTS = (
    f"{__name__}:install",
    "cocotb.logging:_configure",
    "cocotb._init:init_package_from_simulation",
    "cocotb.regression:_run_regression",
)
"""What a simulation runs in its interpreter: `install`, then cocotb's own defaults without its coverage."""


class NeverRaised(BaseException):
    """Stands for each exception of pytest."""


def install() -> None:
    """Put what cocotb reads of pytest in its place."""
    function = SimpleNamespace(Exception=NeverRaised)
    _provide("pytest", raises=function, skip=function, xfail=function)
    _provide("_pytest")
    _provide("_pytest.assertion", install_importhook=None)
    _provide("_pytest.config", Config=None)


def _provide(name: str, **content: object) -> None:
    module = ModuleType(name)
    module.__dict__.update(content)
    sys.modules[name] = module
