"""What speculation is worth before anything is run: expected tokens a block against the cost of a block.

With every guess accepted independently with probability a, a block of k guesses emits 1 + a + … + a^k
tokens on average (Leviathan et al., 2023).
"""

from __future__ import annotations


def expected_tokens(acceptance: float, k: int) -> float:
    """Return the mean tokens a block emits, (1 − a^(k+1)) / (1 − a), which is k + 1 at a = 1; 0 ≤ a ≤ 1."""
    if acceptance == 1.0:
        return k + 1.0
    return (1.0 - acceptance ** (k + 1)) / (1.0 - acceptance)


def predicted_speedup(acceptance: float, k: int, plain: float, draft: float, verify: float) -> float:
    """Return the speedup over plain decoding, E·plain / (k·draft + verify), all costs in one unit."""
    return expected_tokens(acceptance, k) * plain / (k * draft + verify)


def serving_speedup(acceptance: float, k: int, draft_cost: float) -> float:
    """Return E / (1 + k·c): verifying costs as much as a plain step, drafting `draft_cost` = c of it."""
    return predicted_speedup(acceptance, k, 1.0, draft_cost, 1.0)
