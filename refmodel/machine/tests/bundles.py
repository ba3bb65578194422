"""Hypothesis strategy for bundles, and what it means that two of them are equal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refmodel.isa.encoding import encode
from refmodel.isa.tests.strategies import any_instruction
from refmodel.machine.bundle import Bundle, Expectation
from refmodel.machine.result import Counters, WordArray
from refmodel.source_map.tests.strategies import source_maps

word_values = st.one_of(st.integers(0, 2**32 - 1), st.sampled_from([0, 0, 1, 2**31, 2**32 - 1]))
memory_images: SearchStrategy[WordArray] = st.lists(word_values, max_size=40).map(
    lambda values: np.array(values, dtype=np.uint32)
)
counters = st.builds(Counters, *[st.integers(0, 2**32 - 1)] * 5)

bundles_without_a_map: SearchStrategy[Bundle] = st.builds(
    Bundle,
    code=st.lists(st.one_of(any_instruction.map(encode), st.integers(0, 2**128 - 1)), max_size=8).map(tuple),
    ext=memory_images,
    ext_words=st.integers(40, 65536),
    read_latency=st.integers(1, 255),
    scratchpad=st.one_of(st.none(), memory_images),
    expect=st.one_of(
        st.none(),
        st.builds(Expectation, st.booleans(), st.booleans(), counters, memory_images, memory_images),
    ),
    note=st.text(),
)


@st.composite
def _bundles(draw: DrawFn) -> Bundle:
    bundle = draw(bundles_without_a_map)
    source_map = draw(st.one_of(st.none(), source_maps(len(bundle.code))))
    return replace(bundle, make_source_map=None if source_map is None else lambda: source_map)


any_bundle: SearchStrategy[Bundle] = _bundles()


def assert_same_bundle(found: Bundle, expected: Bundle) -> None:
    """Fail unless two bundles are equal to the last word; a missing image and an empty one differ.

    Their source maps are not compared: text has none.
    """
    assert found.code == expected.code
    assert (found.ext_words, found.read_latency, found.note) == (
        expected.ext_words,
        expected.read_latency,
        expected.note,
    )
    _assert_same_image(found.ext, expected.ext)
    assert (found.scratchpad is None) == (expected.scratchpad is None)
    if found.scratchpad is not None and expected.scratchpad is not None:
        _assert_same_image(found.scratchpad, expected.scratchpad)
    assert (found.expect is None) == (expected.expect is None)
    if found.expect is not None and expected.expect is not None:
        assert (found.expect.halted, found.expect.fault) == (expected.expect.halted, expected.expect.fault)
        assert found.expect.counters == expected.expect.counters
        _assert_same_image(found.expect.ext, expected.expect.ext)
        _assert_same_image(found.expect.scratchpad, expected.expect.scratchpad)


def _assert_same_image(found: WordArray, expected: WordArray) -> None:
    assert found.dtype == expected.dtype == np.uint32
    assert found.tolist() == expected.tolist()
