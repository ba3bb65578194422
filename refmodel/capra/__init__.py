"""Capra, the compiler from small quantized graphs to GA2 programs (docs/architecture.md).

In the order data flows: `graph` builds typed `nodes` from `reals`, `calibration` runs the `evaluator` over
samples, `scales` and `plan` decide how reals become integers, `legality` refuses what no program can realize,
`storage` and `external` place tensors, `lowering` emits instructions with the `allocator`'s help, and
`compiler` ties them into a `program`. The source map is told from a finished program when somebody asks:
`tensor_names` decides how people call each tensor, `source_mapping` what each instruction is for, `residence`
when each tensor lives.

Beside it stand three independent judges: the `interpreter` (integers, node by node), `stagewise` (each tensor
against the real-number meaning of its operation) and `readback` (tensors out of the scratchpad).
"""
