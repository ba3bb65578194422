"""Which mutants are tried: all, a sample that a seed draws, or a few of every file, whatever else changes."""

from collections import Counter

from verif.qualification.generated.candidates import candidates
from verif.qualification.generated.change import Operator
from verif.qualification.generated.selection import (
    PACKAGES,
    PER_FILE,
    WITHOUT_EFFECT,
    all_candidates,
    all_mutants,
    few_mutants,
    picked,
    sampled,
)
from verif.qualification.mutants import MUTANTS
from verif.qualification.mutated_rtl import RTL

MANY = "".join(f"  assign q{n} = a{n} + b{n};\n  assign r{n} = a{n} == b{n};\n" for n in range(20))


def names(body: str, number: int) -> set[str]:
    source = f"module m (\n    input logic a\n);\n{body}endmodule\n"
    return {mutant.name for mutant in picked(candidates("m.sv", source, {}), number)}


def test_every_file_with_behaviour_gives_what_it_can() -> None:
    by_file = Counter(mutant.file for mutant in few_mutants() if mutant.operator is not Operator.RESET)
    assert by_file.keys() == {path.name for path in RTL.glob("*.sv")} - {*PACKAGES, *WITHOUT_EFFECT}
    for file, every in all_candidates().items():
        there = sum(mutant.operator is not Operator.RESET for mutant in every)
        assert by_file[file] == min(PER_FILE, there), file


def test_there_are_enough_of_every_operator() -> None:
    operators = Counter(mutant.operator for mutant in all_mutants())
    assert operators.total() >= 1000
    assert set(operators) == set(Operator)


def test_every_reset_of_every_file_is_dropped_once() -> None:
    every = [mutant for of_file in all_candidates().values() for mutant in of_file]
    resets = {mutant.name for mutant in every if mutant.operator is Operator.RESET}
    assert resets <= {mutant.name for mutant in few_mutants()}
    assert len(resets) == 26  # 27 assignments below `if (rst_i)`, counted in the files; one is by hand


def test_a_seed_draws_a_sample() -> None:
    mutants = all_mutants()
    first = sampled(mutants, 60, 1)
    assert len(first) == 60
    assert first == sampled(mutants, 60, 1) != sampled(mutants, 60, 2)
    assert set(first) < set(sampled(mutants, 61, 1)), "a larger sample holds the smaller one"
    assert [mutant for mutant in mutants if mutant in first] == first
    assert sampled(mutants, len(mutants) + 1, 1) == list(mutants)


def test_what_is_written_by_hand_is_not_generated_again() -> None:
    (by_hand,) = (mutant for mutant in MUTANTS if mutant.name == "last_maximum")
    source = (RTL / by_hand.file).read_text()
    again = [mutant for mutant in candidates(by_hand.file, source, {}) if mutant.what == "> becomes >="]
    assert len(again) == 1
    assert again[0] not in all_candidates()[by_hand.file]


def test_operators_take_turns() -> None:
    operators = Counter(name.split("_")[1] for name in names(MANY, 10))
    assert operators == {"arithmetic": 5, "equality": 5}


def test_a_line_more_displaces_one_at_most() -> None:
    before = names(MANY, 10)
    for number in range(20):
        after = names(f"{MANY}  assign x = y{number} + z;\n", 10)
        assert len(before - after) <= 1


def test_a_line_less_takes_away_its_own_alone() -> None:
    before = names(MANY, 10)
    for number in range(20):
        after = names(MANY.replace(f"  assign q{number} = a{number} + b{number};\n", ""), 10)
        assert len(before - after) <= 1
