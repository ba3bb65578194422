"""Programs that fill the program memory, so that the pc reaches 65,535, and wraps once or sixteen times.

A program whose pc wraps never ends by itself: rst cuts it, and a program without stimulus follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice

import numpy as np

from refmodel.isa.encoding import encode_program
from refmodel.isa.instructions import ArgMax, Instruction, Load, Requantize, Store, VectorAdd
from refmodel.isa.limits import IMEM_WORDS
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import decode_program
from sequences.directed.directed_program import DirectedProgram, full_scratchpad, random_words, tour
from sequences.stimulus import Stimulus

SHORT: tuple[Instruction, ...] = (
    Load(0, 0, 1),
    Store(1, 9, 1),
    Requantize(3, 2, 1, 9_000_000, 30),
    VectorAdd(5, 0, 3, 1),
    ArgMax(6, 5, 1),
)
"""Those that take the fewest cycles."""

WORDS_AFTER = 33
"""Words that run again after the wrap, the last of them not to its end."""

WRAPS = 16
"""Wraps after which n_inst passes 2^20."""


def pc_wrap_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield programs that end with the last word of the program memory, by HALT, or run on at word 0.

    The second takes n_inst past 2^16.
    """
    generator = np.random.default_rng([seed, 18])
    endless = _endless(generator, SHORT)
    halt = replace(endless, code=(*endless.code[:-1], 0))
    yield DirectedProgram("pc-wrap/halt-in-last-word", halt)
    yield DirectedProgram("pc-wrap/past-65535", endless, _cut(endless, 1))
    yield DirectedProgram("pc-wrap/from-zero-again", tour(generator))


def first_wrap_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield a program that rst cuts in the FETCH of word 0 after the wrap; the log holds all before."""
    generator = np.random.default_rng([seed, 32])
    endless = _endless(generator, SHORT[1:3])
    end = int(decode_program(endless.code, endless.read_latency).last_cycles[-1])
    yield DirectedProgram("first-wrap/to-word-0", endless, Stimulus(reset_cycle=end + 1))


def instruction_counter_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield a program that takes n_inst past 2^17 and 2^20, too long for quick tests, and one after it."""
    generator = np.random.default_rng([seed, 19])
    endless = _endless(generator, SHORT[1:3])
    yield DirectedProgram("instruction-counter/past-2^20", endless, _cut(endless, WRAPS))
    yield DirectedProgram("instruction-counter/from-zero-again", tour(generator))


def _endless(generator: np.random.Generator, instructions: tuple[Instruction, ...]) -> Bundle:
    """Return a program of as many words as the memory holds, the instructions over and over."""
    code = tuple(islice(cycle(encode_program(instructions)), IMEM_WORDS))
    return Bundle(code, random_words(generator, 16), read_latency=1, scratchpad=full_scratchpad(generator))


def _cut(endless: Bundle, wraps: int) -> Stimulus:
    """Return the stimulus with rst in the last busy cycle of a word behind the last wrap."""
    ends = decode_program(endless.code, endless.read_latency).last_cycles
    return Stimulus(reset_cycle=wraps * int(ends[-1]) + int(ends[WORDS_AFTER]))
