"""The channel between server processes over Redis or Valkey: publish and subscribe."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import urlsplit

from tilewright.server.channel import ThreadedChannel
from tilewright.server.database import CannotServe

try:
    import redis
except ImportError:
    raise CannotServe("--redis needs redis-py: pip install 'tilewright[web,redis]'") from None

logger = logging.getLogger("tilewright.server")

NAME = "tilewright"
"""Whoever else uses the same Redis does no harm: messages about tables that are not open here are ignored."""
PATIENCE = 0.5
"""Seconds after which the listening thread looks whether it should end."""
TIMEOUT = 5.0
"""Seconds after which a Redis that does not answer counts as lost."""
USUAL_PORT = 6379
_FINAL = (redis.AuthenticationError, redis.ResponseError, redis.InvalidResponse)
"""It is there, and will say the same when it is asked again."""


def check_url(url: str) -> None:
    """Raise an error unless this is the URL of a Redis server. The library ignores a database that is not a number."""
    try:
        redis.Redis.from_url(url).close()
        wrong = None
    except ValueError as error:
        wrong = str(error)
    database = urlsplit(url).path.strip("/") if url.startswith(("redis://", "rediss://")) else ""
    if database and not (database.isascii() and database.isdigit()):
        wrong = f"the database {database[:40]!r} is not a number"
    if wrong:
        raise CannotServe(f"--redis must be a URL such as redis://host:6379/0: {wrong}")


def _reason(error: Exception) -> str:
    """What is wrong, in words: the library writes numbers of errors, and forgets whom it has waited for."""
    cause = error.__context__
    if isinstance(error, redis.TimeoutError):
        return "it does not answer"
    if isinstance(error, redis.InvalidResponse):
        return "what answers there is another program"
    if isinstance(error, redis.ConnectionError) and isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return str(error)


class RedisChannel(ThreadedChannel):
    """One connection to publish and one that is subscribed."""

    def __init__(self, url: str) -> None:
        super().__init__()
        check_url(url)
        self._client: Any = redis.Redis.from_url(
            url, protocol=2, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT
        )

    def greet(self, *, required: bool) -> None:
        """Raise an error if Redis refuses us, or if it is not there and ``required``; otherwise log that it is not."""
        try:
            self._client.ping()
        except redis.RedisError as error:
            if required or isinstance(error, _FINAL):
                raise CannotServe(self._in_words(error)) from None
            logger.warning("this server begins without Redis: %s", self._in_words(error))

    def _in_words(self, error: Exception) -> str:
        return f"the Redis server at {self._address} cannot be used: {_reason(error)}"

    @property
    def _address(self) -> str:
        """Without the password."""
        to = self._client.connection_pool.connection_kwargs
        return str(to.get("path") or f"{to.get('host', 'localhost')}:{to.get('port', USUAL_PORT)}")

    @contextmanager
    def _sender(self) -> Iterator[Callable[[str], object]]:
        yield lambda text: self._client.publish(NAME, text)

    def _received(self) -> Iterator[str | None]:
        """Every confirmation of the subscription gives None: the client also renews a lost connection by itself."""
        with closing(self._client.pubsub()) as subscription:
            subscription.subscribe(NAME)
            while not self.is_closed:
                message = subscription.get_message(timeout=PATIENCE)
                if message is not None:
                    yield message["data"].decode() if message["type"] == "message" else None

    def check(self) -> None:
        """Raise an error if Redis does not answer."""
        self._client.ping()

    def close(self) -> None:
        """Send what is left, and end."""
        super().close()
        self._client.close()
