"""Hypothesis strategies for instructions."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Illegal,
    Instruction,
    Load,
    MatMul,
    Opcode,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)

scratchpad_addresses = st.integers(0, 4095)
ext_addresses = st.integers(0, 65535)
lengths = st.one_of(st.integers(0, 65535), st.sampled_from([0, 1, 4095, 4096]))
dimensions = st.integers(0, 255)
strides = st.integers(0, 4095)
words = st.integers(0, 2**128 - 1)

any_instruction: SearchStrategy[Instruction] = st.one_of(
    st.just(Halt()),
    st.builds(Load, scratchpad_addresses, ext_addresses, lengths),
    st.builds(Store, scratchpad_addresses, ext_addresses, lengths),
    st.builds(
        MatMul,
        scratchpad_addresses,
        scratchpad_addresses,
        scratchpad_addresses,
        dimensions,
        dimensions,
        dimensions,
        st.booleans(),
        strides,
        strides,
        strides,
    ),
    st.builds(
        Requantize,
        scratchpad_addresses,
        scratchpad_addresses,
        lengths,
        st.integers(0, 2**24 - 1),
        st.integers(0, 63),
        st.booleans(),
    ),
    st.builds(Softmax, scratchpad_addresses, scratchpad_addresses, lengths),
    st.builds(VectorAdd, scratchpad_addresses, scratchpad_addresses, scratchpad_addresses, lengths),
    st.builds(ArgMax, scratchpad_addresses, scratchpad_addresses, lengths),
    st.builds(Illegal, st.integers(len(Opcode), 15)),
)
"""Every instruction that can be encoded, faulting ones included."""
