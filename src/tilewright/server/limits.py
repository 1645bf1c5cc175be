"""Rate limits: how many requests of each kind are accepted from one key and from one address.

The limits of a key are above what a fast program needs, which plays ten moves a second. Those of an address are
generous, since many players may share one; they catch clients that change keys, or have none.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import NamedTuple

from starlette.requests import HTTPConnection

from tilewright.server.errors import TooManyRequests
from tilewright.server.web import key_of


class Rate(NamedTuple):
    """The requests accepted at once, and those accepted per second after that."""

    burst: float
    rate: float


class Allowed(NamedTuple):
    """The rates of one key and of one address."""

    key: Rate | None
    address: Rate


MESSAGES = Rate(60, 15)
"""Of one live connection."""
KINDS = {
    "tables": Allowed(None, Rate(60, 2)),
    "moves": Allowed(Rate(60, 30), Rate(2000, 1000)),
    "reads": Allowed(Rate(100, 40), Rate(2000, 1000)),
    "views": Allowed(Rate(60, 10), Rate(2000, 200)),
    "replays": Allowed(Rate(20, 1), Rate(200, 20)),
    "sockets": Allowed(Rate(60, 5), Rate(2000, 200)),
}
MOST_KNOWN = 10_000
"""How many keys or addresses are tracked; the least recently active are dropped first."""


class Bucket:
    """A token bucket: it holds the burst and refills at the rate."""

    def __init__(self, rate: Rate) -> None:
        self._burst, self._rate = rate
        self._level, self._at = self._burst, time.monotonic()

    def take(self) -> bool:
        """Take a token; whether there was one."""
        now = time.monotonic()
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
        if self._level < 1:
            return False
        self._level -= 1
        return True


class Buckets:
    """A bucket for each key or address."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str) -> bool:
        """Take a token from a client's bucket; whether there was one."""
        bucket = self._buckets.setdefault(client, Bucket(self._rate))
        self._buckets.move_to_end(client)
        if len(self._buckets) > MOST_KNOWN:
            self._buckets.popitem(last=False)
        return bucket.take()


class Limits:
    """The limits of one server: the default rates times a factor, or none if the factor is 0."""

    def __init__(self, factor: float = 1.0) -> None:
        self._factor = factor or float("inf")
        self._keys = {kind: Buckets(self._times(allowed.key)) for kind, allowed in KINDS.items() if allowed.key}
        self._addresses = {kind: Buckets(self._times(allowed.address)) for kind, allowed in KINDS.items()}

    def _times(self, rate: Rate) -> Rate:
        return Rate(rate.burst * self._factor, rate.rate * self._factor)

    def check(self, kind: str, connection: HTTPConnection) -> None:
        """Raise TooManyRequests for a request beyond the limit."""
        key = key_of(connection)
        address = connection.client.host if connection.client else "?"
        by_key = kind not in self._keys or key is None or self._keys[kind].take(key)
        if not by_key or not self._addresses[kind].take(address):
            raise TooManyRequests("too_many_tables" if kind == "tables" else "too_many_requests")

    def for_messages(self) -> Bucket:
        """The limit of a new live connection."""
        return Bucket(self._times(MESSAGES))
