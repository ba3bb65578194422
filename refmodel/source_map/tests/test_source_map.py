"""Source maps made by hand: what they answer, how it reads, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from refmodel.source_map.errors import SourceMapError
from refmodel.source_map.instruction_source import InstructionSource, whole
from refmodel.source_map.places import ExternalPlace, ScratchpadPlace
from refmodel.source_map.role import Role
from refmodel.source_map.source_map import SourceMap
from refmodel.source_map.tensor import Tensor
from refmodel.source_map.view import View

X = Tensor("x", (2, 3), 0.5)
SUMS = Tensor("y", (2, 3), 0.25, "accumulator")
Y = Tensor("y", (2, 3), 2.0)
Z = Tensor("z", (1, 4), 1.0, first_row=2)

MAP = SourceMap(
    instructions=(
        whole("load", "x", X),
        InstructionSource("matmul", "y", SUMS, range(2), range(2)),
        InstructionSource("matmul", "y", SUMS, range(2), range(2, 3)),
        whole("matmul", "y", Y),
        whole("add", "z", Z),
        None,
    ),
    scratchpad=(
        ScratchpadPlace(X, 100, 0, 2),
        ScratchpadPlace(SUMS, 10, 1, 3),
        ScratchpadPlace(Y, 10, 3, 4),
        ScratchpadPlace(Z, 102, 4, 4),
    ),
    ext=(ExternalPlace(X, 50),),
)


def test_instructions() -> None:
    assert MAP.instruction(2) == InstructionSource("matmul", "y", SUMS, range(2), range(2, 3))
    assert MAP.instruction(5) is None
    assert MAP.instruction(6) is None
    assert MAP.instruction(-1) is None


@pytest.mark.parametrize(
    ("address", "pc", "at", "before"),
    [
        (100, 0, "x[0][0] int8", None),
        (104, 1, "x[1][1] int8", "x[1][1] int8"),
        (105, 2, "x[1][2] int8", "x[1][2] int8"),
        (105, 3, "x[1][2] int8 dead", "x[1][2] int8 dead"),
        (99, 3, None, None),
        (106, 3, None, None),
        (10, 0, None, None),
        (10, 1, "y[0][0] accumulator", None),
        (15, 3, "y[1][2] int8", "y[1][2] accumulator"),
        (16, 3, None, None),
        (102, 4, "z[2][0] int8", "x[0][2] int8 dead"),
        (101, 4, "x[0][1] int8 dead", "x[0][1] int8 dead"),
        (105, 5, "z[2][3] int8 dead", "z[2][3] int8 dead"),
    ],
)
def test_scratchpad_words_over_time(address: int, pc: int, at: str | None, before: str | None) -> None:
    for found, expected in ((MAP.tensor_at(address, pc), at), (MAP.tensor_before(address, pc), before)):
        text = found and f"{found} {found.tensor.kind}{'' if found.live else ' dead'}"
        assert text == expected


def test_external_words() -> None:
    assert [str(MAP.tensor_at_ext(address)) for address in (49, 50, 55, 56)] == [
        "None", "x[0][0]", "x[1][2]", "None",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("tensor", "rows", "columns", "text"),
    [
        (Tensor("s", (6, 9), 1.0), range(6), range(9), "s"),
        (Tensor("s", (6, 9), 1.0), range(4, 5), range(9), "s[row 4]"),
        (Tensor("s", (6, 9), 1.0), range(4), range(4, 8), "s[rows 0..3], columns 4..7"),
        (Tensor("s", (6, 9), 1.0), range(6), range(8, 9), "s, column 8"),
        (Tensor("s", (1, 9), 1.0, first_row=2), range(1), range(4, 8), "s[row 2], columns 4..7"),
        (Tensor("s", (3, 9), 1.0, first_row=2), range(3), range(9), "s[rows 2..4]"),
        (Tensor("s", (3, 9), 1.0, first_row=2), range(1, 2), range(9), "s[row 3]"),
    ],
)
def test_how_a_block_reads(tensor: Tensor, rows: range, columns: range, text: str) -> None:
    assert str(InstructionSource("matmul", "n", tensor, rows, columns)) == text
    assert str(InstructionSource("store", "n", tensor, rows, columns)) == f"store of {text}"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Tensor("t", (0, 1), 1.0), r"tensor t has the shape \(0, 1\)"),
        (lambda: Tensor("t", (1, 0), 1.0), r"tensor t has the shape \(1, 0\)"),
        (lambda: Tensor("t", (1, 1), 0.0), "tensor t has the scale 0.0, legal is a positive number"),
        (lambda: Tensor("t", (1, 1), float("nan")), "tensor t has the scale nan"),
        (lambda: Tensor("t", (1, 1), float("inf")), "tensor t has the scale inf"),
        (lambda: Tensor("t", (1, 1), 1.0, "int9"), "kind 'int9', legal are int8, accumulator"),  # type: ignore[arg-type]
        (lambda: Tensor("t", (1, 1), 1.0, first_row=-1), "first_row -1, legal is 0 or more"),
        (lambda: whole("mull", "x", X), "'mull' is no service, legal are load, store"),  # type: ignore[arg-type]
        (lambda: InstructionSource("add", "x", X, range(3), range(3)), r"rows 0..2 of x, legal are 0..1"),
        (lambda: InstructionSource("add", "x", X, range(0), range(3)), r"rows 0..-1 of x"),
        (
            lambda: InstructionSource("add", "x", X, range(2), range(-1, 3)),
            r"columns -1..2 of x, legal are 0..2",
        ),
        (lambda: InstructionSource("add", "x", X, range(2), range(0, 3, 2)), r"columns 0..2 of x"),
        (
            lambda: ScratchpadPlace(X, 4091, 0, 0),
            r"x takes the words 4091..4096 of the scratchpad, .* 0..4095",
        ),
        (lambda: ScratchpadPlace(X, -1, 0, 0), "x takes the words -1..4 of the scratchpad"),
        (lambda: ScratchpadPlace(X, 0, 3, 2), "x lives from pc 3 to 2"),
        (lambda: ScratchpadPlace(X, 0, -1, 2), "x lives from pc -1 to 2"),
        (lambda: ExternalPlace(X, 65531), "x takes the words 65531..65536 of the external memory"),
        (
            lambda: SourceMap((None,), (ScratchpadPlace(X, 0, 0, 1),), ()),
            "x lives to pc 1, the program ends at 0",
        ),
        (lambda: View("flip", ("input",)), "'flip' is no view, legal are concat, slice"),  # type: ignore[arg-type]
        (lambda: View("slice", ()), "a slice looks at nothing"),
        (lambda: Role("guess", "sharp", 0, 1), "'guess' is no step, legal are plain, draft"),  # type: ignore[arg-type]
        (lambda: Role("draft", "sharp", 0, 0), "a step of 0 rows over 0, legal is at least 1"),
        (lambda: Role("plain", "sharp", -1, 1), "a step of 1 rows over -1"),
    ],
)
def test_refusals(make: Callable[[], object], message: str) -> None:
    with pytest.raises(SourceMapError, match=message):
        make()


def test_the_last_words_of_both_memories_may_be_used() -> None:
    assert ScratchpadPlace(X, 4090, 0, 0).holds(4095)
    assert ExternalPlace(X, 65530).holds(65535)
