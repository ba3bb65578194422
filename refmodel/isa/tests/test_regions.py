"""Regions and footprints against addresses written out element by element."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.isa.regions import Region, footprint, partial_overlap
from refmodel.isa.tests.strategies import any_instruction

addresses = st.integers(0, 4095)
strides = st.one_of(st.integers(0, 20), addresses)
matmuls = st.builds(
    MatMul,
    addresses,
    addresses,
    addresses,
    st.integers(1, 4),
    st.integers(1, 64),
    st.integers(1, 4),
    st.booleans(),
    strides,
    strides,
    strides,
)


@given(addresses, st.integers(1, 4), st.integers(1, 64), strides, strides)
def test_tile_addresses_wrap(
    start: int, rows: int, columns: int, row_stride: int, column_stride: int
) -> None:
    region = Region(start, (rows, columns), (row_stride, column_stride))
    flat = [[start + i * row_stride + j * column_stride for j in range(columns)] for i in range(rows)]
    assert region.addresses().tolist() == [[address % 4096 for address in row] for row in flat]
    assert region.wraps == (max(map(max, flat)) >= 4096)


@given(
    addresses, addresses, addresses, st.integers(1, 4), st.integers(1, 9), st.integers(1, 4), st.booleans()
)
def test_matmul_footprint(a: int, b: int, dst: int, m: int, k: int, n: int, transpose_b: bool) -> None:
    lda, ldb, ldc = 100, 50, 7
    touched = footprint(MatMul(dst, a, b, m, k, n, transpose_b, lda, ldb, ldc))
    assert touched.reads["A"].addresses().tolist() == [
        [(a + row * lda + depth) % 4096 for depth in range(k)] for row in range(m)
    ]
    assert touched.reads["B"].addresses().tolist() == [
        [
            (b + column * ldb + depth if transpose_b else b + depth * ldb + column) % 4096
            for column in range(n)
        ]
        for depth in range(k)
    ]
    assert touched.writes is not None
    assert touched.writes.addresses().tolist() == [
        [(dst + row * ldc + column) % 4096 for column in range(n)] for row in range(m)
    ]


@given(any_instruction.filter(lambda instruction: fault_reason(instruction) is None) | matmuls)
def test_address_set_holds_the_addresses(instruction: Instruction) -> None:
    touched = footprint(instruction)
    for region in (*touched.reads.values(), touched.writes, touched.ext_reads, touched.ext_writes):
        if region is not None:
            members = region.address_set()
            assert [address for address in range(region.memory_words) if members >> address & 1] == sorted(
                set(region.addresses().ravel().tolist())
            )


def test_vector_footprints() -> None:
    def words(region: Region | None) -> list[int]:
        assert region is not None
        return list(region.addresses().tolist())

    load = footprint(Load(4094, 65535, 3))
    assert (words(load.writes), words(load.ext_reads), load.reads) == ([4094, 4095, 0], [65535, 0, 1], {})
    store = footprint(Store(4095, 65534, 3))
    assert (words(store.reads["src"]), words(store.ext_writes)) == ([4095, 0, 1], [65534, 65535, 0])
    assert store.writes is None
    add = footprint(VectorAdd(10, 20, 30, 2))
    assert {name: words(region) for name, region in add.reads.items()} == {"src1": [20, 21], "src2": [30, 31]}
    assert words(add.writes) == [10, 11]
    argmax = footprint(ArgMax(10, 20, 2))
    assert (words(argmax.reads["src"]), words(argmax.writes)) == ([20, 21], [10])
    assert footprint(Halt()).writes is None


@given(addresses, addresses, addresses, st.integers(1, 4095))
def test_partial_overlap_is_neither_identical_nor_disjoint(
    dst: int, src: int, other: int, length: int
) -> None:
    def overlaps(source: int) -> bool:
        if source == dst:
            return False
        words = {(dst + i) % 4096 for i in range(length)}
        return any((source + i) % 4096 in words for i in range(length))

    expected = "src" if overlaps(src) else None
    assert partial_overlap(footprint(Requantize(dst, src, length, 1, 1))) == expected
    assert partial_overlap(footprint(Softmax(dst, src, length))) == expected
    expected_of_two = "src1" if overlaps(src) else "src2" if overlaps(other) else None
    assert partial_overlap(footprint(VectorAdd(dst, src, other, length))) == expected_of_two


@pytest.mark.parametrize(
    "instruction",
    [
        MatMul(0, 1, 2, 4, 4, 4, False, 4, 4, 4),
        ArgMax(5, 0, 10),
        Load(0, 1, 100),
        Store(0, 1, 100),
        VectorAdd(100, 0, 5, 10),  # sources may overlap each other in any way
    ],
)
def test_what_may_overlap(instruction: Instruction) -> None:
    assert partial_overlap(footprint(instruction)) is None
