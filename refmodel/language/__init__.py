"""The language models: float targets, bigram drafts, their graphs, calibrations and compiled programs.

In reading order: `target` and `draft` hold weights; `float_model` and `rollout` compute in floating point;
`plain_step`, `verifier_block` and `draft_step` build graphs; `float_host_loop`, `shape_scales` and
`model_scales` calibrate them; `programs` compiles what a host loop asks for.
"""
