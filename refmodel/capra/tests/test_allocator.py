"""First fit with coalescing, against hand-worked layouts and against a brute-force model."""

from __future__ import annotations

import random

import pytest

from refmodel.capra.allocator import Allocator


def test_the_lowest_region_that_fits_is_taken() -> None:
    allocator = Allocator(100)
    assert [allocator.allocate(length) for length in (10, 20, 30)] == [0, 10, 30]
    allocator.release(0)
    allocator.release(30)
    assert allocator.allocate(15) == 30
    assert allocator.allocate(10) == 0
    assert allocator.high_water == 60


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_neighbouring_free_regions_become_one(order: tuple[int, int, int]) -> None:
    allocator = Allocator(30)
    addresses = [allocator.allocate(10) for _ in range(3)]
    assert allocator.allocate(1) is None
    assert allocator.largest_free == 0
    for index in order:
        allocator.release(addresses[index] or 0)
    assert allocator.largest_free == 30
    assert allocator.allocate(30) == 0


def test_fragments_do_not_add_up() -> None:
    allocator = Allocator(30)
    first, _, third = (allocator.allocate(10) for _ in range(3))
    allocator.release(first or 0)
    allocator.release(third or 0)
    assert allocator.largest_free == 10
    assert allocator.allocate(11) is None


def test_without_reuse_a_released_region_stays_taken() -> None:
    allocator = Allocator(30, reuse=False)
    assert allocator.allocate(10) == 0
    allocator.release(0)
    assert allocator.allocate(10) == 10
    assert allocator.allocate(11) is None


def test_a_region_is_released_once_and_by_its_start() -> None:
    allocator = Allocator(30)
    allocator.allocate(10)
    with pytest.raises(KeyError):
        allocator.release(5)
    allocator.release(0)
    with pytest.raises(KeyError):
        allocator.release(0)


@pytest.mark.parametrize("seed", range(20))
def test_it_places_as_a_word_by_word_search_does(seed: int) -> None:
    generator = random.Random(seed)
    words = 64
    allocator = Allocator(words)
    free = [True] * words
    taken: dict[int, int] = {}
    for _ in range(300):
        if taken and generator.random() < 0.45:
            address = generator.choice(sorted(taken))
            length = taken.pop(address)
            free[address : address + length] = [True] * length
            allocator.release(address)
            continue
        length = generator.randint(1, 12)
        candidates = (start for start in range(words - length + 1) if all(free[start : start + length]))
        expected = next(candidates, None)
        assert allocator.allocate(length) == expected
        if expected is not None:
            taken[expected] = length
            free[expected : expected + length] = [False] * length
