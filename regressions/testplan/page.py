"""docs/testplan.md, made from the plan and the coverage model."""

from __future__ import annotations

from collections.abc import Iterator

from regressions.testplan.plan import STAGES, STATES, Feature, Plan
from verif.bfm.check import Check
from verif.coverage.item import CoverageItem
from verif.coverage.model import CoverageModel

HEADER = """\
# Test plan

Made from [plan.toml](../regressions/testplan/plan.toml) and the
[coverage definitions](../verif/coverage/definitions) by `make testplan`; do not edit it.
[coverage.md](coverage.md) tells what coverage is and how it is collected.
"""


def plan_page(plan: Plan, model: CoverageModel) -> str:
    """Return the page."""
    return (
        "\n".join([HEADER, *_overview(plan, model), *_rules(plan), *_features(plan, model)]).rstrip() + "\n"
    )


def _overview(plan: Plan, model: CoverageModel) -> Iterator[str]:
    bins = sum(item.bins for item in model)
    yield f"{len(plan.features)} features, {len(model.items)} coverage items, {bins:,} bins.\n"
    yield "| stage | wanted by then |\n|---|---|"
    yield from (f"| {stage} | {meaning} |" for stage, meaning in STAGES.items())
    yield "\n| state | means |\n|---|---|"
    yield from (f"| {state} | {meaning} |" for state, meaning in STATES.items())
    yield ""


def _rules(plan: Plan) -> Iterator[str]:
    """Yield what holds the chip to each sentence of the contract."""
    yield "## Sentences of the contract\n"
    yield "`hdl/tb/ga2_protocol.sv` checks them in every cycle of every run; each is made to fail by"
    yield "`verif/tests/test_harness_checks.py`, which names those that no test provokes yet.\n"
    yield "| check | sentence of [isa.md](isa.md) |\n|---|---|"
    for check in Check:
        sentence = check.sentence.strip("| ").replace(" | ", ": ")
        yield f"| `{check.name}` | {sentence} |"
    yield "\nThe other sentences about ports, accesses, faults and time, and what holds the chip to them:\n"
    yield "| sentence | held by |\n|---|---|"
    for entry in plan.sentences:
        yield f"| {entry.quote.strip('| ').replace(' | ', ': ')} | {entry.judges} |"
    yield ""


def _features(plan: Plan, model: CoverageModel) -> Iterator[str]:
    for area, features in plan.areas().items():
        yield f"## {area[0].upper()}{area[1:]}\n"
        yield "| feature | | stage | state | items | bins |\n|---|---|---|---|---|---|"
        for feature in features:
            items = _items(feature, model)
            bins = sum(item.bins for item in items)
            yield (
                f"| [{feature.name}](#{feature.name}) | {feature.title} | {feature.stage} | {feature.state} "
                f"| {len(items) or ''} | {f'{bins:,}' if bins else ''} |"
            )
        yield ""
        for feature in features:
            yield from _feature(feature, _items(feature, model))


def _feature(feature: Feature, items: list[CoverageItem]) -> Iterator[str]:
    yield f"### {feature.name}\n"
    yield f"{feature.title}.\n"
    yield "Tests: " + (", ".join(f"`{test}`" for test in feature.tests) or "none yet") + ".\n"
    if not items:
        yield f"No coverage items: {feature.no_items}.\n"
        return
    yield "| coverage item | counts | bins | goal |\n|---|---|---|---|"
    for item in items:
        sizes = " × ".join(f"{dimension.name} {len(dimension.bins)}" for dimension in item.dimensions)
        bins = f"{item.bins:,} ({sizes})" if len(item.dimensions) > 1 else f"{item.bins:,}"
        yield f"| `{item.name}` | {item.description} | {bins} | {item.goal:g} % |"
    yield ""


def _items(feature: Feature, model: CoverageModel) -> list[CoverageItem]:
    return [item for item in model if item.feature == feature.name]
