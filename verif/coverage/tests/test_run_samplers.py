"""What pins, traffic, source maps and decodings hit, told by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from refmodel.isa.instructions import Instruction, Load, Opcode, Requantize, VectorAdd
from refmodel.source_map.instruction_source import Service, whole
from refmodel.source_map.places import ScratchpadPlace
from refmodel.source_map.source_map import SourceMap
from refmodel.source_map.tensor import Tensor
from refmodel.speculative.block_loop import Block, DecodeRun
from sequences.decode_request import DecodeRequest
from sequences.directed.directed_program import bundle_of
from verif.coverage.loop_record import LoopRecord, plain_loop, speculative_loop
from verif.coverage.prediction import predicted
from verif.coverage.samplers import compiled_program, host_loop
from verif.coverage.tests.hits import MODEL, Names, of_program, of_sampler
from verif.memory_agent.traffic import MemoryTraffic, Request, Response

PLAIN = predicted(bundle_of([Load(0, 0, 4)] * 8))
ADD: Service = "add"
LOAD: Service = "load"

SITUATIONS = {
    0: "idle", 1: "halted", 2: "halted by a fault", 16: "FETCH", 20: "FETCH", 31: "FETCH",
    32: "ISSUE of HALT", 33: "ISSUE", 32 + max(Opcode): "ISSUE",
    33 + max(Opcode): "ISSUE of a bad opcode", 47: "ISSUE of a bad opcode",
    **{48 + opcode: opcode.name for opcode in Opcode if opcode is not Opcode.HALT},
}  # fmt: skip
"""By bit of the harness's `met`: 16 opcodes each of outside, FETCH, ISSUE and busy."""


@pytest.mark.parametrize(("bit", "state"), SITUATIONS.items())
def test_states_at_start_and_rst(bit: int, state: str) -> None:
    started = replace(PLAIN, met_start=1 << bit, met_reset=0)
    honoured = {state} if bit < 16 else set()
    assert of_program("start_honoured", started) == honoured
    assert of_program("start_lost", started) == {state} - honoured
    assert of_program("reset_state", started) == set()
    assert of_program("reset_state", replace(PLAIN, met_start=0, met_reset=1 << bit)) == {state}


@pytest.mark.parametrize(("passes", "bin_name"), [(1, "1"), (2, "2"), (3, "3..1000000")])
def test_passes(passes: int, bin_name: str) -> None:
    assert of_program("run_passes", replace(PLAIN, passes=passes)) == {bin_name}


@pytest.mark.parametrize(
    ("requested", "answered", "delays", "outstanding"),
    [
        ([5], [6], {"1"}, "1"),
        ([5], [7], {"2..8"}, "1"),
        ([5, 6], [6, 7], {"1"}, "1"),
        ([5, 6], [7, 8], {"2..8"}, "2..8"),
        ([5, 6, 7], [7, 8, 16], {"2..8", "9..64"}, "2..8"),
        ([5, 99], [98, 100], {"1", "65..4094"}, "1"),
        (list(range(8)), list(range(8, 16)), {"2..8"}, "2..8"),
        (list(range(9)), list(range(9, 18)), {"9..64"}, "9..64"),
        (list(range(4095)), list(range(4095, 8190)), {"4095..8190"}, "4095"),
    ],
)
def test_traffic(requested: list[int], answered: list[int], delays: set[Names], outstanding: str) -> None:
    """A request whose predecessor is answered in its very cycle is alone."""
    traffic = MemoryTraffic(
        [Request(each, 0) for each in requested], [Response(each, 0) for each in answered]
    )
    run = replace(PLAIN, traffic=traffic)
    assert of_program("response_delay", run) == delays
    assert of_program("outstanding_reads", run) == {outstanding}


def test_without_reads_there_is_no_traffic() -> None:
    for traffic in (None, MemoryTraffic()):
        run = replace(PLAIN, traffic=traffic)
        assert of_program("response_delay", run) == of_program("outstanding_reads", run) == set()


def place(address: int, words: int, first: int, last: int) -> ScratchpadPlace:
    return ScratchpadPlace(Tensor("t", (1, words), 1.0), address, first, last)


@pytest.mark.parametrize(
    ("last", "words"),
    [
        (place(20, 4, 5, 6), "words never used before"),
        (place(0, 4, 5, 6), "the words of a dead one"),
        (place(0, 3, 5, 6), "part of the words of a dead one"),
        (place(1, 3, 5, 6), "part of the words of a dead one"),
        (place(0, 5, 5, 6), "words of several dead ones"),
        (place(3, 2, 5, 6), "words of several dead ones"),
        (place(0, 8, 5, 6), "words of several dead ones"),
        (place(0, 9, 5, 6), "words of the dead and words never used before"),
        (place(7, 2, 5, 6), "words of the dead and words never used before"),
        (place(0, 4, 2, 6), "words never used before"),
    ],
)
def test_whose_words_a_tensor_takes(last: ScratchpadPlace, words: str) -> None:
    """Two tensors of 4 words side by side die with pc 2 and 3."""
    places = (place(0, 4, 0, 2), place(4, 4, 1, 3), last)
    source_map = SourceMap((None,) * 8, places, ())
    found = of_sampler("buffer_reuse", compiled_program.sample(MODEL, PLAIN.executed, source_map))
    assert found == {"words never used before", words}


def test_a_copy_for_one_sum_is_none_for_the_next() -> None:
    """The second sum reads, from where the copy was, what has been loaded there since."""
    sums, loaded = (whole(service, "t", Tensor("t", (1, 2), 1.0)) for service in (ADD, LOAD))
    code: list[Instruction] = [
        Requantize(20, 0, 2, 1, 0),
        VectorAdd(30, 20, 4, 2),
        Load(20, 0, 2),
        VectorAdd(40, 20, 30, 2),
    ]
    source_map = SourceMap((sums, sums, loaded, sums, None), (), ())
    executed = predicted(bundle_of(code, scratchpad=np.ones(10, np.uint32))).executed
    found = of_sampler("rescaled_operand", compiled_program.sample(MODEL, executed, source_map))
    assert found == {("rescaled", "as it was"), ("as it was", "as it was")}


LOOP = LoopRecord("speculative", k=3, prompt=2, wanted=6, emitted=6, accepted=(2, 2), context_full=False)


@pytest.mark.parametrize(
    ("loop", "ends"),
    [
        (LOOP, {"with its last block"}),
        (replace(LOOP, emitted=8), {"inside its last block"}),
        (replace(LOOP, wanted=1, emitted=1), {"with its last block", "after one token"}),
        (replace(LOOP, wanted=1, emitted=3), {"inside its last block", "after one token"}),
        (replace(LOOP, wanted=0, emitted=0, accepted=()), {"before the first token"}),
        (replace(LOOP, context_full=True), {"with its last block", "with its context full"}),
        (replace(LOOP, stopped=True), {"with a stop token"}),
        (replace(LOOP, stopped=True, context_full=True), {"with a stop token"}),
    ],
)
def test_ends_of_decodings(loop: LoopRecord, ends: set[str]) -> None:
    found = of_sampler("loop_end", host_loop.sample(MODEL, loop))
    assert found == {("speculative", end) for end in ends}


def test_guesses_and_prompts() -> None:
    loop = replace(LOOP, k=6, prompt=5, accepted=(0, 6, 5))
    found = host_loop.sample(MODEL, loop)
    assert of_sampler("accepted_guesses", found) == {("6..63", each) for each in ("0", "5", "6..63")}
    found = host_loop.sample(MODEL, loop)
    assert of_sampler("prompt_length", found) == {("speculative", "5..63")}


@pytest.mark.parametrize(
    ("tokens", "plain_full", "speculative_full"), [(58, False, True), (57, False, False), (61, True, None)]
)
def test_a_context_is_full_with_its_last_row(
    tokens: int, plain_full: bool, speculative_full: bool | None
) -> None:
    """64 rows: the prompt's 3, the tokens, and in a block 3 guesses."""
    request = DecodeRequest(k=3, tokens=tokens, prompt=(1, 2, 3))
    run = DecodeRun((0,) * tokens, (Block(3, 3, (0, 0, 0), 2, 0),))
    assert plain_loop(request, run).context_full == plain_full
    if speculative_full is not None:
        record = speculative_loop(request, run)
        assert (record.context_full, record.accepted, record.emitted) == (speculative_full, (2,), 3)
