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
from verif.coverage.schedule import Schedule, Surroundings
from verif.coverage.tests.hits import MODEL, Names, of_program, of_sampler
from verif.memory_agent.traffic import MemoryTraffic, Request, Response

PLAIN = predicted(bundle_of([Load(0, 0, 4)] * 8))
ADD: Service = "add"
LOAD: Service = "load"

ADVANCE = "LD requesting and receiving, then LD receiving"
LAST = "LD receiving, then LD writing its last word"

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


@pytest.mark.parametrize(("bit", "state"), SITUATIONS.items())
def test_states_at_responses_that_answer_nothing(bit: int, state: str) -> None:
    if state != "LD":
        assert of_program("stray_response", replace(PLAIN, met_stray=1 << bit)) == {state}


def test_a_response_during_an_ld_is_no_stray() -> None:
    with pytest.raises(KeyError):
        of_program("stray_response", replace(PLAIN, met_stray=1 << (48 + Opcode.LD)))


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


@pytest.mark.parametrize(
    ("around", "item", "bins"),
    [
        (Surroundings(), "reset_width", set()),
        (Surroundings(reset_width=8, reset_gap=3), "reset_width", set()),
        (Surroundings(reset_first=True), "reset_width", {("before start", "once", "1")}),
        (Surroundings(reset_first=True, reset_width=2), "reset_width", {("before start", "once", "2..7")}),
        (Surroundings(reset_cycle=9, reset_width=7), "reset_width", {("after start", "once", "2..7")}),
        (
            Surroundings(reset_first=True, reset_cycle=9, reset_width=8, reset_gap=1),
            "reset_width",
            {("before start", "twice", "8"), ("after start", "twice", "8")},
        ),
        (Surroundings(reset_cycle=9), "reset_gap", set()),
        (Surroundings(reset_cycle=9, reset_gap=1), "reset_gap", {("after start", "1")}),
        (Surroundings(reset_first=True, reset_gap=15), "reset_gap", {("before start", "2..15")}),
        (Surroundings(reset_first=True, reset_gap=16), "reset_gap", {("before start", "16..255")}),
        (Surroundings(reset_first=True, reset_gap=65535), "reset_gap", {("before start", "256..65535")}),
        (Surroundings(), "long_rest", set()),
        (Surroundings(rest=1), "long_rest", {("HALT", "1..63")}),
        (Surroundings(rest=64), "long_rest", {("HALT", "64..1023")}),
        (Surroundings(rest=65534), "long_rest", {("HALT", "1024..65534")}),
        (Surroundings(rest=65535), "long_rest", {("HALT", "65535")}),
    ],
)
def test_surroundings(around: Surroundings, item: str, bins: set[Names]) -> None:
    assert of_program(item, replace(PLAIN, surroundings=around)) == bins


@pytest.mark.parametrize(
    ("start", "meeting"),
    [
        ((5, 19), None),
        ((5, 20), "that ends under an rst"),
        ((23, 23), "that ends under an rst"),
        ((23, 24), "under an rst and in the cycle after"),
        ((5, 90), "under an rst and in the cycle after"),
        ((24, 24), "in the cycle after an rst, not before"),
        ((25, 25), None),
    ],
)
def test_start_at_reset(start: tuple[int, int], meeting: str | None) -> None:
    """rst is high in cycles 20 to 23."""
    around = Surroundings(reset_cycle=20, reset_width=4, start=start)
    expected = set() if meeting is None else {(meeting, "2..7")}
    assert of_program("start_at_reset", replace(PLAIN, surroundings=around)) == expected
    without = replace(around, reset_cycle=None)
    assert of_program("start_at_reset", replace(PLAIN, surroundings=without)) == set()


def test_what_comes_into_a_run_with_delayed_reads() -> None:
    driven = Surroundings(driven=True)
    asked = MemoryTraffic([Request(3, 0), Request(4, 1)], [Response(9, 0)])
    answered = MemoryTraffic([Request(3, 0)], [Response(9, 0)])
    cut = replace(driven, reset_cycle=9)
    lost = 1 << 33
    for run, events in (
        (replace(PLAIN, traffic=answered, surroundings=driven), set()),
        (replace(PLAIN, traffic=asked, surroundings=cut), {"rst that drops reads"}),
        (replace(PLAIN, traffic=answered, surroundings=cut), {"rst that drops none"}),
        (replace(PLAIN, traffic=asked, surroundings=replace(cut, driven=False)), set()),
        (replace(PLAIN, traffic=answered, surroundings=driven, met_start=1), set()),
        (replace(PLAIN, traffic=answered, surroundings=driven, met_start=lost), {"a lost start"}),
        (replace(PLAIN, traffic=answered, surroundings=driven, passes=2), {"another pass"}),
    ):
        assert of_program("driven_run", run) == events


@pytest.mark.parametrize(
    ("start", "bins"),
    [
        ((1, 2), set()), ((3, 3), {"1"}), ((4, 4), {"2..7"}), ((3, 4), {"1", "2..7"}), ((9, 9), {"2..7"}),
        ((10, 10), {"8..63"}), ((3, 65), {"1", "2..7", "8..63"}), ((102, 102), {"64..4095"}),
        ((411, 411), set()),
    ],
)  # fmt: skip
def test_reads_under_way_at_a_lost_start(start: tuple[int, int], bins: set[Names]) -> None:
    """LD of 100 words under latency 300 is busy from cycle 3 to 403."""
    loaded = predicted(bundle_of([Load(0, 0, 100)], read_latency=300))
    run = replace(loaded, schedule=Schedule(start=start, latency=300))
    assert of_program("start_lost_outstanding", run) == bins


@pytest.mark.parametrize(
    ("instruction", "steps"),
    [
        (Load(0, 0, 9), {"LD requesting, then LD requesting and receiving", ADVANCE, LAST}),
        (Load(0, 0, 8), {"LD requesting, then LD receiving", LAST}),
        (Load(0, 0, 7), {"LD requesting, then LD waiting", "LD waiting, then LD receiving", LAST}),
        (Requantize(0, 0, 2, 1, 1), {"RQ filling, then RQ draining"}),
    ],
)
def test_steps_within_busy_time(instruction: Instruction, steps: set[str]) -> None:
    run = predicted(bundle_of([instruction], scratchpad=np.ones(10, np.uint32)))
    assert of_program("phase_step", run) == steps
    assert of_program("phase_step", replace(run, surroundings=Surroundings(driven=True))) == set()


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
