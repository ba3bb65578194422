"""Options and fixtures for every test of the project; `make test` passes its variables on to them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

SIMULATORS = ("icarus", "verilator")

# Property tests draw the same examples on every machine and keep no database between runs.
settings.register_profile("deterministic", derandomize=True, database=None, deadline=None)
settings.load_profile("deterministic")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the project's own options."""
    group = parser.getgroup("ga2")
    group.addoption("--sim", help="run simulator tests on this one only: icarus or verilator")
    group.addoption("--seed", type=int, default=1, help="seed of every random stimulus (default: 1)")
    group.addoption("--waves", action="store_true", help="dump every signal to out/waves/ as FST")
    group.addoption("--run-slow", action="store_true", help="run the tests marked slow too")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse an unknown simulator before anything is collected."""
    config.addinivalue_line("markers", "slow: takes long; run by `make test-all` only")
    chosen = config.getoption("--sim")
    if chosen not in (None, *SIMULATORS):
        raise pytest.UsageError(f"--sim: unknown simulator {chosen!r}; there are {' and '.join(SIMULATORS)}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that asks for a `simulator` on the chosen one, or on both."""
    if "simulator" in metafunc.fixturenames:
        chosen = metafunc.config.getoption("--sim")
        metafunc.parametrize("simulator", [chosen] if chosen else SIMULATORS, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the slow tests out unless they were asked for; pytest counts them as deselected."""
    if config.getoption("--run-slow"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]


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
def waves(request: pytest.FixtureRequest) -> bool:
    """Tell whether simulations are to dump their signals."""
    value: bool = request.config.getoption("--waves")
    return value
