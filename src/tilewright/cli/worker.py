"""``tilewright worker``: a process that thinks for the bots of servers."""

from __future__ import annotations

import asyncio
from argparse import Namespace

from tilewright.server.quiet_log import limit_logging
from tilewright.server.redis_channel import RedisChannel
from tilewright.server.telemetry.options import telemetry_of
from tilewright.server.warm import warm_up_all
from tilewright.server.worker import Worker


def run(arguments: Namespace) -> int:
    """Work until Ctrl-C."""
    channel = RedisChannel(arguments.redis)
    channel.greet(required=True)  # says in a line if there is no such server
    channel.close()
    worker = Worker(arguments.redis, arguments.threads)
    telemetry_of(arguments).start("tilewright-worker", worker.report)
    limit_logging()
    warm_up_all()  # nobody waits for a worker that still compiles
    asyncio.run(worker.run())
    return 0
