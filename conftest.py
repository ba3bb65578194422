"""Options and fixtures for every test of the project; `make test` passes its variables on to them."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

SIMULATORS = ("icarus", "verilator")
LARGEST_SEED = 2**31 - 1
"""As in verif.simulation, which is not there where a copy of this file runs beside a copy of a few tests."""

WAVES = ("window", "all", "none")

PASSED = pytest.StashKey[bool]()
"""Has this test passed? Known once its body has ended."""

RUN_VARIABLE = "GA2_TEST_RUN"
"""Environment variable that tells this run from others beside it; all of its workers inherit it."""

ROOT = Path(__file__).parent

USERS_OUT = ROOT / "out"
"""Where the user's own commands leave their results; a test writes there only what its options ask for."""

# Packages read GA2_OUT when they are imported, which happens later than here. Workers share no file.
os.environ.setdefault(RUN_VARIABLE, str(os.getpid()))
os.environ["GA2_OUT"] = str(
    USERS_OUT / "tests" / os.environ[RUN_VARIABLE] / os.environ.get("PYTEST_XDIST_WORKER", "commands")
)

# Property tests draw the same examples on every machine and keep no database between runs. They have no limit
# of time, which a busy machine would exceed, and their fixtures serve all examples of a test. With the slow
# tests they draw ten times as many.
settings.register_profile(
    "deterministic",
    max_examples=30,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("deterministic")
settings.register_profile("thorough", max_examples=300)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the project's own options."""
    group = parser.getgroup("ga2")
    group.addoption("--sim", help="run simulator tests on this one only: icarus or verilator")
    group.addoption("--seed", type=int, default=1, help="seed of every random stimulus, from 1 (default: 1)")
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
    if config.getoption("--run-slow"):
        settings.load_profile("thorough")
    chosen = config.getoption("--sim")
    if chosen not in (None, *SIMULATORS):
        raise pytest.UsageError(f"--sim: unknown simulator {chosen!r}; there are {' and '.join(SIMULATORS)}")
    seed = config.getoption("--seed")
    if not 1 <= seed <= LARGEST_SEED:
        raise pytest.UsageError(f"--seed: {seed} is out of range; give a seed from 1 to {LARGEST_SEED}")
    waves = config.getoption("--waves")
    if waves not in WAVES:
        raise pytest.UsageError(f"--waves: unknown name {waves!r}; there are {', '.join(WAVES)}")
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
        self.before = _users_files()
        self.objections: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the tests that ran on a simulator, in whichever worker."""
        self.on_simulator += report.when == "call" and ("on_simulator", True) in report.user_properties

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Fail a run whose tests passed but that did not do what was asked for; clean up after a good one."""
        if exitstatus == pytest.ExitCode.OK and not session.config.option.collectonly:
            self.objections = list(self._objections(session.config))
        if self.objections:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if session.exitstatus == pytest.ExitCode.OK:
            shutil.rmtree(output_directory(), ignore_errors=True)

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
    ) -> None:
        """Print why a run without a failed test is not good."""
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            keyword = config.getoption("keyword")
            matches = f" matches TEST={keyword!r}" if keyword else ""
            terminalreporter.line(f"No test in {' '.join(config.args)}{matches}: see pytest --collect-only.")
        for line in self.objections:
            terminalreporter.line(line)
        if self.on_simulator:
            from verif.simulation.sim_make import not_compared  # it reads GA2_OUT

            for line in not_compared():
                terminalreporter.line(line)

    def _objections(self, config: pytest.Config) -> Iterator[str]:
        if os.environ.get("RTL") and not self.on_simulator:
            rtl = ascii(os.environ["RTL"][:500])[1:-1]
            yield f"RTL={rtl}: none of these tests runs on a simulator; it was not tried."
        after = _users_files()
        changed = sorted(name for name in {*self.before, *after} if self.before.get(name) != after.get(name))
        for option, directory in (("coverage", "coverage"), ("code_coverage", "code-coverage")):
            collected = [name for name in changed if name.startswith(f"out/{directory}/")]
            if config.getoption(option):
                changed = [name for name in changed if name not in collected]
                if not collected:
                    yield (
                        f"{option.upper()}=1: these tests collected none. Coverage comes from tests in "
                        "verif/tests that run the RTL as it is (TEST=directed, for example), code coverage "
                        "from Verilator."
                    )
        if config.getoption("waves") == "all":
            changed = [name for name in changed if not name.startswith("out/waves/")]
        if changed:
            yield (
                f"A test (or a command beside the tests) changed {len(changed)} files of the user's, "
                f"{changed[0]} first; tests write below $GA2_OUT, tmp_path or simulation_output."
            )


def _users_files() -> dict[str, tuple[int, int]]:
    """Return time and size of every file that users keep, by its path: what no test may touch."""
    found = {}
    for kept in (USERS_OUT, ROOT / "regressions" / "lists", ROOT / "history.sqlite"):
        paths = [kept]
        for directory, inner, names in os.walk(kept):
            inner[:] = [name for name in inner if Path(directory, name) != USERS_OUT / "tests"]
            paths += [Path(directory, name) for name in names]
        for path in paths:
            with contextlib.suppress(OSError):  # not there, or a command beside the tests has removed it
                status = path.lstat()
                if not stat.S_ISDIR(status.st_mode):
                    found[path.relative_to(ROOT).as_posix()] = (status.st_mtime_ns, status.st_size)
    return found


def output_directory() -> Path:
    """Return where this run's simulations leave their files; removed when everything passed."""
    return USERS_OUT / "tests" / os.environ[RUN_VARIABLE]


@pytest.fixture(scope="session")
def seed(request: pytest.FixtureRequest) -> int:
    """Return the seed from which a test derives all its random stimulus."""
    value: int = request.config.getoption("--seed")
    return value


@pytest.fixture
def quick_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Verilator's builds compile in half the time, for tests that simulate little on RTL of their own."""
    monkeypatch.setenv("CXX_OPTIMIZATION", "0")


@pytest.fixture
def rtl_directory(request: pytest.FixtureRequest) -> Path:
    """Return an empty directory for RTL that this test writes, with `quick_build`.

    It is the same in every run, so that its builds take the place of those of the run before.
    """
    request.getfixturevalue("quick_build")
    name = re.sub(r"[^\w.-]+", "-", request.node.nodeid)
    directory = USERS_OUT / "tests" / "rtl" / name
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
