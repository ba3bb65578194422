"""Hypothesis strategies for source maps that are legal, whether or not a compiler could make them."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refmodel.source_map.instruction_source import SERVICES, InstructionSource
from refmodel.source_map.places import ExternalPlace, ScratchpadPlace
from refmodel.source_map.role import STEP_KINDS, Role
from refmodel.source_map.source_map import SourceMap
from refmodel.source_map.tensor import TENSOR_KINDS, Tensor
from refmodel.source_map.view import VIEW_KINDS, View

tensors: SearchStrategy[Tensor] = st.builds(
    Tensor,
    name=st.text(max_size=6),
    shape=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    scale=st.floats(min_value=0, exclude_min=True, allow_infinity=False),
    kind=st.sampled_from(TENSOR_KINDS),
    first_row=st.one_of(st.none(), st.integers(0, 20)),
)

_views: SearchStrategy[View] = st.builds(
    View, st.sampled_from(VIEW_KINDS), st.lists(st.text(max_size=6), min_size=1, max_size=2).map(tuple)
)
_roles: SearchStrategy[Role] = st.builds(
    Role, st.sampled_from(STEP_KINDS), st.text(max_size=6), st.integers(0, 63), st.integers(1, 8)
)


@st.composite
def _spans(draw: DrawFn, size: int) -> range:
    start = draw(st.integers(0, size - 1))
    return range(start, draw(st.integers(start + 1, size)))


@st.composite
def _sources(draw: DrawFn) -> InstructionSource:
    tensor = draw(tensors)
    rows, columns = (draw(_spans(size)) for size in tensor.shape)
    return InstructionSource(
        draw(st.sampled_from(SERVICES)), draw(st.text(max_size=6)), tensor, rows, columns
    )


@st.composite
def _scratchpad_places(draw: DrawFn, instructions: int) -> ScratchpadPlace:
    tensor = draw(tensors)
    first = draw(st.integers(0, instructions - 1))
    last = draw(st.integers(first, instructions - 1))
    return ScratchpadPlace(tensor, draw(st.integers(0, 4096 - tensor.words)), first, last)


@st.composite
def source_maps(draw: DrawFn, at_least: int) -> SourceMap:
    """Draw a map of `at_least` instructions or a few more."""
    instructions = draw(st.integers(at_least, at_least + 3))
    sources = st.lists(st.one_of(st.none(), _sources()), min_size=instructions, max_size=instructions)
    places = st.lists(_scratchpad_places(instructions), max_size=4) if instructions else st.just([])
    ext = st.lists(st.builds(ExternalPlace, tensors, st.integers(0, 65536 - 81)), max_size=3)
    return SourceMap(
        tuple(draw(sources)),
        tuple(draw(places)),
        tuple(draw(ext)),
        tuple(draw(st.lists(_views, max_size=3))),
        draw(st.one_of(st.none(), _roles)),
    )
