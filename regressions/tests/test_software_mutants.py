"""The software mutants as data: of every kind, and each fits the sources and names tests that exist."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from regressions.software_qualification.mutant import Category, SoftwareMutant
from regressions.software_qualification.mutants import SOFTWARE_MUTANTS
from regressions.software_qualification.mutants.compiler import COMPILER_MUTANTS
from regressions.software_qualification.mutants.host_loop import HOST_LOOP_MUTANTS
from regressions.software_qualification.mutated_sources import PACKAGE, mutated_text, write_copy
from regressions.testplan.project_tests import project_tests
from verif.qualification.unique_text import MutationError
from verif.simulation.plain_path import REPOSITORY

HOST_LOOP_CATEGORIES = {
    "accept rule", "bonus token", "cache rows", "block", "draft chain", "mask", "output assembly",
    "float mask", "draft table",
}  # fmt: skip
COMPILER_CATEGORIES = {"view offset", "units", "shape", "interpreter", "scale", "refusals", "load order"}

MODEL_TESTS = project_tests(REPOSITORY, [PACKAGE])


def test_nineteen_mutants_of_the_host_loop_and_ten_of_the_compiler_cover_every_category() -> None:
    assert len(HOST_LOOP_MUTANTS) == 19
    assert len(COMPILER_MUTANTS) == 10
    assert {mutant.category.value for mutant in HOST_LOOP_MUTANTS} == HOST_LOOP_CATEGORIES
    assert {mutant.category.value for mutant in COMPILER_MUTANTS} == COMPILER_CATEGORIES
    assert {category.value for category in Category} == HOST_LOOP_CATEGORIES | COMPILER_CATEGORIES


def test_names_are_names_and_differ() -> None:
    names = [mutant.name for mutant in SOFTWARE_MUTANTS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in names)


@pytest.mark.parametrize("mutant", SOFTWARE_MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_fits_the_sources_and_names_tests_of_the_model(mutant: SoftwareMutant) -> None:
    source = (REPOSITORY / mutant.file).read_text(encoding="utf-8")
    assert mutant.file.startswith(f"{PACKAGE}/")
    assert mutated_text(source, mutant) != source
    assert mutant.broken.endswith(".")
    assert mutant.tests
    for selection in mutant.tests:
        assert any(test == selection or test.startswith(f"{selection}::") for test in MODEL_TESTS), selection


MUTANT = SoftwareMutant(
    "three", Category.BLOCK, "refmodel/two.py", "2 * x", "3 * x", "It triples.", ("t.py",)
)


def test_a_text_is_replaced_where_it_stands() -> None:
    assert mutated_text("y = 2 * x + 1\n", MUTANT) == "y = 3 * x + 1\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("y = 2*x\n", "mutant three: '2 \\* x' does not occur in refmodel/two.py, but must once"),
        ("y = 2 * x + 2 * x\n", "mutant three: '2 \\* x' occurs 2 times in refmodel/two.py, but must once"),
    ],
)
def test_a_text_that_does_not_occur_exactly_once_is_an_error(source: str, message: str) -> None:
    with pytest.raises(MutationError, match=message):
        mutated_text(source, MUTANT)


def test_a_mutant_that_is_no_python_is_an_error() -> None:
    with pytest.raises(MutationError, match=r"mutant three: what it makes of refmodel/two\.py is no Python"):
        mutated_text("y = 2 * x\n", replace(MUTANT, after="3 *"))


def test_a_mutant_of_no_file_is_an_error(tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(MutationError, match=r"mutant three: there is no file refmodel/two\.py to mutate"):
        write_copy(tmp_path_factory.mktemp("mutants") / "copy", MUTANT)
