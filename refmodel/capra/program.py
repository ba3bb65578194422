"""A compiled program: its code, its ports and the way between real numbers and memory words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refmodel.capra.graph import Graph
from refmodel.capra.nodes import Shape
from refmodel.capra.plan import QuantizationPlan
from refmodel.capra.reals import real_array
from refmodel.capra.source_mapping import map_sources
from refmodel.errors import Ga2Error
from refmodel.machine.bundle import Bundle
from refmodel.machine.result import WordArray
from refmodel.numerics.integer import IntArray
from refmodel.numerics.quantization import FloatArray, dequantize, quantize
from refmodel.source_map.role import Role
from refmodel.source_map.source_map import SourceMap


class ProgramInputError(Ga2Error):
    """Real values that do not fit a program's inputs; the message names the input and the reason."""


@dataclass(frozen=True)
class Port:
    """One input or output of a program in external memory, rows contiguous, one element a word."""

    shape: Shape
    scale: float
    """Real value of one integer level."""
    address: int
    """First external word."""
    kind: Literal["int8", "index"] = "int8"
    """`index` for the plain integers of an argmax, whose scale is 1."""

    @property
    def words(self) -> slice:
        """Its place in external memory."""
        return slice(self.address, self.address + self.shape[0] * self.shape[1])


@dataclass(frozen=True, eq=False)
class Program:
    """What `compile_graph` returns; immutable, so that one program serves any number of bundles."""

    graph: Graph
    """A copy of the compiled graph."""
    plan: QuantizationPlan
    code: tuple[int, ...]
    """128-bit instruction words; every bundle of the program shares this very object."""
    nodes: tuple[int, ...]
    """The node id that each instruction belongs to; −1 for HALT."""
    ends: tuple[int, ...]
    """For every node, the index of the first instruction after those of all nodes up to it."""
    inputs: Mapping[str, Port]
    outputs: Mapping[str, Port]
    addresses: Mapping[int, int]
    """Scratchpad address of every tensor that is ever there, by node id."""
    external: Mapping[int, int]
    """External address of every input, weight and output, by node id."""
    scratchpad_words: int
    """Words of the scratchpad from address 0 up to the highest one used."""
    weight_image: WordArray
    """External memory up to the last input or weight, weights in place and inputs 0."""
    ext_words: int
    reuse: bool
    """Whether regions of the scratchpad are used more than once."""
    role: Role | None = None
    """Which step of a decoding it is, for its source map."""

    @cached_property
    def source_map(self) -> SourceMap:
        """What each instruction is for and where each tensor is when; every bundle shares this very object.

        It is worked out when somebody first asks for it: most programs run without anyone's looking at it.
        """
        return map_sources(
            self.graph, self.plan, self.code, self.nodes, self.addresses, self.external, self.role
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know though it is no error, such as scores that saturate."""
        return self.plan.notes

    def bundle(self, inputs: Mapping[str, ArrayLike]) -> Bundle:
        """Return the program with its memory image for real `inputs` (name → [rows, columns], quantized
        here).

        Raises ProgramInputError for a missing or unknown name, a wrong shape, NaN or infinity.
        """
        if inputs.keys() != self.inputs.keys():
            expected = ", ".join(sorted(self.inputs)) or "none"
            raise ProgramInputError(
                f"inputs are {', '.join(sorted(inputs)) or 'none'}; the program takes {expected}"
            )
        image = self.weight_image.copy()
        for name, port in self.inputs.items():
            image[port.words] = self._words(name, port, inputs[name])
        return Bundle(self.code, image, self.ext_words, make_source_map=lambda: self.source_map)

    def read_outputs(self, ext: WordArray) -> dict[str, IntArray]:
        """Return every output's integers, shaped [rows, columns], from external memory after a run."""
        return {
            name: words_to_integers(ext[port.words]).reshape(port.shape)
            for name, port in self.outputs.items()
        }

    def dequantize(self, name: str, integers: NDArray[np.integer]) -> FloatArray:
        """Return the real numbers that the integers of output `name` stand for."""
        return dequantize(integers, self.outputs[name].scale)

    @staticmethod
    def _words(name: str, port: Port, values: ArrayLike) -> WordArray:
        try:
            array = real_array(values)
        except ValueError as error:
            raise ProgramInputError(f"input '{name}': {error}") from error
        if array.shape != port.shape:
            raise ProgramInputError(f"input '{name}' has shape {array.shape}, expected {port.shape}")
        if not np.isfinite(array).all():
            raise ProgramInputError(f"input '{name}' contains NaN or infinity")
        return integers_to_words(quantize(array, port.scale))


def integers_to_words(integers: IntArray) -> WordArray:
    """Return integers as memory words in row order, sign-extended to 32 bits."""
    return integers.astype(np.int32).view(np.uint32).reshape(-1)


def words_to_integers(words: WordArray) -> IntArray:
    """Return the signed values of 32-bit memory words."""
    return np.asarray(words, dtype=np.uint32).view(np.int32).astype(np.int64)
