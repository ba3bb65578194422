"""The bigram drafts: their tables, their noise, and the weights that realize them."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from refmodel.language.draft import bigram_draft, counted_table, make_draft, rule_table, solve
from refmodel.language.rollout import greedy_rollout
from refmodel.language.target import TargetModel, random_target, sharp, structured


def test_the_structured_table_is_the_rule() -> None:
    table = rule_table()
    for token in range(16):
        expected = [8.0 if j == (5 * token + 3) % 16 else 0.0 for j in range(16)]
        assert table[token].tolist() == expected


def test_a_perfect_draft_guesses_the_rule() -> None:
    draft = bigram_draft(structured(), noise=0.0)
    assert [draft.guess(token) for token in range(16)] == [(5 * token + 3) % 16 for token in range(16)]


def test_a_contrary_draft_is_never_right_and_a_constant_one_never_changes() -> None:
    contrary, constant = (make_draft(kind, structured()) for kind in ("contrary", "constant"))
    assert [contrary.guess(token) for token in range(16)] == [(5 * token + 4) % 16 for token in range(16)]
    assert [constant.guess(token) for token in range(16)] == [0] * 16


def test_a_contrary_draft_is_as_sure_as_the_bigram_draft() -> None:
    target = random_target(3)
    bigram, contrary = make_draft("bigram", target), make_draft("contrary", target)
    assert np.abs(np.sort(contrary.logits) - np.sort(bigram.logits)).max() < 1e-10
    likely = counted_table(target).argmax(axis=1)
    assert [contrary.guess(token) != successor for token, successor in enumerate(likely)] == [True] * 16


def test_a_counted_table_holds_the_successors_of_greedy_runs() -> None:
    target = random_target(1)
    counts = {(a, b): 0.5 for a in range(16) for b in range(16)}
    for run in greedy_rollout(target, 24).tokens.tolist():
        assert len(run) == 25
        for pair in itertools.pairwise(run):
            counts[pair] += 1.0
    table = counted_table(target)
    for (token, successor), count in counts.items():
        total = sum(counts[token, j] for j in range(16))
        assert table[token, successor] == 4.0 * math.log(16.0 * count / total)


def test_noise_is_drawn_entry_by_entry_row_by_row() -> None:
    source = random.Random(5)
    draws = [[source.gauss(0.0, 3.0) for _ in range(16)] for _ in range(16)]
    logits = bigram_draft(structured(), noise=3.0, seed=5).logits
    assert np.abs(logits - (rule_table() + np.array(draws))).max() < 1e-12


@pytest.mark.parametrize("target", [structured(), random_target(1), random_target(8), sharp(2)])
def test_the_weights_realize_the_table(target: TargetModel) -> None:
    table = rule_table() if target.kind == "structured" else counted_table(target)
    draft = bigram_draft(target)
    assert np.abs(target.embedding @ draft.wd - table).max() < 1e-10
    assert np.abs(draft.logits - table).max() < 1e-10


def test_the_tie_of_the_published_draft_breaks_towards_11() -> None:
    """Tokens 9 and 11 followed token 1 equally often; the rounding of E·Wd decides, the same everywhere."""
    table = counted_table(random_target(1))
    assert table[1, 9] == table[1, 11] == table[1].max()
    assert bigram_draft(random_target(1)).guess(1) == 11


def test_solve_inverts_a_product_that_needs_pivoting() -> None:
    matrix = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 0.0], [3.0, 1.0, 0.0]])
    solution = np.array([[1.0, -2.0], [0.5, 4.0], [3.0, 0.0]])
    assert np.abs(solve(matrix, matrix @ solution) - solution).max() < 1e-14
