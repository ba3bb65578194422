"""Which rule speaks about a place where two runs differ."""

from __future__ import annotations

from refmodel.machine.events import End, Event, Retire, Write
from verif.divergence.difference import Difference
from verif.divergence.ends import (
    end_instead_of_end,
    end_instead_of_event,
    event_after_end,
    event_instead_of_end,
    hang,
)
from verif.divergence.retires import retire_instead_of_retire, retire_instead_of_write
from verif.divergence.streams import Place, same_word
from verif.divergence.writes import write_instead_of_retire, write_instead_of_write


def agree(expected: Event | None, found: Event | None) -> bool:
    """Is the event found the one expected: same instruction, word and time?"""
    if isinstance(expected, Write) and isinstance(found, Write):
        return expected.pc == found.pc and same_word(expected, found) and expected.span.contains(found.span)
    return expected == found


def classify(place: Place) -> Difference:
    """Return the difference at a place where the events do not agree."""
    expected, found = place.expected_event, place.found_event
    match expected, found:
        case Write(), Write():
            return write_instead_of_write(place, expected, found)
        case Write(), Retire():
            return retire_instead_of_write(place, expected, found)
        case Retire(), Write():
            return write_instead_of_retire(place, expected, found)
        case Retire(), Retire():
            return retire_instead_of_retire(place, expected, found)
        case End(), End():
            return end_instead_of_end(place, expected, found)
        case ((Write() | Retire()), End()):
            return end_instead_of_event(place, expected, found)
        case End(), (Write() | Retire()):
            return event_instead_of_end(place, expected, found)
        case None, (Write() | Retire() | End()):
            return event_after_end(place, found)
        case ((Write() | Retire() | End()), None):
            return hang(place, expected)
        case _:
            raise ValueError(f"nothing differs at event {place.index}")
