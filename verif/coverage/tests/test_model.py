"""The definitions: read and checked as a whole, and what their fingerprint tells apart."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from verif.coverage import model as model_module
from verif.coverage.errors import CoverageError
from verif.coverage.model import CoverageModel, load_model

GOOD = """
[[items]]
name = "shift"
description = "Every shift."
feature = "requantize"
goal = 100
phrase = "RQ with shift {shift}"
dimensions = [{ name = "shift", every = "0..63" }]
"""


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], CoverageModel]:
    """Return a function that loads the one definition file given as text."""

    def load_text(text: str) -> CoverageModel:
        (tmp_path / "family.toml").write_text(text)
        load_model.cache_clear()
        return load_model(tmp_path)

    return load_text


def test_every_bin_of_the_model_has_a_number_of_its_own() -> None:
    model = load_model()
    end = 0
    for item in model:
        assert item.first == end
        end += item.size
        assert item.bins > 1
    assert end == model.bins
    assert len({item.name for item in model}) == len(model.items)


def test_a_definition_becomes_an_item(load: Callable[[str], CoverageModel]) -> None:
    item = load(GOOD)["shift"]
    assert (item.family, item.bins, item.words(63)) == ("family", 64, "RQ with shift 63")
    with pytest.raises(KeyError):
        load(GOOD)["other"]


@pytest.mark.parametrize(
    ("found", "put", "message"),
    [
        ("goal = 100", "goal = 101", "items.0.goal: Input should be less than or equal to 100"),
        ("goal = 100", "gaol = 100", "items.0.goal: Field required"),
        ('every = "0..63"', 'every = "0-63"', "'0-63' is no range of integers"),
        ('every = "0..63"', 'every = "63..0"', "there is no integer for shift"),
        ('every = "0..63"', 'ranges = ["1", "0"]', "does not ascend"),
        ('every = "0..63"', 'values = ["a", "a"]', "a value stands there twice"),
        ('every = "0..63"', 'every = "0..63", ranges = ["1"]', "exactly one of values, ranges and every"),
        ("{shift}", "{lift}", r"the phrase speaks of \['lift'\], the dimensions are \['shift'\]"),
        ('name = "shift"\n', 'name = "the shift"\n', "items.0.name: String should match pattern"),
        ('name = "shift"\n', "name = shift\n", "is not TOML"),
        (
            "[{",
            'impossible = [{ where = { shift = ["64"] }, because = "too far" }]\ndimensions = [{',
            "impossible: there is no dimension shift with bins",
        ),
        (
            "[{",
            'impossible = [{ where = { shift = [] }, because = "none" }]\ndimensions = [{',
            "where.shift: List should have at least 1 item",
        ),
    ],
)
def test_a_bad_definition_is_told_with_its_place(
    load: Callable[[str], CoverageModel], found: str, put: str, message: str
) -> None:
    assert found in GOOD
    text = GOOD.replace(f"dimensions = {found}", put) if found == "[{" else GOOD.replace(found, put)
    with pytest.raises(CoverageError, match=rf"family\.toml:.*{message}"):
        load(text)


def test_two_items_of_one_name_are_refused(load: Callable[[str], CoverageModel]) -> None:
    with pytest.raises(CoverageError, match="there are two items shift; rename one"):
        load(GOOD + GOOD)


def test_no_definitions_are_an_error(tmp_path: Path) -> None:
    load_model.cache_clear()
    with pytest.raises(CoverageError, match="there are no coverage definitions"):
        load_model(tmp_path)


@pytest.mark.parametrize(
    ("found", "put"), [("0..63", "0..62"), ("goal = 100", "goal = 99"), ("requantize", "rq")]
)
def test_another_definition_has_another_fingerprint(
    load: Callable[[str], CoverageModel], found: str, put: str
) -> None:
    assert load(GOOD).fingerprint == load(GOOD + "\n# a remark\n").fingerprint
    assert load(GOOD).fingerprint != load(GOOD.replace(found, put)).fingerprint


@pytest.mark.parametrize("changed", ["samplers/faults.py", "value_places.py"])
def test_other_samplers_have_another_fingerprint(
    load: Callable[[str], CoverageModel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    before = load(GOOD).fingerprint
    code = tmp_path / "code"
    shutil.copytree(model_module.CODE, code)
    monkeypatch.setattr(model_module, "CODE", code)
    assert load(GOOD).fingerprint == before
    with (code / changed).open("a") as file:
        file.write("\n")
    assert load(GOOD).fingerprint != before


def test_every_item_of_the_model_is_sampled_somewhere() -> None:
    """By name: the proofs show that it is sampled rightly."""
    text = "".join(path.read_text() for path in model_module.CODE.glob("samplers/*.py"))
    sampled = set(re.findall(r'model\["(\w+)"', text)) | set(re.findall(r'else "(\w+)"\]', text))
    assert {item.name for item in load_model()} <= sampled
