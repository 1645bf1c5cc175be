"""Tables for the tests of the store."""

from __future__ import annotations

from tilewright.server.stored import Result, StoredSeat, StoredTable

RESULT = Result([31, 45], [2])


def a_table(table_id: str = "0" * 20, *kinds: str) -> StoredTable:
    kinds = kinds or ("human", "bot")
    seats = tuple(StoredSeat(kind, f"Player {n}", key_hash=f"hash {n}") for n, kind in enumerate(kinds))
    public = "open" in kinds
    return StoredTable(table_id, "azul", len(seats), {"wall": "grey"}, "secret", 5.0, 10.0, public=public, seats=seats)
