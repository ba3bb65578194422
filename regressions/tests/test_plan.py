"""The test plan leaves nothing out: every test, every coverage item and every feature belongs somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from regressions.commands.testplan import PAGE
from regressions.testplan.contract import contract_problems, contract_sentences
from regressions.testplan.page import plan_page
from regressions.testplan.plan import Feature, Plan, PlanError, load_plan, problems
from regressions.testplan.project_tests import project_tests, uvm_tests
from verif.coverage.model import load_model
from verif.simulation.plain_path import REPOSITORY

PACKAGES = ["refmodel", "sequences", "verif", "regressions", "hdl"]
"""As pytest's testpaths in pyproject.toml."""

MODEL = load_model()
TESTS = [*project_tests(REPOSITORY, PACKAGES), *uvm_tests(REPOSITORY)]


def test_nothing_is_left_out() -> None:
    assert not list(problems(load_plan(), TESTS, MODEL))


def test_all_tests_are_known() -> None:
    testpaths = f"testpaths = {PACKAGES}".replace("'", '"')
    assert testpaths in (REPOSITORY / "pyproject.toml").read_text()
    assert "regressions/tests/test_plan.py::test_all_tests_are_known" in TESTS
    assert "verif/uvm_tests/decode.py::DecodeTest" in TESTS
    assert len(TESTS) > 400


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == plan_page(load_plan(), MODEL), "make testplan writes it"


def isa_sentences() -> list[str]:
    """Return the sentences of the contract."""
    return list(contract_sentences((REPOSITORY / "docs" / "isa.md").read_text(encoding="utf-8")))


def test_every_sentence_of_the_contract_is_judged() -> None:
    sentences = isa_sentences()
    assert len(sentences) > 60
    assert not list(contract_problems(load_plan(), sentences))


@pytest.mark.parametrize(
    ("sentences", "problem"),
    [
        ([*isa_sentences(), "The chip hums."], "nothing judges 'The chip hums.'"),
        (
            isa_sentences()[1:],
            "`clk` | in | everything happens at its rising edge |' of plan.toml is in 0 sent",
        ),
        (
            [*isa_sentences(), "Nothing hangs silently."],
            "'Nothing hangs silently.' of plan.toml is in 2 sentences",
        ),
    ],
)
def test_a_sentence_that_nothing_judges_is_found(sentences: list[str], problem: str) -> None:
    assert problem in "\n".join(contract_problems(load_plan(), sentences))


def test_a_section_that_is_missing_is_found() -> None:
    with pytest.raises(ValueError, match="no section 'Ports'"):
        list(contract_sentences("# GA2\n"))


def changed(feature_name: str, **fields: object) -> Plan:
    """Return the plan with one feature changed."""
    features = [
        feature.model_copy(update=fields) if feature.name == feature_name else feature
        for feature in load_plan().features
    ]
    return Plan.model_construct(features=features)


@pytest.mark.parametrize(
    ("plan", "problem"),
    [
        (
            changed("timeline", tests=["regressions/tests/test_timeline.py"]),
            "test regressions/tests/test_timeline_picture.py::",
        ),
        (
            changed("start", tests=["verif/tests/test_run_plan.py::test_none"]),
            "feature start: verif/tests/test_run_plan.py::test_none means no test",
        ),
        (changed("halt", name="stop"), "coverage item program_end belongs to feature halt, which the plan"),
        (
            changed("bench", no_items=""),
            "feature bench has no coverage item; add one, or say why in no_items",
        ),
        (changed("halt", no_items="none"), "feature halt has items and says why it has none"),
        (changed("bench", state="covered"), "feature bench is called covered, but has no coverage item"),
        (changed("halt", name="start"), "two features are called start; rename one"),
    ],
)
def test_what_belongs_to_nothing_is_told(plan: Plan, problem: str) -> None:
    assert any(each.startswith(problem) for each in problems(plan, TESTS, MODEL))


def test_a_test_that_nobody_planned_is_told() -> None:
    found = list(problems(load_plan(), [*TESTS, "verif/tests/test_new.py::test_it"], MODEL))
    assert found == [
        "test verif/tests/test_new.py::test_it belongs to no feature; "
        "add it, or its file, to one in plan.toml"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("features = 3", "features: Input should be a valid list"),
        ("[[features]\n", "is not TOML"),
        ('[[features]]\nname = "x"\n', "features.0.area: Field required"),
    ],
)
def test_a_bad_plan_is_told(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(PlanError, match=rf"plan\.toml:.*{message}"):
        load_plan(path)


def test_a_planned_feature_has_no_tests() -> None:
    fields = load_plan().features[0].model_dump()
    wrongs: list[dict[str, object]] = [{"state": "planned"}, {"tests": []}]
    for wrong in wrongs:
        with pytest.raises(ValueError, match=r"sizes is (planned|covered) and has"):
            Feature(**{**fields, **wrong})
