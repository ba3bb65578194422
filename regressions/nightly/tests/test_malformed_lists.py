"""Every way to get a list wrong: one message, with the file and the line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regressions.nightly.list_file import load_list
from regressions.nightly.list_source import ListError
from regressions.nightly.tests.test_list_file import GOOD, written

SECOND = GOOD.partition("\n\n")[2]

WRONG = [
    # no TOML
    (
        "description = 3 4",
        r":1: is not TOML: Expected newline or end of document after a statement, column 17",
    ),
    (
        GOOD.replace("[[test]]", "[[test"),
        r":3: is not TOML: Expected ']]' at the end of an array declaration",
    ),
    (GOOD + "timeout = 3", r":8: is not TOML: Cannot overwrite a value"),
    (GOOD + "tags = [", r":8: is not TOML: Invalid value \(at end of document\)"),
    (GOOD + "tags = ['a\x01']", r":8: is not TOML: .*column 11"),
    ("x = " + "[" * 5000 + "]" * 5000, r":1: is nested more than 200 levels deep"),
    (GOOD + "tags = [" + "[\n" * 5000 + "]" * 5001, r":\d+: is nested more than 200 levels deep"),
    (GOOD + "reseed = 1" + "0" * 5000, r":8: has a number with too many digits"),
    # the top level
    (GOOD.partition("\n")[2], r":1: description: Field required"),
    (GOOD.replace("description", "descripton"), r":1: descripton: unknown key; did you mean description\?"),
    (GOOD.replace('"d"', "3"), r":1: description: Input should be a valid string"),
    ("failed_seeds = 1\n" + GOOD, r":1: failed_seeds: Input should be a valid boolean"),
    ('\n\n"a\\nb" = 1\n' + GOOD, r":3: a\\nb: unknown key"),
    (
        GOOD.replace("[[test]]", "[test]"),
        r":3: test: Input should be a valid list; its heading is \[\[test\]\]",
    ),
    ('description = "d"\ntest = 3', r":2: test: Input should be a valid list; its heading is"),
    ('description = "d"\ntest = [3]', r":2: \[\[test\]\]: Input should be a table"),
    ('description = "d"', r":1: it lists nothing; add a \[\[test\]\]"),
    (GOOD + "[[tests]]", r":8: tests: unknown key; did you mean test\?"),
    (GOOD + "[test.x]", r":8: a: x: unknown key"),
    # what it includes
    ("\ninclude = 3\n" + GOOD, r":2: include: Input should be a valid list"),
    ("include = [3]\n" + GOOD, r":1: include: Input should be a valid string"),
    ('include = [\n""]\n' + GOOD, r":2: include: names no file"),
    ('include = ["a\\u0000"]\n' + GOOD, r":1: holds an escaped NUL"),
    (
        'include = ["none.toml"]\n' + GOOD,
        r":1: include: \S*/none\.toml: cannot be read: No such file or directory",
    ),
    (
        'include = [\n"good.toml",\n"none.toml"]\n' + GOOD,
        r":3: include: \S*/none\.toml: cannot be read: No such file",
    ),
    ('include = ["."]\n' + GOOD, r":1: include: \S+: is a directory, not a regular file"),
    (f'include = ["{"n" * 300}.toml"]\n' + GOOD, r":1: include: \S+: cannot be read: File name too long"),
    ('include = ["good.toml/x"]\n' + GOOD, r":1: include: \S+: cannot be read: Not a directory"),
    ('include = ["a\\nb.toml"]\n' + GOOD, r":1: include: \S*/a\\nb\.toml: cannot be read: No such file"),
    ('include = ["list.toml"]\n' + GOOD, r":1: include: list\.toml: a list cannot include itself"),
    ('include = ["good.toml",\n"./good.toml"]\n' + GOOD, r":2: include: \./good\.toml: is included twice"),
    (GOOD + '[[include]]\nfile = "good.toml"', r":8: include: Input should be a valid string"),
    (
        GOOD + '[[jobs]]\nfile = "none.toml"\ntimeout = 3',
        r":9: jobs: \S*/none\.toml: cannot be read: No such file or",
    ),
    (GOOD + "[[jobs]]\nfile = 3\ntimeout = 3", r":9: \[\[jobs\]\]: file: Input should be a valid string"),
    (
        GOOD + '[[jobs]]\nfile = "n"\ntimout = 3',
        r":10: \[\[jobs\]\]: timout: unknown key; did you mean timeout\?",
    ),
    (
        GOOD + '[[jobs]]\nfile = "n"\ntimeout = 0',
        r":10: \[\[jobs\]\]: timeout: Input should be greater than 0",
    ),
    (GOOD + '[[jobs]]\nfile = "n"\ntimeout = 3\nbuild = "opt"', r":11: n: unknown build 'opt'; did you"),
    # a test
    (GOOD.replace("timeout", "timeuot"), r":6: a: timeuot: unknown key; did you mean timeout\?"),
    (GOOD + "tag = []", r":8: a: tag: unknown key; did you mean tags\?"),
    (GOOD + "zzzz = []", r":8: a: zzzz: unknown key"),
    (
        'description = "d"\ntest = [\n{ name = "a", tset = 3 }]',
        r":3: a: tset: unknown key; did you mean test\?",
    ),
    ('description = "d"\ntest = [{},\n{ name = 3, y = [\n], name2 = 3 }]', r":3: 3: y: unknown key"),
    (
        'description = "d"\ntest = [{},\n{ name = 3, tags = [\n], name2 = 3 }]',
        r":4: 3: name2: unknown key; did you mean name",
    ),
    (GOOD.replace("timeout = 10\n", ""), r":3: a: timeout: Field required"),
    (GOOD.replace('"a"', '"A b"'), r":4: A b: name: give it up to 100 small letters, digits and -"),
    (GOOD.replace('"a"', '"../a"'), r":4: \.\./a: name: give it up to 100 small letters"),
    (GOOD.replace('"a"', '"a\\nb"'), r":4: a\\nb: name: give it up to 100 small letters"),
    (
        GOOD.replace('"a"', '"' + "a" * 101 + '"'),
        r":4: a{66}…\(1 left out\)…a{34}: name: give it up to 100 small letters",
    ),
    (GOOD.replace('"a"', '"-a"'), r":4: -a: name: .* begin with no -"),
    (GOOD.replace('"a"', "3"), r":4: 3: name: Input should be a valid string"),
    (GOOD.replace('name = "a"\n', ""), r":3: \[\[test\]\]: name: Field required"),
    (GOOD + "tags = [\n3]", r":9: a: tags: Input should be a valid string"),
    (GOOD + 'tags = "x"', r":8: a: tags: Input should be a valid list$"),
    (GOOD + "skip = true", r":8: a: skip: Input should be a valid string"),
    (GOOD + "skip = ' '", r":8: a: skip: is blank; say why"),
    (GOOD.replace('{ seed = "$seed" }', "3"), r":7: a: parameters: Input should be a valid dictionary"),
    (GOOD.replace('"$seed"', "[{ x = nan }]"), r":7: a: parameters: Input should be a finite number"),
    (GOOD.replace('"$seed"', "[1,\n2,\n{ x = nan }]"), r":9: a: parameters: Input should be a finite number"),
    (GOOD.replace('"$seed"', "1979-05-27"), r":7: a: parameters: input was not a valid JSON value"),
    (
        GOOD.replace("parameters", "[test.parameters]\nx") + "[test.parameters.x2]\ny = 1\nz = 07:32:00",
        r":11: a: parameters: input was not a valid JSON",
    ),
    # names that there are not
    (
        GOOD.replace("DirectedTest", "DirectTest"),
        r":5: a: unknown test 'directed.DirectTest'; did you mean directed",
    ),
    (
        GOOD + 'simulators = ["icarus",\n"ikarus"]',
        r":9: a: unknown simulator 'ikarus'; did you mean icarus\?",
    ),
    (GOOD + "simulators = []", r":8: a: simulators: List should have at least 1 item"),
    (GOOD + 'simulators = ["icarus", "icarus"]', r":8: a: simulators names one twice"),
    (GOOD + 'build = "optimised"', r":8: a: unknown build 'optimised'; did you mean optimized\?"),
    (GOOD + 'build = "z"', r":8: a: unknown build 'z'; there are optimized, coverage, x-random, mutants"),
    (GOOD + 'build = "mutants"', r":8: a: build mutants is for Verilator alone; add simulators"),
    (GOOD + 'build = "mutants"\nsimulators = ["icarus"]', r":8: a: build mutants is for Verilator alone"),
    # parameters
    (GOOD.replace("seed =", "sead ="), r":7: a: DirectedTest has no parameter 'sead'; did you mean seed\?"),
    (
        GOOD.replace("}", ', groups = ["sizes",\n"requantiser"] }'),
        r":8: a: DirectedTest: groups\.1: unknown group 'requantiser'; did you mean requantizer\?",
    ),
    (GOOD.replace("seed =", "read_latency ="), r":7: a: DirectedTest needs parameter 'seed'"),
    # timeouts
    (GOOD.replace("10", "0"), r":6: a: timeout: Input should be greater than 0"),
    (GOOD.replace("10", "inf"), r":6: a: timeout: Input should be a finite number"),
    (GOOD.replace("10", "1e9"), r":6: a: timeout: Input should be less than or equal to 86400"),
    (GOOD.replace("10", '"10"'), r":6: a: timeout: Input should be a valid number"),
    (GOOD.replace("10", "true"), r":6: a: timeout: Input should be a valid number"),
    # seeds
    (GOOD + "reseed = 3", r":8: a: it has no reason; say beside seeds or reseed why"),
    (GOOD + "reseed = 3\nreason = '\t'", r":9: a: reason: is blank; say why"),
    (GOOD + "reseed = 0", r":8: a: reseed: Input should be greater than or equal to 1"),
    (GOOD + "reseed = 1.5", r":8: a: reseed: Input should be a valid integer"),
    (GOOD + "reseed = 100_001", r":8: a: reseed: Input should be less than or equal to 100000"),
    (GOOD + 'reseed = "many"', r":8: a: reseed: Input should be a valid integer"),
    (GOOD + 'seeds = [1]\nreseed = 3\nreason = "r"', r":8: a: it has both seeds and reseed"),
    (GOOD + 'seeds = [1,\n0]\nreason = "r"', r":9: a: seeds: Input should be greater than or equal to 1"),
    (
        GOOD + 'seeds = [2147483648]\nreason = "r"',
        r":8: a: seeds: Input should be less than or equal to 2147",
    ),
    (GOOD + 'seeds = [5, 6, 5]\nreason = "r"', r":8: a: seeds names one twice"),
    (GOOD.replace('"$seed"', "3") + 'reseed = 3\nreason = "r"', r":8: a: other seeds change nothing"),
    # initial states
    (GOOD + "initial_states = 3", r":8: a: initial_states belongs to build x-random"),
    (GOOD + 'build = "x-random"\ninitial_states = 0', r":9: a: initial_states: Input should be greater than"),
    (GOOD + 'build = "x-random"\nsimulators = ["icarus"]', r":9: a: build x-random compares both simulators"),
    # names given twice
    (GOOD + "\n" + SECOND, r":10: a: the test at \S*/list\.toml:4 has that name; rename one"),
    (
        'include = ["good.toml"]\n' + GOOD.replace('"a"', '"good"'),
        r":5: good: the test at \S*/good\.toml:4 has",
    ),
    (
        GOOD
        + 'seeds = [100]\nreason = "r"\n'
        + SECOND.replace('"a"', '"a-seed"')
        + 'reseed = 101\nreason = "r"',
        r":11: a-seed: the test at \S*/list\.toml:4 has jobs a-seed-100, as this one would; rename one",
    ),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_wrong_is_one_message_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "good.toml").write_text(GOOD.replace('"a"', '"good"'), encoding="utf-8")
    with pytest.raises(ListError) as caught:
        load_list(written(tmp_path, text))
    place = re.escape(str(tmp_path / "list.toml"))
    assert re.match(place + message, str(caught.value)), str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_not_utf_8_is_told_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_bytes(GOOD.encode() + b"skip = '\xff'\n")
    with pytest.raises(ListError, match=r"list\.toml:8: is not UTF-8"):
        load_list(path)


@pytest.mark.parametrize(
    ("jobs", "message"),
    [
        ("", r"jobs\.toml:1: job: Field required"),
        ("job = []", r"jobs\.toml:1: job: List should have at least 1 item"),
        ("[[job]]\nname = 3", r"jobs\.toml:2: 3: name: Input should be a valid string"),
        ("[[job]]\nname = 'j'\nsim = 3", r"jobs\.toml:3: j: sim: unknown key; did you mean simulator"),
        ("[[job]]\n[[job]\n", r"jobs\.toml:2: is not TOML: "),
    ],
)
def test_a_file_of_ready_made_jobs_is_told_by_its_own_lines(tmp_path: Path, jobs: str, message: str) -> None:
    (tmp_path / "jobs.toml").write_text(jobs, encoding="utf-8")
    with pytest.raises(ListError, match=message):
        load_list(written(tmp_path, GOOD + '[[jobs]]\nfile = "jobs.toml"\ntimeout = 3'))


def test_a_mistake_in_an_included_list_is_told_by_its_own_line(tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text(GOOD.replace("timeout", "timeuot"), encoding="utf-8")
    with pytest.raises(ListError, match=r"other\.toml:6: a: timeuot: unknown key; did you mean timeout\?"):
        load_list(written(tmp_path, 'include = ["other.toml"]\n' + GOOD))


FAULTS = [
    "timeuot = 3",
    "reseed = 0",
    "initial_states = 2",
    "simulators = ['ikarus']",
    "build = 'none'",
    "tags = [[]]",
    "seeds = [0]",
    "skip = 1",
    "'' = 1",
    "parameters.x = nan",
    "seed",
]
NOISE = st.lists(st.sampled_from(["", "# [[test]]", "  # timeuot = 3", "#'''"]), max_size=2)


@given(
    noises=st.lists(NOISE, min_size=2, max_size=6),
    at=st.integers(0, 5),
    fault=st.sampled_from(FAULTS),
)
def test_a_fault_in_any_test_is_told_by_its_line(
    tmp_path: Path, noises: Sequence[Sequence[str]], at: int, fault: str
) -> None:
    lines, faulty = ['description = "d"'], 0
    for number, noise in enumerate(noises):
        lines += ["[[test]]", *noise, f"name = 't{number}'", "test = 'broken_bench.EmptyRunTest'", *noise]
        lines += ["timeout = 3", "reason = '''\n[[test]]\nreseed = 0'''"]
        if number == at % len(noises):
            lines.append(fault)
            faulty = "\n".join(lines).count("\n") + 1
    with pytest.raises(ListError, match=rf"list\.toml:{faulty}: "):
        load_list(written(tmp_path, "\n".join(lines)))


BROKEN = st.tuples(st.integers(0, 400), st.integers(0, 9), st.text("[]{}='\"\\\n#.x0-,", max_size=6))


@given(st.lists(BROKEN, min_size=1, max_size=3))
def test_whatever_happens_to_a_list_it_is_right_or_told(
    tmp_path: Path, cuts: Sequence[tuple[int, int, str]]
) -> None:
    text = (
        f"include = ['good.toml']\n{GOOD}tags = ['t']\n{SECOND.replace('a', 'b')}seeds = [3]\nreason = 'r'\n"
    )
    for begin, length, instead in cuts:
        text = text[: begin % len(text)] + instead + text[begin % len(text) + length :] or "\n"
    (tmp_path / "good.toml").write_text(GOOD.replace('"a"', '"good"'), encoding="utf-8")
    told = complaint(written(tmp_path, text))
    if told:
        found = re.match(r"\S*list\.toml:(\d+): .", told)
        assert found, told
        assert 1 <= int(found[1]) <= text.count("\n") + 1
        assert "\n" not in told


def complaint(path: Path) -> str:
    """Return what is wrong with a list, nothing if it is right."""
    try:
        load_list(path)
    except ListError as error:
        return str(error)
    return ""
