"""A time line as JSON values."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from regressions.timeline.accounts import lane_accounts, subject_accounts
from regressions.timeline.lane import Lane
from regressions.timeline.timeline import Timeline


def timeline_json(timeline: Timeline) -> dict[str, Any]:
    """Return all that the tables say, no tensor left out, and the cycles of every instruction."""
    end = timeline.end
    return {
        "title": timeline.title,
        "end": {"kind": end.kind, "pc": end.pc, "cycle": end.cycle, "fault": timeline.fault or None},
        "counters": asdict(end.counters),
        "has_source_map": timeline.has_map,
        "units": [
            {
                "unit": _key(account.lane),
                "operation": account.lane.opcode.name if account.lane.opcode is not None else None,
                "counter": account.lane.counter.value if account.lane.counter is not None else None,
                "instructions": account.instructions,
                "cycles": account.cycles,
            }
            for account in lane_accounts(timeline)
        ],
        "subjects": [
            {
                "kind": account.subject.kind.value,
                "name": account.subject.name,
                "instructions": account.instructions,
                "cycles": account.cycles,
                "by_unit": {_key(lane): cycles for lane, cycles in account.by_lane.items()},
            }
            for account in subject_accounts(timeline)
        ],
        "instructions": [
            {
                "pc": work.pc,
                "instruction": work.text,
                "unit": _key(work.lane),
                "subject": work.subject.name,
                "fetch_cycle": work.front.first,
                "first_busy_cycle": work.busy.first,
                "last_busy_cycle": work.busy.last,
            }
            for work in timeline.works
        ],
    }


def _key(lane: Lane) -> str:
    return lane.name.lower()
