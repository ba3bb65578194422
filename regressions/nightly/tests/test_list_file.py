"""Lists that are right, and what they include; test_malformed_lists.py has the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.nightly.known import known_tests
from regressions.nightly.list_file import NAMES, find_list, load_list
from regressions.nightly.list_source import ListError
from regressions.testplan.plan import covers, load_plan

GOOD = """description = "d"

[[test]]
name = "a"
test = "directed.DirectedTest"
timeout = 10
parameters = { seed = "$seed" }
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "list.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", NAMES)
def test_the_projects_lists_are_right_and_belong_to_the_test_plan(name: str) -> None:
    tests = load_list(find_list(name)).test
    patterns = [pattern for feature in load_plan().features for pattern in feature.tests]
    for each in tests:
        module, _, test = each.test.rpartition(".")
        assert any(covers(pattern, f"verif/uvm_tests/{module}.py::{test}") for pattern in patterns)


def test_a_list_is_read_with_its_defaults(tmp_path: Path) -> None:
    (test,) = load_list(written(tmp_path, GOOD)).test
    assert (test.simulators, test.build, test.reseed) == (["icarus", "verilator"], "optimized", 1)


def test_ready_made_jobs_are_tests_of_the_list_that_includes_them(tmp_path: Path) -> None:
    job = (
        '[[job]]\nname = "j"\nsimulator = "icarus"\ntest = "protocol.RandomDelayTest"\n'
        "parameters = { seed = 3 }\n"
    )
    (tmp_path / "jobs.toml").write_text(job, encoding="utf-8")
    text = GOOD + '[[jobs]]\nfile = "jobs.toml"\ntimeout = 30\nbuild = "coverage"\ntags = ["t"]\n'
    _, test = load_list(written(tmp_path, text)).test
    assert (test.name, test.test, test.simulators) == ("j", "protocol.RandomDelayTest", ["icarus"])
    assert (test.build, test.timeout, test.tags, test.parameters) == ("coverage", 30, ["t"], {"seed": 3})
    (tmp_path / "jobs.toml").write_text(job.replace("icarus", "icaros"), encoding="utf-8")
    with pytest.raises(
        ListError, match=r"jobs\.toml:3: j: unknown simulator 'icaros'; did you mean icarus\?"
    ):
        load_list(written(tmp_path, text))


def test_a_list_may_include_another(tmp_path: Path) -> None:
    other = GOOD.replace('"a"', '"b"')
    (tmp_path / "other.toml").write_text(other, encoding="utf-8")
    path = written(tmp_path, 'include = ["other.toml"]\n' + GOOD)
    assert [test.name for test in load_list(path).test] == ["b", "a"]
    (tmp_path / "other.toml").write_text('include = ["list.toml"]\n' + other, encoding="utf-8")
    with pytest.raises(ListError, match=r"list\.toml:1: include: other\.toml: includes others itself; name"):
        load_list(path)


def test_an_unknown_list_is_told_with_the_nearest() -> None:
    with pytest.raises(Ga2Error, match=r"LIST: unknown name 'nigthly'; .*did you mean nightly"):
        find_list("nigthly")
    assert find_list("own/list.toml") == Path("own/list.toml")
    with pytest.raises(ListError, match=r"own/list\.toml: cannot be read: No such file"):
        load_list(find_list("own/list.toml"))


def test_every_uvm_test_is_known() -> None:
    assert {"decode.DecodeTest", "protocol.RandomDelayTest", "broken_bench.EndlessTest"} <= set(known_tests())
    assert "base_test.BenchTest" not in known_tests()
