"""Lines of values in TOML documents of every form."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from regressions.toml_lines import Steps, line_of, lines_of

DOCUMENT = """\
# a comment
description = "d"  # another
a . "b.c".d = '''
[[test]]
name = "in a string"'''

[[test]]
name = "a"
parameters = { x = 1, 'y z' = [1,  # [ { "
    { z = 2 },
    [ 3,
      4 ] ] }
[test.parameters2.deep]
k = 1979-05-27

[[test]] # heading
  [[test.inner]]
  [[test.inner]]
  key = inf
[far]
"\\u0061" = 5
"""


@pytest.mark.parametrize(
    ("steps", "line"),
    [
        ((), 1),
        (("description",), 2),
        (("a",), 3),
        (("a", "b.c", "d"), 3),
        (("test",), 7),
        (("test", 0), 7),
        (("test", 0, "name"), 8),
        (("test", 0, "parameters", "y z", 0), 9),
        (("test", 0, "parameters", "y z", 1, "z"), 10),
        (("test", 0, "parameters", "y z", 2, 1), 12),
        (("test", 0, "parameters2"), 13),
        (("test", 0, "parameters2", "deep", "k"), 14),
        (("test", 1), 16),
        (("test", 1, "inner"), 17),
        (("test", 1, "inner", 1), 18),
        (("test", 1, "inner", 1, "key"), 19),
        (("far", "a"), 21),
        (("test", 1, "missing"), 16),
        (("missing",), 1),
        (("test", 0, "parameters", "dict", "y z", "list", 1, "z"), 10),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_value_has_the_line_where_it_is_written(steps: Steps, line: int, end: str) -> None:
    assert line_of(DOCUMENT.replace("\n", end), steps) == line


def places_in(value: Any, place: Steps = ()) -> Iterator[Steps]:
    """Yield the steps to everything in a document, as tomllib understands it."""
    yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in items:
        yield from places_in(each, (*place, step))


def test_every_value_has_a_line_and_nothing_else_has() -> None:
    assert set(lines_of(DOCUMENT)) == set(places_in(tomllib.loads(DOCUMENT)))


KEYS = st.sampled_from(["a", "b", "a-1", '"a b"', "'c.d'", "1", '"\\t"', "true", '"ä#["'])
PATHS = st.lists(KEYS, min_size=1, max_size=3).map(lambda keys: " . ".join(keys))
SCALARS = st.sampled_from(
    ["1", "-0.5e3", "inf", '"x # ["', "''", "1979-05-27T07:32:00Z", '"""a\nb"""', "'''\n[[a]]\n'''", "false"]
)
GAPS = st.sampled_from(["", " ", "\n  ", " # note ]\n"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.builds(
            lambda values, gap: "[" + gap + ("," + gap).join(values) + gap + "]",
            st.lists(inner, max_size=3),
            GAPS,
        ),
        st.builds(
            lambda pairs: "{" + ", ".join(f"{key} = {value}" for key, value in pairs) + "}",
            st.lists(st.tuples(PATHS, inner), max_size=3),
        ),
    ),
    max_leaves=6,
)
STATEMENTS = st.one_of(
    st.tuples(PATHS, VALUES).map(lambda pair: f"{pair[0]} = {pair[1]}"),
    PATHS.map(lambda path: f"[{path}]"),
    PATHS.map(lambda path: f"[[ {path} ]] # heading"),
    st.sampled_from(["", "# a = 3", "  # [[a]]"]),
)


@given(st.lists(STATEMENTS, max_size=12).map("\n".join))
def test_any_document_has_a_line_for_every_value(text: str) -> None:
    document: dict[str, Any] = {}
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assume(False)  # a key twice, say
    lines = lines_of(text)
    assert set(lines) == set(places_in(document))
    assert all(1 <= line <= text.count("\n") + 1 for line in lines.values())
    for place, line in lines.items():
        if place and isinstance(place[-1], str) and place[-1].isalpha():
            assert place[-1] in text.split("\n")[line - 1]
