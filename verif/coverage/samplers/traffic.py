"""Response delays, as the memory monitors saw them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verif.coverage.dimension import IndexArray
from verif.coverage.model import CoverageModel
from verif.coverage.passed_program import PassedProgram


def sample(model: CoverageModel, program: PassedProgram) -> Iterator[IndexArray]:
    """Yield the bins of a run whose reads a bus driver answered; they come in order, one for each request.

    Where rst dropped some, nobody can tell which answer belongs to which request.
    """
    if program.traffic is None or not program.traffic.requests:
        return
    if len(program.traffic.requests) != len(program.traffic.responses):
        return
    requested = np.array([request.cycle for request in program.traffic.requests])
    answered = np.array([response.cycle for response in program.traffic.responses])
    item = model["response_delay"]
    yield item.hits(item.dimensions[0].indices(answered - requested))
    item = model["outstanding_reads"]
    # Of the requests up to each one, those that were answered in its cycle or before are not outstanding.
    before = np.searchsorted(answered, requested, side="right")
    outstanding = np.arange(1, len(requested) + 1) - before
    yield item.hits(item.dimensions[0].indices(int(outstanding.max())))
