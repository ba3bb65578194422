"""Text from outside that is harmless in a terminal, whatever it holds."""

from __future__ import annotations

import pytest

from refmodel.printable import printable, printable_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, äöü → ✓ │", "plain, äöü → ✓ │"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("\x7f\x80\x9b2J", r"\x7f\x80\x9b2J"),
        ("a\nb\rc\td\0", r"a\nb\rc\td\x00"),
        ("\u202etxt.exe\u2066 \u2069", r"\u202etxt.exe\u2066 \u2069"),
        ("\ud800", r"\ud800"),
        ("\u2028\ufffe\U0010ffff", r"\u2028\ufffe\U0010ffff"),
        (r"\x1b", r"\x1b"),
    ],
)
def test_invisible_characters_are_shown_as_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(shown) == shown, "a second time it changes nothing"


def test_a_long_text_keeps_both_ends_and_says_how_much_is_left_out() -> None:
    text = "unknown key " + "x" * 100_000 + "; did you mean tag?"
    shown = printable(text, 90)
    # of 90 characters 60 are kept at the beginning and 30 at the end; 100,031 - 90 are left out
    assert shown == f"unknown key {'x' * 48}…(99,941 left out)…{'x' * 11}; did you mean tag?"
    assert printable("x" * 90, 90) == "x" * 90


def test_lines_stay_lines_and_each_is_cut() -> None:
    assert printable_lines("a\tb\r\n\x1bc\n") == "a       b\\r\n\\x1bc\n"
    assert printable_lines("x" * 12 + "\ny", 9) == "xxxxxx…(3 left out)…xxx\ny"
