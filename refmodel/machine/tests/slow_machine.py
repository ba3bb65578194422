"""A second machine, as slow and as plain as possible, written from docs/isa.md alone.

It shares nothing with the machine under test: it takes words apart by shifting, keeps memories in lists and
walks them element by element, and computes softmax exponentials in decimal arithmetic.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import cache

Busy = tuple[int, int, int]
"""Busy cycles of matrix, DMA and vector unit."""


class SlowMachine:
    """Runs one program on copies of two full memories, 65536 and 4096 words."""

    def __init__(self, ext: list[int], scratchpad: list[int], ext_words: int, latency: int) -> None:
        self.ext = list(ext)
        self.mem = list(scratchpad)
        self.ext_words = ext_words
        self.latency = latency
        self.fault = False
        self.retires: list[tuple[int, int, int, int, int]] = []
        self.accesses: list[tuple[int, int, int, int]] = []
        """Signature, scratchpad writes, external writes and scratchpad reads of each instruction."""
        self.pc = self.reads = 0
        self.writes: list[tuple[bool, int, int]] = []

    def run(self, code: tuple[int, ...]) -> None:
        """Run to the HALT or fault; after the last word comes a HALT."""
        for pc, word in enumerate((*code, 0)):
            op = word >> 124
            if op == 0:
                return
            if not self.legal(word, op):
                self.fault = True
                return
            execute = (
                self.load,
                self.store,
                self.matmul,
                self.requantize,
                self.softmax,
                self.add,
                self.argmax,
            )
            self.pc, self.reads, self.writes = pc, 0, []
            self.retires.append((pc, op, *execute[op - 1](word)))
            self.accesses.append(self.access())

    def access(self) -> tuple[int, int, int, int]:
        signature = 0
        for _, address, value in self.writes:
            signature = (signature * 1099511628211 + self.pc * 2**48 + address * 2**32 + value) % 2**64
        external = sum(is_external for is_external, _, _ in self.writes)
        return signature, len(self.writes) - external, external, self.reads

    def counters(self) -> tuple[int, int, int, int, int]:
        """Return cyc_total, cyc_mm, cyc_dma, cyc_vec, n_inst."""
        mm, dma, vec = (sum(row[column] for row in self.retires) for column in (2, 3, 4))
        return 2 * (len(self.retires) + 1) + mm + dma + vec, mm, dma, vec, len(self.retires)

    def legal(self, word: int, op: int) -> bool:
        if op == 3:
            m, k, n = word >> 38 & 255, word >> 30 & 255, word >> 22 & 255
            return 1 <= m <= 4 and 1 <= k <= 64 and 1 <= n <= 4
        length = word >> 52 & 0xFFFF if op == 6 else word >> 76 & 0xFFFF
        return op < 8 and 1 <= length <= 4095

    def get(self, address: int, bits: int) -> int:
        """Return the low bits of a scratchpad word as a signed number."""
        self.reads += 1
        low: int = self.mem[address % 4096] % 2**bits
        return low - 2**bits if low >= 2 ** (bits - 1) else low

    def put(self, address: int, value: int) -> None:
        self.mem[address % 4096] = value % 2**32
        self.writes.append((False, address % 4096, value % 2**32))

    def load(self, word: int) -> Busy:
        dst, src, length = fields_abc(word)
        for i in range(length):
            address = (src + i) % 65536
            self.put(dst + i, self.ext[address] if address < self.ext_words else 0)
        return 0, length + self.latency + 1, 0

    def store(self, word: int) -> Busy:
        src, dst, length = fields_abc(word)
        for i in range(length):
            address = (dst + i) % 65536
            value = self.get(src + i, 32) % 2**32
            self.writes.append((True, address, value))
            if address < self.ext_words:
                self.ext[address] = value
        return 0, length + 2, 0

    def matmul(self, word: int) -> Busy:
        dst, a, b = fields_abc(word)
        m, k, n = word >> 38 & 255, word >> 30 & 255, word >> 22 & 255
        lda, ldb, ldc, transposed = word >> 52 & 0xFFF, word >> 64 & 0xFFF, word & 0xFFF, word >> 18 & 1
        left = [[self.get(a + row * lda + depth, 8) for depth in range(k)] for row in range(m)]
        across, down = (ldb, 1) if transposed else (1, ldb)
        right = [
            [self.get(b + depth * down + column * across, 8) for column in range(n)] for depth in range(k)
        ]
        for row in range(m):
            for column in range(n):
                total = sum(left[row][depth] * right[depth][column] for depth in range(k))
                self.put(dst + row * ldc + column, total)
        return m * k + k * n + k + m + n - 2 + m * n + 7, 0, 0

    def requantize(self, word: int) -> Busy:
        dst, src, length = fields_abc(word)
        multiplier, shift, relu = word >> 52 & 0xFFFFFF, word >> 46 & 63, word >> 18 & 1
        for i, acc in enumerate([self.get(src + i, 32) for i in range(length)]):
            quotient = (abs(acc) * multiplier + 2**shift // 2) // 2**shift
            self.put(dst + i, max(0 if relu else -127, min(127, -quotient if acc < 0 else quotient)))
        return 0, 0, length + 2

    def softmax(self, word: int) -> Busy:
        dst, src, length = fields_abc(word)
        top = max(self.get(src + i, 8) for i in range(length))
        total = 0
        for i in range(length):
            each = exponential(top - self.get(src + i, 8))
            self.put(dst + i, each)
            total += each
        reciprocal = 2**38 // total
        for i in range(length):
            self.put(dst + i, (self.get(dst + i, 32) * reciprocal + 2**21) // 2**22)
        return 0, 0, 3 * length + 47

    def add(self, word: int) -> Busy:
        dst, src1, src2 = fields_abc(word)
        length = word >> 52 & 0xFFFF
        for i, total in enumerate([self.get(src1 + i, 8) + self.get(src2 + i, 8) for i in range(length)]):
            self.put(dst + i, max(-127, min(127, total)))
        return 0, 0, 2 * length + 2

    def argmax(self, word: int) -> Busy:
        dst, src, length = fields_abc(word)
        values = [self.get(src + i, 32) for i in range(length)]
        self.put(dst, values.index(max(values)))
        return 0, 0, length + 3


def fields_abc(word: int) -> tuple[int, int, int]:
    """Return the 16-bit fields a, b and c."""
    return word >> 108 & 0xFFFF, word >> 92 & 0xFFFF, word >> 76 & 0xFFFF


@cache
def exponential(difference: int) -> int:
    """Return ⌊65535·exp(−difference/16) + 1/2⌋."""
    with localcontext() as context:
        context.prec = 50
        return int(65535 * (Decimal(-difference) / 16).exp() + Decimal("0.5"))
