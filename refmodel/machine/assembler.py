"""Assembly text to a bundle; the reverse of `disassembler.disassemble`.

One statement a line, `#` starts a comment, numbers are decimal or, after 0x, hexadecimal:

    LD 0 0x10 64          an instruction: mnemonic and operands in the order of docs/isa.md
    .word 9000…0          an instruction in up to 32 hexadecimal digits, for what no mnemonic yields
    .ext 0x10: 1 2 -3     words of external memory from an address on, −2^31..2^32−1
    .spad 0: 7 8          words of the scratchpad; `.spad 0:` alone sets it to zeros, and without such a line
                          it keeps what the previous program left
    .ext_words 8192       words of external memory that the program may touch
    .read_latency 8       cycles from a read request to its response
    .note "text"          a remark, quoted as in JSON
    .expect halted=1 fault=0 cyc_total=2 cyc_mm=0 cyc_dma=0 cyc_vec=0 n_inst=0
    .expect_ext 0: 1 2    with `.expect`, the state that the program must end in
    .expect_spad 0: 1 2

Instructions are placed from pc 0 in the order of the text; the other lines may stand anywhere. Words of data
that no line gives are 0.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from refmodel.errors import Ga2Error
from refmodel.isa.encoding import WORD_BITS, encode
from refmodel.isa.limits import EXT_ADDRESS_WORDS, IMEM_WORDS, MAX_READ_LATENCY, SCRATCHPAD_WORDS
from refmodel.isa.syntax import nearest_name, parse_instruction, parse_number
from refmodel.machine.bundle import DEFAULT_EXT_WORDS, DEFAULT_READ_LATENCY, Bundle, Expectation
from refmodel.machine.data_lines import DataImage, StatementError
from refmodel.machine.result import Counters
from refmodel.printable import printable

_LONGEST_PROBLEM = 300
"""Characters."""


class AssemblyError(Ga2Error):
    """A line of assembly text has no meaning."""

    def __init__(self, line: int, problem: str) -> None:
        """Name the line, counted from 1, and say what is wrong in it."""
        super().__init__(f"line {line}: {problem}")
        self.line = line


def assemble(text: str) -> Bundle:
    """Return the bundle that a text means.

    Raises AssemblyError with the number of the first line that has no meaning.
    """
    assembly = _Assembly()
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            assembly.add(number, line)
        except Ga2Error as error:
            raise AssemblyError(number, printable(error, _LONGEST_PROBLEM)) from error
    return assembly.bundle()


class _Assembly:
    """The statements met so far."""

    def __init__(self) -> None:
        self.code: list[int] = []
        self.note = ""
        self.ext_words = DEFAULT_EXT_WORDS
        self.read_latency = DEFAULT_READ_LATENCY
        self.expect_values: dict[str, int] | None = None
        self.images = {
            ".ext": DataImage(EXT_ADDRESS_WORDS),
            ".spad": DataImage(SCRATCHPAD_WORDS),
            ".expect_ext": DataImage(EXT_ADDRESS_WORDS),
            ".expect_spad": DataImage(SCRATCHPAD_WORDS),
        }
        self._directives: dict[str, Callable[[str], None]] = {
            ".word": self._add_word,
            ".note": self._set_note,
            ".ext_words": self._set_ext_words,
            ".read_latency": self._set_read_latency,
            ".expect": self._set_expect,
        }
        self._given_in: dict[str, int] = {}

    def add(self, number: int, line: str) -> None:
        """Take in one line of text."""
        statement = line.strip()
        if not statement.startswith(".note"):  # only a note may hold a # of its own
            statement = statement.partition("#")[0].strip()
        if not statement:
            return
        directive, *rest = statement.split(maxsplit=1)
        operands = rest[0] if rest else ""
        if not directive.startswith("."):
            self._add_code(encode(parse_instruction(statement)))
        elif directive in self.images:
            self.images[directive].add(number, operands)
        elif directive in self._directives:
            if directive != ".word" and self._given_in.setdefault(directive, number) != number:
                raise StatementError(f"{directive} was already given in line {self._given_in[directive]}")
            self._directives[directive](operands)
        else:
            known = [*self._directives, *self.images]
            raise StatementError(
                f"unknown directive {directive!r}; legal are {', '.join(known)}; the nearest is "
                f"{nearest_name(directive, known)}"
            )

    def bundle(self) -> Bundle:
        """Return what the statements make together."""
        for directive in (".ext", ".expect_ext"):
            line, address = self.images[directive].last()
            if address >= self.ext_words:
                problem = f"{directive} reaches word {address}, legal is 0..{self.ext_words - 1} (.ext_words)"
                raise AssemblyError(line, problem)
        scratchpad = self.images[".spad"]
        return Bundle(
            code=tuple(self.code),
            ext=self.images[".ext"].words(),
            ext_words=self.ext_words,
            read_latency=self.read_latency,
            scratchpad=scratchpad.words() if scratchpad.given else None,
            expect=self._expectation(),
            note=self.note,
        )

    def _expectation(self) -> Expectation | None:
        values = self.expect_values
        if values is None:
            for directive in (".expect_ext", ".expect_spad"):
                if self.images[directive].given:
                    raise AssemblyError(self.images[directive].first_line, f"{directive} without .expect")
            return None
        return Expectation(
            halted=bool(values.pop("halted")),
            fault=bool(values.pop("fault")),
            counters=Counters(**values),
            ext=self.images[".expect_ext"].words(),
            scratchpad=self.images[".expect_spad"].words(),
        )

    def _add_code(self, word: int) -> None:
        if len(self.code) == IMEM_WORDS:
            raise StatementError(f"the program is longer than the instruction memory, {IMEM_WORDS} words")
        self.code.append(word)

    def _add_word(self, operand: str) -> None:
        digits = operand.removeprefix("0x")
        if not digits.isalnum() or len(digits) > WORD_BITS // 4:
            raise StatementError(f".word {operand!r} is not a word of 1..{WORD_BITS // 4} hexadecimal digits")
        self._add_code(parse_number(f"0x{digits}"))

    def _set_note(self, operand: str) -> None:
        try:
            note, end = json.JSONDecoder().raw_decode(operand)
        except (ValueError, RecursionError):  # no JSON; a number of thousands of digits, nesting without end
            note, end = None, 0
        rest = operand[end:].strip()
        if not isinstance(note, str) or (rest and not rest.startswith("#")):
            raise StatementError(f'.note {operand} is not one JSON string; write .note "text"')
        self.note = note

    def _set_ext_words(self, operand: str) -> None:
        self.ext_words = _number_in(".ext_words", operand, 1, EXT_ADDRESS_WORDS)

    def _set_read_latency(self, operand: str) -> None:
        self.read_latency = _number_in(".read_latency", operand, 1, MAX_READ_LATENCY)

    def _set_expect(self, operands: str) -> None:
        largest = {"halted": 1, "fault": 1} | dict.fromkeys(vars(Counters()), 0xFFFF_FFFF)
        values: dict[str, int] = {}
        for operand in operands.split():
            key, _, value = operand.partition("=")
            if key not in largest or key in values:
                raise StatementError(
                    f".expect {operand!r}: legal is each of {', '.join(largest)} once, KEY=VALUE"
                )
            values[key] = _number_in(f".expect {key}", value, 0, largest[key])
        missing = [key for key in largest if key not in values]
        if missing:
            raise StatementError(f".expect lacks {', '.join(missing)}")
        self.expect_values = values


def _number_in(what: str, operand: str, smallest: int, largest: int) -> int:
    value = parse_number(operand)
    if not smallest <= value <= largest:
        raise StatementError(f"{what} is {operand}, legal is {smallest}..{largest}")
    return value
