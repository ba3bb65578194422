"""A job's seed comes from the night's and its own name, and from nothing else."""

from __future__ import annotations

from regressions.nightly.seeds import derived_seed, random_base_seed, wants_seed, with_seed
from verif.simulation.tools import LARGEST_SEED


def test_the_seed_is_the_same_everywhere() -> None:
    """Worked out with sha256sum: printf '%s' 5/directed-000 | sha256sum, the first 16 digits."""
    assert derived_seed(5, "directed-000") == 1 + 0x8EBB46AACBC18CA9 % LARGEST_SEED
    assert derived_seed(1, "a") == 1 + 0xBF1D987701909D7B % LARGEST_SEED


def test_seeds_differ_by_night_and_by_name_and_are_what_verilator_takes() -> None:
    seeds = {derived_seed(base, f"n-{number}") for base in range(1, 40) for number in range(40)}
    assert len(seeds) == 39 * 40
    assert all(1 <= seed <= LARGEST_SEED for seed in seeds)


def test_a_random_night_has_a_seed_of_its_own() -> None:
    seeds = {random_base_seed() for _ in range(20)}
    assert len(seeds) == 20
    assert all(1 <= seed <= LARGEST_SEED for seed in seeds)


def test_the_seed_takes_its_place_wherever_it_is_asked_for() -> None:
    wanted = {"seed": "$seed", "list": [{"a": ["$seed", "$seeds"]}], "n": 3}
    assert with_seed(wanted, 7) == {"seed": 7, "list": [{"a": [7, "$seeds"]}], "n": 3}
    assert wants_seed(wanted)
    assert not wants_seed({"seed": 3, "list": ["seed"]})
