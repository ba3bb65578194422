"""Errors of speculative decoding: the host loop, what it decides by, the verifier's mask and the draft."""

from __future__ import annotations

from regressions.software_qualification.mutant import Category, SoftwareMutant

VERIFICATION = "refmodel/speculative/verification.py"
BLOCK_LOOP = "refmodel/speculative/block_loop.py"
HOST_LOOP = "refmodel/speculative/host_loop.py"
FLOAT_HOST_LOOP = "refmodel/language/float_host_loop.py"
VERIFIER_BLOCK = "refmodel/language/verifier_block.py"
FLOAT_MODEL = "refmodel/language/float_model.py"
DRAFT = "refmodel/language/draft.py"

ACCEPT_TESTS = "refmodel/speculative/tests/test_accept.py"
BLOCKS_OF_THE_CHIP = (
    "refmodel/speculative/tests/test_host_loop.py"
    "::test_a_block_verifies_chained_guesses_over_the_rows_of_committed_tokens"
)
BLOCKS_IN_FLOATING_POINT = (
    "refmodel/language/tests/test_float_host_loop.py"
    "::test_the_output_is_the_targets_greedy_output_and_the_invariants_hold"
)
MEANING_OF_A_BLOCK = "refmodel/language/tests/test_graphs.py::test_a_verifier_graph_means_the_float_block"

HOST_LOOP_MUTANTS = (
    SoftwareMutant(
        "first_guess_unseen",
        Category.ACCEPT_RULE,
        VERIFICATION,
        "if choice != guess:",
        "if choice != guess and position:",
        "The first guess of a block is accepted whatever the target chooses.",
        (
            "refmodel/speculative/tests/test_verify_greedy.py"
            "::test_the_longest_agreeing_prefix_stands_and_the_deciding_row_chooses_the_next_token",
        ),
    ),
    SoftwareMutant(
        "inverted_ratio",
        Category.ACCEPT_RULE,
        VERIFICATION,
        "generator.random() * draft[guess] < target[guess]",
        "generator.random() * target[guess] < draft[guess]",
        "A sampled guess is accepted with probability q/p rather than p/q.",
        (f"{ACCEPT_TESTS}::test_a_guess_is_accepted_with_probability_p_over_q",),
    ),
    SoftwareMutant(
        "target_instead_of_residual",
        Category.ACCEPT_RULE,
        VERIFICATION,
        "np.maximum(target - draft, 0.0)",
        "target.copy()",
        "A rejected guess is replaced by a sample of p rather than of the positive part of p − q.",
        (f"{ACCEPT_TESTS}::test_after_a_rejection_the_positive_part_of_p_minus_q_is_sampled",),
    ),
    SoftwareMutant(
        "bonus_of_the_row_before",
        Category.BONUS_TOKEN,
        VERIFICATION,
        "return len(tokens), first_maximum(len(tokens))",
        "return len(tokens), first_maximum(len(tokens) - 1)",
        "After a block that is accepted completely, the target's choice before its last guess comes again.",
        (
            "refmodel/speculative/tests/test_verify_greedy.py"
            "::test_the_longest_agreeing_prefix_stands_and_the_deciding_row_chooses_the_next_token",
        ),
    ),
    SoftwareMutant(
        "no_bonus_after_full_acceptance",
        Category.BONUS_TOKEN,
        BLOCK_LOOP,
        "return (*self.proposed[: self.accepted], self.next_token)",
        "return (*self.proposed[: self.accepted], self.next_token)[: max(len(self.proposed), 1)]",
        "A block that is accepted completely emits no token of the target's own: right tokens, more blocks.",
        (
            "refmodel/speculative/tests/test_decoder.py"
            "::test_greedy_output_equals_plain_greedy_decoding_for_every_draft",
        ),
    ),
    SoftwareMutant(
        "rejected_rows_stay",
        Category.CACHE_ROWS,
        HOST_LOOP,
        "self._keys, self._values = self._keys[:cached], self._values[:cached]",
        "cached = len(self._keys)",
        "The rows of rejected guesses stay in the cache, and the next block counts them.",
        (BLOCKS_OF_THE_CHIP,),
    ),
    SoftwareMutant(
        "oldest_values_dropped",
        Category.CACHE_ROWS,
        HOST_LOOP,
        "self._keys[:cached], self._values[:cached]",
        "self._keys[:cached], self._values[len(self._values) - cached :]",
        "The values are cut to the right number of rows at the wrong end: those of rejected guesses stay.",
        (BLOCKS_OF_THE_CHIP,),
    ),
    SoftwareMutant(
        "keys_at_the_scale_of_values",
        Category.CACHE_ROWS,
        HOST_LOOP,
        'step.program.dequantize("k_new", outputs["k_new"])',
        'step.program.dequantize("v_new", outputs["k_new"])',
        "The keys that the chip returned are written to the cache at the scale of the values.",
        (BLOCKS_OF_THE_CHIP,),
    ),
    SoftwareMutant(
        "last_token_at_the_end",
        Category.BLOCK,
        HOST_LOOP,
        "self._inputs([prefix[-1], *proposed])",
        "self._inputs([*proposed, prefix[-1]])",
        "The last committed token stands at the end of the block on the chip rather than at its start.",
        (BLOCKS_OF_THE_CHIP,),
    ),
    SoftwareMutant(
        "block_starts_with_the_first_token",
        Category.BLOCK,
        FLOAT_HOST_LOOP,
        "self.target.embedding[[prefix[-1], *proposed]]",
        "self.target.embedding[[prefix[0], *proposed]]",
        "Every float block starts with the first token of all, not with the last committed one.",
        (BLOCKS_IN_FLOATING_POINT,),
    ),
    SoftwareMutant(
        "unchained_draft",
        Category.DRAFT_CHAIN,
        HOST_LOOP,
        'last = int(outputs["tok"].item())\n            guesses.append(last)',
        'guesses.append(int(outputs["tok"].item()))',
        "The chip's draft makes every guess from the last committed token.",
        (BLOCKS_OF_THE_CHIP,),
    ),
    SoftwareMutant(
        "unchained_float_draft",
        Category.DRAFT_CHAIN,
        FLOAT_HOST_LOOP,
        "last = self.draft.guess(last)\n            guesses.append(last)",
        "guesses.append(self.draft.guess(last))",
        "The float draft of the calibration makes every guess from the last committed token.",
        (
            "refmodel/language/tests/test_float_host_loop.py"
            "::test_the_published_float_draft_decides_the_third_block",
            "refmodel/language/tests/test_float_host_loop.py::test_the_tokens_drafted_on_are_recorded",
        ),
    ),
    SoftwareMutant(
        "whole_block_seen",
        Category.MASK,
        VERIFIER_BLOCK,
        "seen_keys = graph.slice_rows(keys, 0, cached + row + 1)\n"
        "    seen_values = graph.slice_rows(values, 0, cached + row + 1)",
        "seen_keys, seen_values = keys, values",
        "Every row of a verifier block attends to the whole block, the tokens after it included.",
        (MEANING_OF_A_BLOCK,),
    ),
    SoftwareMutant(
        "own_row_hidden",
        Category.MASK,
        VERIFIER_BLOCK,
        "seen_keys = graph.slice_rows(keys, 0, cached + row + 1)\n"
        "    seen_values = graph.slice_rows(values, 0, cached + row + 1)",
        "seen_keys = graph.slice_rows(keys, 0, cached + max(row, 1))\n"
        "    seen_values = graph.slice_rows(values, 0, cached + max(row, 1))",
        "From the second on, no row of a verifier block attends to its own token.",
        (MEANING_OF_A_BLOCK,),
    ),
    SoftwareMutant(
        "overshoot_kept",
        Category.OUTPUT_ASSEMBLY,
        BLOCK_LOOP,
        "committed[len(prompt) : end]",
        "committed[len(prompt) :]",
        "The tokens by which the last block overshoots the wanted number are returned too.",
        (
            "refmodel/speculative/tests/test_decoder.py"
            "::test_greedy_output_equals_plain_greedy_decoding_for_every_draft",
        ),
    ),
    SoftwareMutant(
        "block_goes_on_after_a_stop",
        Category.OUTPUT_ASSEMBLY,
        BLOCK_LOOP,
        "dropped=len(block.emitted) - stop - 1",
        "dropped=0",
        "The tokens that follow a stop token in its block are returned too.",
        (
            "refmodel/speculative/tests/test_decoder.py"
            "::test_decoding_ends_with_the_first_stop_token_wherever_in_a_block_it_falls",
        ),
    ),
    SoftwareMutant(
        "next_token_seen",
        Category.FLOAT_MASK,
        FLOAT_MODEL,
        "(column - capacity <= row)",
        "(column - capacity <= row + 1)",
        "A row of a float block attends to the token after it.",
        (
            "refmodel/language/tests/test_float_model.py::test_the_block_equals_the_step_row_by_row",
            "refmodel/language/tests/test_float_model.py"
            "::test_the_mask_hides_what_comes_later_and_the_padding",
        ),
    ),
    SoftwareMutant(
        "inverted_rule",
        Category.DRAFT_TABLE,
        DRAFT,
        "table[token, rule(token)] = RULE_LOGIT",
        "table[rule(token), token] = RULE_LOGIT",
        "The structured target's table votes for the predecessor of a token.",
        ("refmodel/language/tests/test_draft.py::test_the_structured_table_is_the_rule",),
    ),
    SoftwareMutant(
        "last_step_uncounted",
        Category.DRAFT_TABLE,
        DRAFT,
        "(tokens[:, :-1], tokens[:, 1:])",
        "(tokens[:, :-2], tokens[:, 1:-1])",
        "The last pair of each greedy run is left out of a counted table.",
        ("refmodel/language/tests/test_draft.py::test_a_counted_table_holds_the_successors_of_greedy_runs",),
    ),
)
