"""What the harness did around a run: resets, starts at them, rests, delays, responses that answer nothing."""

from __future__ import annotations

from collections.abc import Iterator

from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import End
from verif.coverage.model import CoverageModel
from verif.coverage.passed_program import PassedProgram
from verif.coverage.samplers.control import OUTSIDE_STATES, met_states
from verif.coverage.schedule import Surroundings

ENDS = {End.HALT: "HALT", End.FAULT: "a fault", End.RESET: "rst"}


def sample(model: CoverageModel, program: PassedProgram) -> Iterator[IndexArray]:
    """Yield the bins of one run."""
    around = program.surroundings
    if around.reset_first:
        yield from _resets(model, around, "before start")
    if around.reset_cycle is not None:
        yield from _resets(model, around, "after start")
        yield from _start_at_reset(model, around, around.reset_cycle)
    item = model["long_rest"]
    yield item.hits(
        item.dimensions[0].index(ENDS[program.executed.end]), _index(model, "long_rest", around.rest)
    )
    for state in met_states(program.met_stray):
        yield model["stray_response"].named(state)
    if around.driven:
        yield from _driven(model, program)


def _resets(model: CoverageModel, around: Surroundings, moment: str) -> Iterator[IndexArray]:
    item = model["reset_width"]
    moments, times, _ = item.dimensions
    often = times.index("twice" if around.reset_gap else "once")
    yield item.hits(moments.index(moment), often, _index(model, "reset_width", around.reset_width))
    gaps = model["reset_gap"]
    yield gaps.hits(gaps.dimensions[0].index(moment), _index(model, "reset_gap", around.reset_gap))


def _start_at_reset(model: CoverageModel, around: Surroundings, reset: int) -> Iterator[IndexArray]:
    """Yield how start meets the first rst; a start that is over by then does not."""
    if around.start is None:
        return
    first, last = around.start
    after = reset + around.reset_width
    if first == after:
        meeting = "in the cycle after an rst, not before"
    elif first > after or last < reset:
        return
    else:
        meeting = "that ends under an rst" if last < after else "under an rst and in the cycle after"
    item = model["start_at_reset"]
    yield item.hits(item.dimensions[0].index(meeting), _index(model, "start_at_reset", around.reset_width))


def _driven(model: CoverageModel, program: PassedProgram) -> Iterator[IndexArray]:
    item = model["driven_run"]
    if any(state not in OUTSIDE_STATES for state in met_states(program.met_start)):
        yield item.named("a lost start")
    if program.passes > 1:
        yield item.named("another pass")
    if program.surroundings.reset_cycle is not None and program.traffic is not None:
        # A run ends with no read under way: a request that was not answered was dropped.
        dropped = len(program.traffic.requests) > len(program.traffic.responses)
        yield item.named("rst that drops reads" if dropped else "rst that drops none")


def _index(model: CoverageModel, item: str, cycles: int) -> IndexArray:
    """Return the bin of a number of cycles, the last dimension of an item."""
    return model[item].dimensions[-1].indices(cycles)
