"""How the memory agent tells one LD's reads from the next one's."""

from verif.memory_agent.traffic import MemoryTraffic, Request, Response


def _traffic(requests: list[int], responses: list[int]) -> MemoryTraffic:
    return MemoryTraffic(
        [Request(cycle, 0) for cycle in requests], [Response(cycle, 0) for cycle in responses]
    )


def test_no_load_has_no_span() -> None:
    assert _traffic([], []).load_spans() == ()


def test_span_runs_from_first_request_to_last_response() -> None:
    assert _traffic([10, 11, 12], [14, 20, 21]).load_spans() == (11,)


def test_request_after_the_last_response_begins_another_load() -> None:
    assert _traffic([10, 11, 30], [12, 15, 33]).load_spans() == (5, 3)


def test_single_words_back_to_back_are_loads_of_their_own() -> None:
    assert _traffic([10, 14], [11, 15]).load_spans() == (1, 1)
