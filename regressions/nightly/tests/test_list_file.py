"""Lists, good ones and every way to get one wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.nightly.list_file import NAMES, ListError, find_list, known_tests, load_list
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("description = 3 4", r": is not TOML: .*line 1"),
        (GOOD.replace("[[test]]", "[[test"), r": is not TOML: .*line 3"),
        (GOOD.replace("timeout", "timeuot"), r":6: a: timeuot: unknown key; did you mean timeout\?"),
        (GOOD + "tag = []", r":8: a: tag: unknown key; did you mean tags\?"),
        (GOOD.partition("\n")[2], r": description: Field required"),
        (GOOD.replace("description", "descripton"), r": descripton: unknown key; did you mean description"),
        (GOOD.replace("timeout = 10\n", ""), r":3: a: timeout: Field required"),
        (GOOD.replace("10", "0"), r":6: a: timeout: Input should be greater than 0"),
        (GOOD.replace('"a"', '"A b"'), r":4: A b: name: String should match pattern"),
        (GOOD.replace("DirectedTest", "DirectTest"), r":5: a: unknown test 'directed.DirectTest'; did you"),
        (GOOD + 'simulators = ["ikarus"]', r":8: a: unknown simulator 'ikarus'; did you mean icarus\?"),
        (GOOD + 'build = "optimised"', r":8: a: unknown build 'optimised'; did you mean optimized\?"),
        (GOOD + 'build = "z"', r":8: a: unknown build 'z'; there are optimized, coverage, x-random"),
        (GOOD + "reseed = 3", r":3: a: it has no reason; say beside seeds or reseed why"),
        (GOOD + 'seeds = [1]\nreseed = 3\nreason = "r"', r":3: a: it has both seeds and reseed"),
        (GOOD + 'seeds = [0]\nreason = "r"', r":3: a: a seed is a number from 1 to 2147483647"),
        (GOOD.replace('"$seed"', "3") + 'reseed = 3\nreason = "r"', r":3: a: other seeds change nothing"),
        (GOOD.replace("10", "inf"), r":6: a: timeout: Input should be a finite number"),
        (GOOD.replace("10", "1e9"), r":6: a: timeout: Input should be less than or equal to 86400"),
        (GOOD.replace("10", '"10"'), r":6: a: timeout: Input should be a valid number"),
        (GOOD.replace('"$seed"', "[{ x = nan }]"), r":7: a: parameters: Input should be a finite number"),
        (GOOD.replace('"$seed"', "1979-05-27"), r":7: a: parameters: input was not a valid JSON value"),
        (GOOD.replace('"a"', '"' + "a" * 101 + '"'), r":4: a+: name: String should match pattern"),
        ("x = " + "[" * 5000 + "]" * 5000, r": is nested too deeply"),
        ('include = ["a\\u0000"]\n' + GOOD, r": \[\[include\]\]: String should match pattern"),
        ("include = [3]\n" + GOOD, r": \[\[include\]\]: Input should be a valid string"),
        (GOOD + "initial_states = 3", r":3: a: initial_states belongs to build x-random"),
        (GOOD + 'build = "x-random"\nsimulators = ["icarus"]', r":3: a: build x-random compares both"),
        (GOOD + GOOD.partition("\n")[2], r": two tests are called a; rename one"),
        ('description = "d"\ntest = [3]', r": \[\[test\]\]: Input should be a valid dictionary"),
        (
            'description = "d"\ntest = [{ name = "a", tset = 3 }]',
            r": a: tset: unknown key; did you mean test",
        ),
        ('description = "d"\ntest = 3', r": test: Input should be a valid list"),
        ('description = "d"', r": it lists nothing; add a \[\[test\]\]"),
        (GOOD + '[[jobs]]\nfile = "none.toml"\ntimeout = 3', r"none\.toml: No such file or directory"),
        (
            GOOD + '[[jobs]]\nfile = "none.toml"\ntimout = 3',
            r":10: \[\[jobs\]\]: timout: unknown key; did you",
        ),
    ],
)
def test_what_is_wrong_is_one_message_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ListError, match=rf"list\.toml{message}|^.*{message}$"):
        load_list(written(tmp_path, text))


def test_a_second_test_is_told_by_its_own_line(tmp_path: Path) -> None:
    second = GOOD.partition("\n\n")[2].replace('"a"', '"b"').replace("10", "-1")
    with pytest.raises(ListError, match=r"list\.toml:12: b: timeout: "):
        load_list(written(tmp_path, f"{GOOD}\n{second}"))


def test_ready_made_jobs_are_tests_of_the_list_that_includes_them(tmp_path: Path) -> None:
    job = '[[job]]\nname = "j"\nsimulator = "icarus"\ntest = "decode.DecodeTest"\nparameters = { seed = 3 }\n'
    (tmp_path / "jobs.toml").write_text(job, encoding="utf-8")
    text = GOOD + '[[jobs]]\nfile = "jobs.toml"\ntimeout = 30\nbuild = "coverage"\ntags = ["t"]\n'
    _, test = load_list(written(tmp_path, text)).test
    assert (test.name, test.test, test.simulators) == ("j", "decode.DecodeTest", ["icarus"])
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
    with pytest.raises(ListError, match=r"list\.toml: it includes other\.toml, which includes others"):
        load_list(path)


def test_an_unknown_list_is_told_with_the_nearest() -> None:
    with pytest.raises(Ga2Error, match=r"LIST: unknown name 'nigthly'; .*did you mean nightly"):
        find_list("nigthly")
    assert find_list("own/list.toml") == Path("own/list.toml")
    with pytest.raises(ListError, match=r"own/list\.toml: No such file"):
        load_list(find_list("own/list.toml"))


def test_every_uvm_test_is_known() -> None:
    assert {"decode.DecodeTest", "protocol.RandomDelayTest", "broken_bench.EndlessTest"} <= set(known_tests())
    assert "base_test.BenchTest" not in known_tests()
