"""A campaign in a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from regressions.closing.contribution import Contribution
from regressions.closing.growth import Growth
from regressions.closing.outcome import Outcome
from regressions.closing.provenance import Provenance
from regressions.closing.resistance import Resistance
from regressions.closing.text_heat_maps import heat_maps
from regressions.code_coverage.text_report import report as code_report
from regressions.coverage.summary import Summary
from regressions.coverage.text_report import percent


def report(outcome: Outcome) -> RenderableType:
    """Return everything, the verdict last, where one looks first."""
    return Group(
        _titled("Verifier blocks", heat_maps(outcome)),
        _titled("What each simulation contributed", _contributions(outcome.contributions)),
        _titled("A smallest set of simulations with all of that", _smallest(outcome)),
        _titled("Percent of bins after each round", _rounds(outcome.rounds, outcome.summary)),
        _titled("Functional coverage", _families(outcome.summary)),
        _titled("Code coverage of the RTL, before and after exclusions", code_report(outcome.code)),
        *([_titled("What resisted", _holes(outcome.holes))] if outcome.holes else []),
        *([_titled("The test plan says otherwise", _lines(outcome.plan))] if outcome.plan else []),
        _titled("Made by", _lines(provenance_lines(outcome.provenance))),
        _verdict(outcome),
    )


def round_line(number: int, growth: Growth, summary: Summary) -> str:
    """Return one line for terminals and logs: what a round has led to."""
    families = ", ".join(
        f"{family.replace('_', ' ')} {percent(share)}"
        for family, share in family_percentages(summary).items()
    )
    return (
        f"round {number}: {summary.hit:,} of {summary.bins:,} bins ({percent(summary.percent)} %) after "
        f"{growth.simulations} simulations, {growth.seconds:.0f} s: {families}"
    )


def family_percentages(summary: Summary) -> dict[str, float]:
    """Return how much of each family was hit."""
    return {
        family: 100 * sum(each.hit for each in items) / sum(each.item.bins for each in items)
        for family, items in summary.by_family().items()
    }


def provenance_lines(provenance: Provenance) -> list[str]:
    """Return it in words."""
    tools = ", ".join(f"{name} {version}" for name, version in provenance.tools.items())
    return [
        f"commit {provenance.commit}",
        f"seed {provenance.seed}, coverage definitions {provenance.definitions}",
        tools,
    ]


def _titled(title: str, content: RenderableType) -> RenderableType:
    return Group(Text(f"\n{title}", style="bold"), content)


def _lines(lines: Sequence[str]) -> RenderableType:
    return Group(*(Text(f"  {line}") for line in lines))


def _table(first: str, *figures: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="fold")
    for name in figures:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _families(summary: Summary) -> RenderableType:
    table = _table("", "hit", "bins", "%", "items at their goal", "")
    for family, items in summary.by_family().items():
        hit, bins = sum(each.hit for each in items), sum(each.item.bins for each in items)
        met = sum(each.met for each in items)
        table.add_row(
            family.replace("_", " "),
            f"{hit:,}",
            f"{bins:,}",
            percent(100 * hit / bins),
            f"{met} of {len(items)}",
            mark(met == len(items)),
        )
    return table


def mark(met: bool) -> Text:
    """Return the sign of a goal."""
    return Text("✓", "green") if met else Text("✗", "red")


def _rounds(rounds: Sequence[Growth], summary: Summary) -> RenderableType:
    table = _table("", *(["base", *map(str, range(1, len(rounds)))]))
    for family, items in summary.by_family().items():
        bins = sum(each.item.bins for each in items)
        table.add_row(family.replace("_", " "), *(percent(100 * each.hit[family] / bins) for each in rounds))
    table.add_section()
    table.add_row("all", *(percent(100 * sum(each.hit.values()) / summary.bins) for each in rounds))
    table.add_row("simulations", *(str(each.simulations) for each in rounds))
    table.add_row("seconds", *(f"{each.seconds:.0f}" for each in rounds))
    return table


def _contributions(found: Sequence[Contribution]) -> RenderableType:
    table = _table("simulation", "programs", "cycles", "seconds", "bins", "first", "alone")
    for each in found:
        table.add_row(
            each.job.name,
            f"{each.programs:,}",
            f"{each.took.cycles:,}",
            f"{each.took.seconds:.0f}",
            f"{each.bins:,}",
            f"{each.first:,}",
            f"{each.alone:,}",
        )
    note = "first: bins that none before it hit; alone: bins that no other hit at all"
    return Group(table, Text(f"  {note}", style="dim"))


def _smallest(outcome: Outcome) -> RenderableType:
    table = _table("simulation", "bins", "adds")
    for each in outcome.smallest:
        table.add_row(each.run.test, f"{each.bins:,}", f"{each.adds:,}")
    return table


def _holes(holes: Sequence[Resistance]) -> RenderableType:
    return Group(*_hole_lines(holes))


def _hole_lines(holes: Sequence[Resistance]) -> Iterator[Text]:
    for each in holes:
        count = f" ({each.bins})" if each.bins > 1 else ""
        yield Text.assemble("  ", (f"{each.item}: ", "bold"), each.words, (count, "dim"))
        yield Text(f"    {each.why}", "red" if each.contradicts else "dim")


def _verdict(outcome: Outcome) -> RenderableType:
    summary = outcome.summary
    return Text.assemble(
        "\n",
        (outcome.verdict, "bold green" if outcome.met else "bold red"),
        f": {summary.hit:,} of {summary.bins:,} bins, {summary.met} of {len(summary.items)} items at "
        "their goal, "
        f"{len(outcome.contributions)} simulations in {outcome.seconds:.0f} s",
    )
