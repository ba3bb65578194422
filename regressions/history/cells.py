"""What the chip's units took in cells, from synthesis to synthesis."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping


def record_cells(connection: sqlite3.Connection, began: str, revision: str, cells: Mapping[str, int]) -> None:
    """Keep the cells of each unit; `began` is a time with its zone."""
    cursor = connection.execute("INSERT INTO syntheses (began, revision) VALUES (?, ?)", [began, revision])
    connection.executemany(
        "INSERT INTO cells (synthesis, unit, cells) VALUES (?, ?, ?)",
        [(cursor.lastrowid, unit, count) for unit, count in cells.items()],
    )


def syntheses(connection: sqlite3.Connection, last: int) -> list[tuple[str, str, dict[str, int]]]:
    """Return time, revision and cells of each unit of the last syntheses, the newest first."""
    rows = connection.execute(
        "SELECT id, began, revision FROM syntheses ORDER BY id DESC LIMIT ?", [last]
    ).fetchall()
    query = "SELECT unit, cells FROM cells WHERE synthesis = ? ORDER BY unit"
    return [(began, revision, dict(connection.execute(query, [number]))) for number, began, revision in rows]


def last_cells(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the cells of each unit when they were last counted; empty if they never were."""
    rows = connection.execute(
        "SELECT unit, cells FROM cells WHERE synthesis = (SELECT max(id) AS id FROM syntheses) ORDER BY unit"
    )
    return dict(rows.fetchall())
