"""The test plan as data (plan.toml), and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from refmodel.errors import Ga2Error
from sequences.document import DocumentError, read_toml_model
from verif.coverage.item import CoverageItem

PLAN = Path(__file__).parent / "plan.toml"

STAGES = {
    "V1": "works in directed cases, worked out by hand",
    "V2": "works at random and in combination",
    "V3": "every coverage item of it is at its goal, on both simulators",
}

STATES = {
    "planned": "no tests yet",
    "tested": "its tests exist and pass",
    "covered": "and its coverage items are at their goals",
}


class PlanError(Ga2Error):
    """The test plan cannot be read."""


class _Document(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Feature(_Document):
    """Something that must work, and what shows that it does."""

    name: str = Field(pattern=r"^[a-z][a-z-]*$")
    area: str
    title: str
    stage: Literal["V1", "V2", "V3"]
    """By which stage it is wanted."""
    state: Literal["planned", "tested", "covered"]
    tests: list[str]
    """Patterns of test files, or of single tests as path::function or path::class."""
    no_items: str = ""
    """Why it has no coverage items."""

    @model_validator(mode="after")
    def _consistent(self) -> Feature:
        if (self.state == "planned") != (not self.tests):
            raise ValueError(f"{self.name} is {self.state} and has {len(self.tests)} tests")
        return self


class Sentence(_Document):
    """A sentence of docs/isa.md that no check of the harness is named after."""

    quote: str
    """It, or a part that no other sentence has, word for word."""
    judges: str
    """What holds the chip to it."""


class Plan(_Document):
    """All features in the order of the page, and the sentences of the contract."""

    features: list[Feature] = Field(min_length=1)
    sentences: list[Sentence]

    def areas(self) -> dict[str, list[Feature]]:
        """Return the features of every area."""
        areas: dict[str, list[Feature]] = {}
        for feature in self.features:
            areas.setdefault(feature.area, []).append(feature)
        return areas


def load_plan(path: Path = PLAN) -> Plan:
    """Read the plan. Raises PlanError."""
    try:
        return read_toml_model(path, Plan)
    except DocumentError as error:
        raise PlanError(str(error)) from error


def covers(pattern: str, test: str) -> bool:
    """Does an entry of a feature mean this test, path::function? Without a function it means all of them."""
    return fnmatchcase(test if "::" in pattern else test.partition("::")[0], pattern)


def problems(plan: Plan, tests: Sequence[str], items: Iterable[CoverageItem]) -> Iterator[str]:
    """Yield everything that belongs to nothing: tests, entries, items, features."""
    names = [feature.name for feature in plan.features]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"two features are called {name}; rename one"
    patterns = [pattern for feature in plan.features for pattern in feature.tests]
    for test in tests:
        if not any(covers(pattern, test) for pattern in patterns):
            yield f"test {test} belongs to no feature; add it, or its file, to one in plan.toml"
    for feature in plan.features:
        for pattern in feature.tests:
            if not any(covers(pattern, test) for test in tests):
                yield f"feature {feature.name}: {pattern} means no test; correct or remove it"
    linked = {item.name: item.feature for item in items}
    for name, feature_name in linked.items():
        if feature_name not in names:
            yield f"coverage item {name} belongs to feature {feature_name}, which the plan does not have"
    for feature in plan.features:
        has_items = feature.name in linked.values()
        if has_items == bool(feature.no_items):
            yield (
                f"feature {feature.name} has items and says why it has none"
                if has_items
                else f"feature {feature.name} has no coverage item; add one, or say why in no_items"
            )
        if feature.state == "covered" and not has_items:
            yield f"feature {feature.name} is called covered, but has no coverage item"


def disagreements(plan: Plan, items: Iterable[CoverageItem], met: Mapping[str, bool]) -> Iterator[str]:
    """Yield every feature whose state contradicts what was covered.

    `met` says by item if it is at its goal.
    """
    by_feature: dict[str, list[str]] = {}
    for item in items:
        by_feature.setdefault(item.feature, []).append(item.name)
    for feature in plan.features:
        names = by_feature.get(feature.name, [])
        missed = [name for name in names if not met[name]]
        if feature.state == "covered" and missed:
            yield f"feature {feature.name} is called covered, but {', '.join(missed)} missed its goal"
        if feature.state != "covered" and names and not missed:
            yield (
                f"feature {feature.name} is called {feature.state}, but all its items are at their goals: "
                "call it covered in plan.toml"
            )
