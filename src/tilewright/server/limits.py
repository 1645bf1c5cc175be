"""How many requests of each kind are taken from one key and from one address.

The limits of a key are above what a quick program needs, which plays ten moves a second. Those of an address are
generous, since many players may share one; they are there for who changes keys, or has none.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import NamedTuple

from starlette.requests import HTTPConnection

from tilewright.server.refusals import TooMany
from tilewright.server.web import key_of


class Rate(NamedTuple):
    """So many requests at once, so many a second after that."""

    burst: float
    rate: float


class Allowed(NamedTuple):
    """What one key may do, and one address."""

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
"""Keys or addresses that are remembered; those that were quiet longest are forgotten first."""


class Bucket:
    """Holds as many requests as may come at once and fills again at the rate."""

    def __init__(self, rate: Rate) -> None:
        self._burst, self._rate = rate
        self._level, self._at = self._burst, time.monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
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

    def take(self, who: str) -> bool:
        """Whether this one may go on."""
        bucket = self._buckets.setdefault(who, Bucket(self._rate))
        self._buckets.move_to_end(who)
        if len(self._buckets) > MOST_KNOWN:
            self._buckets.popitem(last=False)
        return bucket.take()


class Limits:
    """The limits of one server, at so many times the usual rates; at 0 there are none."""

    def __init__(self, factor: float = 1.0) -> None:
        self._factor = factor or float("inf")
        self._keys = {kind: Buckets(self._times(allowed.key)) for kind, allowed in KINDS.items() if allowed.key}
        self._addresses = {kind: Buckets(self._times(allowed.address)) for kind, allowed in KINDS.items()}

    def _times(self, rate: Rate) -> Rate:
        return Rate(rate.burst * self._factor, rate.rate * self._factor)

    def check(self, kind: str, connection: HTTPConnection) -> None:
        """Refuse who asks for one thing without end."""
        key = key_of(connection)
        address = connection.client.host if connection.client else "?"
        by_key = kind not in self._keys or key is None or self._keys[kind].take(key)
        if not by_key or not self._addresses[kind].take(address):
            raise TooMany("too_many_tables" if kind == "tables" else "too_many_requests")

    def for_messages(self) -> Bucket:
        """The limit of a new live connection."""
        return Bucket(self._times(MESSAGES))
