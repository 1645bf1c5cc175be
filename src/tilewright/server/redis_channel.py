"""The channel between server processes over Redis or Valkey: publish and subscribe."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from tilewright.server.channel import ThreadedChannel
from tilewright.server.database import CannotServe

try:
    import redis
except ImportError:
    raise CannotServe("--redis needs redis-py: pip install 'tilewright[redis]'") from None

logger = logging.getLogger("tilewright.server")

NAME = "tilewright"
"""Whoever else uses the same Redis does no harm: messages about tables that are not open here are ignored."""
PATIENCE = 0.5
"""Seconds after which the listening thread looks whether it should end."""
TIMEOUT = 5.0
"""Seconds after which a Redis that does not answer counts as lost."""


class RedisChannel(ThreadedChannel):
    """One connection to publish and one that is subscribed."""

    def __init__(self, url: str) -> None:
        super().__init__()
        try:
            self._client: Any = redis.Redis.from_url(
                url, protocol=2, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT
            )
        except ValueError as error:
            raise CannotServe(f"the Redis server cannot be used: {error}") from None

    def greet(self, *, required: bool) -> None:
        """Raise an error if Redis refuses us, or if it is not there and ``required``; otherwise log that it is not."""
        try:
            self._client.ping()
        except redis.RedisError as error:
            if required or isinstance(error, redis.AuthenticationError | redis.ResponseError):
                raise CannotServe(f"the Redis server cannot be used: {error}") from None
            logger.warning("the Redis server does not answer, so this server begins without it: %s", error)

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
