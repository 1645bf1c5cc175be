"""How much of the server one visitor may use: budgets of work, and caps on what stays open.

Work is counted in milliseconds of the server's time. Each kind of request has a price, about what it was measured to
cost; each key and each address has a budget, from which its requests are paid. A key's budget is above what a fast
program needs, which plays ten moves a second. An address has more, since many players may share one; that catches
clients that change keys, or have none.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import NamedTuple

from starlette.requests import HTTPConnection

from tilewright.server.errors import TooManyRequests
from tilewright.server.fair_slots import Owner
from tilewright.server.presence import Presence
from tilewright.server.seated_table import hash_key
from tilewright.server.table import Table
from tilewright.server.viewer import Viewer
from tilewright.server.web import key_of


class Rate(NamedTuple):
    """What is accepted at once, and what per second after that."""

    burst: float
    rate: float


PRICES = {
    "files": 2.0,
    "probes": 2.0,
    "pages": 4.0,
    "lists": 3.0,
    "reads": 2.0,
    "views": 3.0,
    "replays": 20.0,
    "pictures": 150.0,
    "profiles": 200.0,
    "moves": 3.0,
    "tables": 10.0,
    "sockets": 4.0,
    "messages": 1.0,
}
"""What a request of each kind costs the server, in milliseconds."""
KEY_BUDGET = Rate(1000, 100)
ADDRESS_BUDGET = Rate(6000, 600)
NEW_TABLES = Rate(60, 2)
"""Of one address: a table costs little time, but it stays on the disk."""
DAILY_ATTEMPTS = Rate(12, 12 / 86_400)
"""Of one address in a day: enough for a club, too few to try out the deals under other names again and again."""
REVIEWS = Rate(6, 1 / 30)
REVIEWS_OF_ADDRESS = Rate(40, 1 / 5)
"""New reviews, which take ten seconds each; those that were made before cost no more than a page."""
ANALYSES = Rate(40, 1)
ANALYSES_OF_ADDRESS = Rate(400, 10)
"""Positions for the engine of the analysis board; it takes up one at a time for each person."""
MESSAGES = Rate(60, 15)
"""Of one live connection."""
SOCKETS_OF_ADDRESS = 1000
SPECTATORS_OF_TABLE = 200
SOCKETS_OF_PLAYER = 20
"""At one table; more than anybody has tabs."""
REQUESTS_AT_ONCE = 4
"""How many requests of one address are worked on at the same time: a stranger's waits behind no more than these."""
MESSAGES_AT_ONCE = 32
"""The same for messages on live connections. They are short, but a move holds its turn until it is on disk."""
DEPARTURES_AT_ONCE = 16
"""How many live connections, whoever had them, are wound up in one round of the event loop."""
LONGEST_LINE = 1000
"""How many of one address may wait for their turn."""
EXPIRY = 35.0
"""Seconds for which it counts what another process said about live connections."""
MOST_KNOWN = 10_000
"""How many keys or addresses are tracked; the least recently active are dropped first."""


class Bucket:
    """A token bucket: it holds the burst and refills at the rate."""

    def __init__(self, rate: Rate) -> None:
        self._burst, self._rate = rate
        self._level, self._at = self._burst, time.monotonic()

    def take(self, tokens: float = 1.0) -> bool:
        """Take tokens; whether there were enough."""
        now = time.monotonic()
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
        if self._level < tokens:
            return False
        self._level -= tokens
        return True

    def pour_out(self, tokens: float) -> None:
        """Take tokens that may not be there: at most another burst is owed."""
        self._level = max(-self._burst, self._level - tokens)


class Buckets:
    """A bucket for each key or address."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self.spent: Counter[str] = Counter()
        """What was taken since other processes were last told."""

    def take(self, client: str, tokens: float = 1.0) -> bool:
        """Take tokens from a client's bucket; whether there were enough."""
        enough = self._bucket(client).take(tokens)
        if enough:
            if len(self.spent) > MOST_KNOWN:
                self.spent.clear()  # nobody is connected who could be told
            self.spent[client] += tokens  # type: ignore[assignment]  # a counter counts in fractions too
        return enough

    def take_elsewhere(self, client: str, tokens: float) -> None:
        """Another process has served the client, who has that much less here."""
        self._bucket(client).pour_out(tokens)

    def _bucket(self, client: str) -> Bucket:
        bucket = self._buckets.get(client)
        if bucket is not None:
            self._buckets.move_to_end(client)
            return bucket
        if len(self._buckets) >= MOST_KNOWN:
            self._buckets.popitem(last=False)
        return self._buckets.setdefault(client, Bucket(self._rate))


@lru_cache(maxsize=MOST_KNOWN)
def network_of(host: str) -> str:
    """What counts as one address: of IPv6 the /64 network, since every subscriber has at least that many."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


def address_of(connection: HTTPConnection) -> str:
    """The address that a request counts for."""
    return network_of(connection.client.host if connection.client else "?")


def _held_by(connection: HTTPConnection) -> str | None:
    """The hash of a visitor's key, which other processes may know."""
    key = key_of(connection)
    return hash_key(key) if key else None


class _Line:
    """The requests of one address: those in progress, and those that wait behind them."""

    def __init__(self, at_once: int) -> None:
        self.gate = asyncio.Semaphore(at_once)
        self.length = 0


class _Turn:
    """A request's turn; every message takes one, and a generator as context manager would cost three times as much."""

    __slots__ = ("_key", "_limits", "_line")

    def __init__(self, limits: Limits, key: tuple[str, int]) -> None:
        self._limits = limits
        self._key = key
        self._line: _Line | None = None

    async def __aenter__(self) -> None:
        self._line = await self._limits.wait_for_turn(self._key)

    async def __aexit__(self, *_: object) -> None:
        if self._line is not None:
            self._limits.loop.call_soon(self._limits.pass_on, self._key, self._line)


class Limits:
    """The limits of one server: the defaults times a factor, or none if the factor is 0."""

    def __init__(self, factor: float = 1.0) -> None:
        self._factor = factor or float("inf")
        self._keys = Buckets(self._times(KEY_BUDGET))
        self._addresses = Buckets(self._times(ADDRESS_BUDGET))
        self._openers = Buckets(self._times(NEW_TABLES))
        self._daily = Buckets(self._times(DAILY_ATTEMPTS))
        self._reviewers = Buckets(self._times(REVIEWS))
        self._reviewing = Buckets(self._times(REVIEWS_OF_ADDRESS))
        self._analysts = Buckets(self._times(ANALYSES))
        self._analysing = Buckets(self._times(ANALYSES_OF_ADDRESS))
        self._sockets: Counter[str] = Counter()
        self._elsewhere: dict[str, tuple[Mapping[str, int], float]] = {}
        """The live connections to other processes, and until when that counts unless it is said again."""
        self._lines: dict[tuple[str, int], _Line] = {}
        self._departures = asyncio.Semaphore(DEPARTURES_AT_ONCE)

    @property
    def budgets(self) -> dict[str, Buckets]:
        """All budgets, by the names under which processes tell each other of them."""
        return {
            "keys": self._keys,
            "addresses": self._addresses,
            "openers": self._openers,
            "daily": self._daily,
            "reviewers": self._reviewers,
            "reviewing": self._reviewing,
            "analysts": self._analysts,
            "analysing": self._analysing,
        }

    @property
    def sockets(self) -> Mapping[str, int]:
        """How many live connections addresses have here."""
        return self._sockets

    def hear_sockets(self, process: str, sockets: Mapping[str, int]) -> None:
        """Another process says how many live connections addresses have there."""
        self._elsewhere[process] = (sockets, time.monotonic() + EXPIRY)

    def _sockets_of(self, address: str) -> int:
        now = time.monotonic()
        elsewhere = (sockets.get(address, 0) for sockets, until in self._elsewhere.values() if until > now)
        return self._sockets[address] + sum(elsewhere)

    def _times(self, rate: Rate) -> Rate:
        return Rate(rate.burst * self._factor, rate.rate * self._factor)

    def charge(self, kind: str, connection: HTTPConnection) -> None:
        """Pay for a request, or raise TooManyRequests if the budget does not allow it."""
        owner = Owner(address_of(connection), _held_by(connection) or "")
        self.charge_to(owner, kind)
        if kind == "tables" and not self._openers.take(owner.address):
            raise TooManyRequests("too_many_tables")

    def charge_to(self, owner: Owner, kind: str) -> None:
        """The same for somebody who is known already."""
        price = PRICES[kind]
        has_paid = not owner.person or self._keys.take(owner.person, price)
        if not (has_paid and self._addresses.take(owner.address, price)):
            raise TooManyRequests("too_many_requests")

    def charge_review(self, connection: HTTPConnection) -> None:
        """Count a review that must be made, or raise TooManyRequests."""
        key, address = _held_by(connection), address_of(connection)
        if not (key is None or self._reviewers.take(key)) or not self._reviewing.take(address):
            raise TooManyRequests("too_many_reviews")

    def charge_analysis(self, connection: HTTPConnection) -> None:
        """Count a position that the engine takes up, or raise TooManyRequests."""
        key, address = _held_by(connection), address_of(connection)
        if not (key is None or self._analysts.take(key)) or not self._analysing.take(address):
            raise TooManyRequests("too_many_analyses")

    def charge_daily(self, connection: HTTPConnection) -> None:
        """Count an attempt at the daily table, or raise TooManyRequests."""
        if not self._daily.take(address_of(connection)):
            raise TooManyRequests("too_many_attempts")

    @cached_property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of the server; to look it up is a system call in Python 3.11."""
        return asyncio.get_running_loop()

    def turn(self, address: str, at_once: int = REQUESTS_AT_ONCE) -> _Turn:
        """Wait until fewer than ``at_once`` requests of this address are in progress."""
        return _Turn(self, (address, at_once))

    async def wait_for_turn(self, key: tuple[str, int]) -> _Line | None:
        """The line whose turn it is now; None if there are no limits."""
        if self._factor == float("inf"):
            return None
        line = self._lines.setdefault(key, _Line(key[1]))
        if line.length >= LONGEST_LINE * self._factor:
            raise TooManyRequests("too_many_requests")
        line.length += 1
        try:
            await line.gate.acquire()
        except asyncio.CancelledError:
            self._shorten(key, line)
            raise
        return line

    def pass_on(self, key: tuple[str, int], line: _Line) -> None:
        """Let the next one in.

        This happens in the next round of the event loop, which then looks at the network first. Most requests never
        wait for anything, so that otherwise a whole line would be served before a stranger is noticed.
        """
        line.gate.release()
        self._shorten(key, line)

    def _shorten(self, key: tuple[str, int], line: _Line) -> None:
        line.length -= 1
        if not line.length:
            del self._lines[key]

    async def departure(self) -> None:
        """Wait for a turn among those who leave: when thousands do at once, others are served in between."""
        await self._departures.acquire()
        asyncio.get_running_loop().call_soon(self._departures.release)

    def for_messages(self) -> Bucket:
        """The limit of a new live connection."""
        return Bucket(self._times(MESSAGES))

    @contextmanager
    def socket(self, connection: HTTPConnection) -> Iterator[None]:
        """Count a live connection while it lasts; raise TooManyRequests if its address has enough of them."""
        address = address_of(connection)
        if self._sockets_of(address) >= SOCKETS_OF_ADDRESS * self._factor:
            raise TooManyRequests("too_many_sockets")
        self._sockets[address] += 1
        try:
            yield
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]

    def check_audience(self, viewer: Viewer, table: Table, presence: Presence) -> None:
        """Raise TooManyRequests if a table has enough spectators. They never keep a player out."""
        if not table.owned_by(viewer.key):
            if presence.spectators(table) >= SPECTATORS_OF_TABLE * self._factor:
                raise TooManyRequests("too_many_viewers")
        elif presence.connections_of(viewer) >= SOCKETS_OF_PLAYER * self._factor:
            raise TooManyRequests("too_many_tabs")
