"""Hypothesis strategies for programs that execute: lengths in range, no partial overlap."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refmodel.isa.instructions import (
    ArgMax,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)

scratchpad_addresses = st.one_of(st.integers(0, 4095), st.integers(4040, 4095), st.integers(0, 60))
ext_addresses = st.one_of(st.integers(0, 400), st.integers(65500, 65535))
lengths = st.one_of(st.integers(1, 40), st.integers(1, 2000))
strides = st.one_of(st.integers(0, 70), st.integers(0, 4095))


@st.composite
def _identical_or_disjoint(draw: DrawFn, source_words: int, length: int) -> tuple[int, int]:
    """Draw a source of `source_words` words and a dst of `length` behind it, modulo the scratchpad."""
    source = draw(scratchpad_addresses)
    gap = draw(st.integers(0, 4096 - source_words - length))
    return source, (source + source_words + gap) % 4096


@st.composite
def requantizations(draw: DrawFn) -> Requantize:
    """Draw an RQ, in place or not."""
    length = draw(lengths)
    src, elsewhere = draw(_identical_or_disjoint(length, length))
    dst = draw(st.sampled_from([src, elsewhere]))
    multiplier = draw(st.one_of(st.integers(0, 2**24 - 1), st.integers(2**23, 2**24 - 1)))
    return Requantize(dst, src, length, multiplier, draw(st.integers(0, 63)), draw(st.booleans()))


@st.composite
def softmaxes(draw: DrawFn) -> Softmax:
    """Draw an SM, in place or not."""
    length = draw(lengths)
    src, elsewhere = draw(_identical_or_disjoint(length, length))
    return Softmax(draw(st.sampled_from([src, elsewhere])), src, length)


@st.composite
def vector_adds(draw: DrawFn) -> VectorAdd:
    """Draw a VADD whose sources overlap each other anyhow, or that is in place on one or both."""
    length = draw(st.integers(1, 1000))
    base, behind = draw(_identical_or_disjoint(2 * length, length))
    end = (base + length) % 4096
    between = (base + draw(st.integers(0, length))) % 4096
    dst, src1, src2 = draw(
        st.sampled_from([(behind, base, between), (base, base, end), (base, end, base), (base, base, base)])
    )
    return VectorAdd(dst, src1, src2, length)


matmuls = st.builds(
    MatMul,
    scratchpad_addresses,
    scratchpad_addresses,
    scratchpad_addresses,
    st.integers(1, 4),
    st.one_of(st.integers(1, 8), st.integers(1, 64)),
    st.integers(1, 4),
    st.booleans(),
    strides,
    strides,
    st.one_of(st.integers(0, 5), strides),
)

executing_instructions: SearchStrategy[Instruction] = st.one_of(
    st.builds(Load, scratchpad_addresses, ext_addresses, lengths),
    st.builds(Store, scratchpad_addresses, ext_addresses, lengths),
    matmuls,
    requantizations(),
    softmaxes(),
    vector_adds(),
    st.builds(ArgMax, scratchpad_addresses, scratchpad_addresses, lengths),
)
