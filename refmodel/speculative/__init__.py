"""Speculative decoding: verification operations, the block loop, and the host loop that runs it on a chip.

In reading order: `probability_rows` and `verification` decide a block; `block_loop` is the one loop that
proposes, verifies and commits; `decoder` runs it on two callables; `step` and `host_loop` run it as a
sequence of programs; `model_runner` executes those programs on the reference machine. Nothing here knows
how a target model is made.
"""
