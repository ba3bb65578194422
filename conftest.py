"""Options and fixtures for every test of the project; `make test` passes its variables on to them."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from verif.simulation.chip import SIMULATORS

WAVES = ("window", "all", "none")

PASSED = pytest.StashKey[bool]()
"""Has this test passed? Known once its body has ended."""

RUN_VARIABLE = "GA2_TEST_RUN"
"""Environment variable that tells this run from others beside it; all of its workers inherit it."""

# Property tests draw the same examples on every machine and keep no database between runs.
settings.register_profile("deterministic", derandomize=True, database=None, deadline=None)
settings.load_profile("deterministic")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the project's own options."""
    group = parser.getgroup("ga2")
    group.addoption("--sim", help="run simulator tests on this one only: icarus or verilator")
    group.addoption("--seed", type=int, default=1, help="seed of every random stimulus (default: 1)")
    group.addoption(
        "--waves",
        default="window",
        help="what to dump: window (round a failure, in its folder; the default), all (to out/waves/), none",
    )
    group.addoption("--coverage", action="store_true", help="collect functional coverage in out/coverage/")
    group.addoption(
        "--code-coverage", action="store_true", help="count lines, branches and toggles in out/code-coverage/"
    )
    group.addoption("--run-slow", action="store_true", help="run the tests marked slow too")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse an unknown simulator before anything is collected."""
    config.addinivalue_line(
        "markers",
        "slow(simulator): takes long, or on that simulator alone; `make test-all` runs it",
    )
    chosen = config.getoption("--sim")
    if chosen not in (None, *SIMULATORS):
        raise pytest.UsageError(f"--sim: unknown simulator {chosen!r}; there are {' and '.join(SIMULATORS)}")
    waves = config.getoption("--waves")
    if waves not in WAVES:
        raise pytest.UsageError(f"--waves: unknown name {waves!r}; there are {', '.join(WAVES)}")
    os.environ.setdefault(RUN_VARIABLE, str(os.getpid()))
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_RunSummary(), "ga2-run-summary")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that asks for a `simulator` on the chosen one, or on both."""
    if "simulator" in metafunc.fixturenames:
        chosen = metafunc.config.getoption("--sim")
        metafunc.parametrize("simulator", [chosen] if chosen else SIMULATORS, scope="session")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let fixtures know, when they end, whether their test passed."""
    report = yield
    if report.when == "call":
        item.stash[PASSED] = report.passed
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what runs on a simulator, and leave the slow tests out unless they were asked for."""
    for item in items:
        if "simulator" in getattr(item, "fixturenames", ()):
            item.user_properties.append(("on_simulator", True))
    if config.getoption("--run-slow"):
        return
    slow = [item for item in items if _is_slow(item)]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]


def _is_slow(item: pytest.Item) -> bool:
    """Is a test marked slow, or slow on the simulator that it is to run on?"""
    simulator = item.callspec.params.get("simulator") if hasattr(item, "callspec") else None
    marks = list(item.iter_markers("slow"))
    for name in (name for mark in marks for name in mark.args):
        if name not in SIMULATORS:
            raise pytest.UsageError(f"{item.nodeid}: slow({name!r}): there are {' and '.join(SIMULATORS)}")
    return any(not mark.args or simulator in mark.args for mark in marks)


class _RunSummary:
    """What only the process that started the run knows: whether it did what was asked for."""

    def __init__(self) -> None:
        self.on_simulator = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the tests that ran on a simulator, in whichever worker."""
        self.on_simulator += report.when == "call" and ("on_simulator", True) in report.user_properties

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Fail a run that was to judge the user's RTL and never touched it; clean up after a good one."""
        if exitstatus == pytest.ExitCode.OK and self._rtl_untouched(session.config):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if session.exitstatus == pytest.ExitCode.OK:
            shutil.rmtree(output_directory(), ignore_errors=True)

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
    ) -> None:
        """Say why a run without a failed test is no good one."""
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            terminalreporter.line(
                f"No test matches {config.getoption('keyword')!r}: see pytest --collect-only."
            )
        elif self._rtl_untouched(config):
            terminalreporter.line(
                f"RTL={os.environ['RTL']}: none of these tests runs on a simulator; it was not tried."
            )

    def _rtl_untouched(self, config: pytest.Config) -> bool:
        return bool(os.environ.get("RTL")) and not self.on_simulator and not config.option.collectonly


def output_directory() -> Path:
    """Return where this run's simulations leave their files; removed when everything passed."""
    return Path(__file__).parent / "out" / "tests" / os.environ[RUN_VARIABLE]


@pytest.fixture(scope="session")
def seed(request: pytest.FixtureRequest) -> int:
    """Return the seed from which a test derives all its random stimulus."""
    value: int = request.config.getoption("--seed")
    return value


@pytest.fixture
def rtl_directory(request: pytest.FixtureRequest) -> Path:
    """Return an empty directory for RTL that this test writes.

    It is the same in every run, so that its builds take the place of those of the run before.
    """
    name = re.sub(r"[^\w.-]+", "-", request.node.nodeid)
    directory = Path(__file__).parent / "out" / "tests" / "rtl" / name
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return directory


@pytest.fixture(scope="session")
def waves(request: pytest.FixtureRequest) -> str:
    """Return what simulations are to dump, one of `WAVES`."""
    value: str = request.config.getoption("--waves")
    return value


@pytest.fixture(scope="session")
def simulation_output() -> Path:
    """Return the directory below which this run's simulations leave their files."""
    return output_directory()
