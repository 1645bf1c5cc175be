"""The list of tables that anybody may join, in which nobody can crowd out the others."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Sequence

from tilewright.server.store import Store
from tilewright.server.stored import StoredTable, WaitingTable

LENGTH = 20
MOST_OF_PERSON = 2
MOST_OF_ADDRESS = 5
"""Unless nobody else has tables to list."""
MOST_TOLD = 200
"""How many tables are announced to a new process."""
MOST_KNOWN = 10_000
"""How many tables are known by the address they were opened from; the oldest are forgotten first."""


class Lobby:
    """Chooses the newest tables, but few of one person and of one address.

    A person is known by the key in the store. A visitor can have a new key for every table, so addresses count as
    well; those are kept in memory only, by every process.
    """

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, str] = OrderedDict()

    def newest(self) -> list[tuple[str, str]]:
        """The tables that were opened last, and from where."""
        return list(self._addresses.items())[-MOST_TOLD:]

    def opened(self, table_id: str, address: str) -> None:
        """Take note of where a table was opened from, here or at another process."""
        self._addresses[table_id] = address
        if len(self._addresses) > MOST_KNOWN:
            self._addresses.popitem(last=False)

    def read(self, store: Store) -> list[StoredTable]:
        """The tables to list, the newest first."""
        return store.tables(self.choose(store.waiting_tables()))

    def choose(self, waiting: Sequence[WaitingTable]) -> list[str]:
        """The ids of the tables to list, of those that wait; both with the newest first."""
        of_person: Counter[str | None] = Counter()
        of_address: Counter[str | None] = Counter()
        chosen, spare = set(), []
        for table in waiting:
            address = self._addresses.get(table.id)
            of_person[table.opener] += 1
            if table.opener is not None and of_person[table.opener] > MOST_OF_PERSON:
                continue
            of_address[address] += 1
            if address is not None and of_address[address] > MOST_OF_ADDRESS:
                spare.append(table.id)
            else:
                chosen.add(table.id)
            if len(chosen) == LENGTH:
                break
        chosen.update(spare[: LENGTH - len(chosen)])
        return [table.id for table in waiting if table.id in chosen]
