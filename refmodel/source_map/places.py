"""Where tensors lie: in the scratchpad for a while, in external memory for good."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.isa.limits import EXT_ADDRESS_WORDS, IMEM_WORDS, SCRATCHPAD_WORDS
from refmodel.source_map.errors import SourceMapError
from refmodel.source_map.tensor import Tensor


@dataclass(frozen=True, slots=True)
class ScratchpadPlace:
    """A tensor in the scratchpad and its life there."""

    tensor: Tensor
    address: int
    """First word."""
    first: int
    """pc of the first instruction that writes it."""
    last: int
    """pc of the last instruction that reads it, or writes it where none reads it."""

    def __post_init__(self) -> None:
        """Refuse words beyond the scratchpad and a life that ends before it begins."""
        _require_words("scratchpad", self.tensor, self.address, SCRATCHPAD_WORDS)
        if not 0 <= self.first <= self.last < IMEM_WORDS:
            raise SourceMapError(
                f"tensor {self.tensor} lives from pc {self.first} to {self.last}, "
                f"legal is first ≤ last in 0..{IMEM_WORDS - 1}"
            )

    def holds(self, address: int) -> bool:
        """Is a word one of the tensor's?"""
        return 0 <= address - self.address < self.tensor.words


@dataclass(frozen=True, slots=True)
class ExternalPlace:
    """An input, a weight or an output in external memory."""

    tensor: Tensor
    address: int
    """First word."""

    def __post_init__(self) -> None:
        """Refuse words beyond external memory."""
        _require_words("external memory", self.tensor, self.address, EXT_ADDRESS_WORDS)

    def holds(self, address: int) -> bool:
        """Is a word one of the tensor's?"""
        return 0 <= address - self.address < self.tensor.words


def _require_words(memory: str, tensor: Tensor, address: int, memory_words: int) -> None:
    if not 0 <= address <= memory_words - tensor.words:
        raise SourceMapError(
            f"tensor {tensor} takes the words {address}..{address + tensor.words - 1} of the {memory}, "
            f"legal are 0..{memory_words - 1}"
        )
