"""What a wrong counter is told as."""

import pytest

from verif.counter_text import counter_difference, counter_text


@pytest.mark.parametrize(
    ("expected", "found", "text"),
    [
        (605, 4294902365, "65,536 too low (a 16-bit counter?)"),
        (65941, 405, "65,536 too low (a 16-bit counter?)"),
        (7, 9, "2 too high"),
        (9, 7, "2 too low"),
        (16, 0, "16 too low (a 4-bit counter?)"),
        (0, 2**32 - 1, "1 too low"),
        (2**32 - 1, 0, "1 too high"),
        (9748, 532, "9,216 too low"),
    ],
)
def test_the_difference_is_signed(expected: int, found: int, text: str) -> None:
    assert counter_text(expected, found) == text
    assert (expected + counter_difference(expected, found) - found) % 2**32 == 0
