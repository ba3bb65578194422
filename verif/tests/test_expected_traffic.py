"""Traffic under response delays, against cycles worked out by hand from docs/isa.md."""

from refmodel.isa.instructions import Load, Store
from refmodel.machine.tests.helpers import program
from sequences.run_plan import plan_run
from sequences.stimulus import ResponseDelays, Stimulus
from sequences.timed_program import timed_program
from verif.scoreboard.expected_traffic import expected_traffic

BUNDLE = program(Load(0, 65534, 3), Store(0, 20, 2), ext_words=65536)
DELAYS = ResponseDelays(seed=1, longest=5, shortest=5, pattern="longest")
"""The LD is FETCH in 1, ISSUE in 2 and busy in 3..11: requests in 3..5, answers in 8..10. The ST is FETCH in
12, ISSUE in 13 and busy in 14..17: writes in 16 and 17. The HALT is FETCH in 18 and ISSUE in 19."""


def test_a_whole_pass() -> None:
    stimulus = Stimulus(response_delays=DELAYS)
    timed = timed_program(BUNDLE.code, BUNDLE.read_latency, stimulus)
    assert timed.counters.cyc_total == 19
    due = expected_traffic(BUNDLE, stimulus, plan_run(19, stimulus))
    assert due.requests == [(3, 65534), (4, 65535), (5, 0)]
    assert due.responses == [8, 9, 10]
    assert due.writes == [(16, 20), (17, 21)]


def test_what_rst_cuts_is_left_out_and_comes_in_the_next_pass() -> None:
    stimulus = Stimulus(response_delays=DELAYS, reset_cycle=4, extra_start=(5, 5))
    due = expected_traffic(BUNDLE, stimulus, plan_run(19, stimulus))
    assert due.requests == [(3, 65534), (4, 65535), (8, 65534), (9, 65535), (10, 0)]
    assert due.responses == [13, 14, 15]
    assert due.writes == [(21, 20), (22, 21)]
    late = Stimulus(response_delays=DELAYS, reset_cycle=16)
    due = expected_traffic(BUNDLE, late, plan_run(19, late))
    assert (due.responses, due.writes) == ([8, 9, 10], [(16, 20)])
