"""What a process counts and times, for Prometheus.

Labels take few values: no table, person or address is among them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from prometheus_client import Counter, Gauge, Histogram

_SHORT = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_LONG = (0.001, 0.01, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)

MOVES = Counter("tilewright_moves", "Moves committed, by kind of player: person or bot", ["player"])
MOVES_OF_PEOPLE, BOT_MOVES = MOVES.labels("person"), MOVES.labels("bot")
MOVE_SECONDS = Histogram(
    "tilewright_move_seconds", "From the arrival of a person's move until it is on disk and on its way", buckets=_SHORT
)
CONFLICTS = Counter("tilewright_conflicts", "Changes that were tried again because another process was faster")
REQUEST_SECONDS = Histogram(
    "tilewright_request_seconds",
    "HTTP requests, except those that wait for an event",
    ["kind", "status"],
    buckets=_SHORT,
)
SOCKETS = Gauge("tilewright_sockets", "Open live connections")
TABLES = Gauge("tilewright_tables", "Tables in memory")
DATABASE_SECONDS = Histogram(
    "tilewright_database_seconds",
    "From requesting a read or write until it is done, including the wait for earlier ones",
    ["operation"],
    buckets=_SHORT,
)
DATABASE_WAITING = Gauge("tilewright_database_waiting", "Reads and writes that are not done yet", ["operation"])
BOT_SECONDS = Histogram("tilewright_bot_seconds", "Time that bots took for a move here", ["bot"], buckets=_LONG)
QUEUE_LENGTH = Gauge("tilewright_queue_length", "Jobs that wait for their turn in this process", ["queue"])
QUEUE_SECONDS = Histogram("tilewright_queue_seconds", "How long jobs waited for their turn", ["queue"], buckets=_LONG)
STREAM_LENGTH = Gauge("tilewright_stream_length", "Jobs for workers in Redis that are not done", ["stream"])
STREAM_AGE = Gauge("tilewright_stream_age_seconds", "Age of the oldest job for workers that is not done", ["stream"])
JOBS = Counter("tilewright_jobs", "Jobs done by this worker", ["stream", "outcome"])
LOOP_LAG = Gauge("tilewright_loop_lag_seconds", "How late the event loop woke up when it was last measured")


@contextmanager
def database_time(operation: str) -> Iterator[None]:
    """Time a read or write."""
    waiting_now, seconds = _of_operation(operation)
    with waiting_now.track_inprogress(), seconds.time():
        yield


@cache
def _of_operation(operation: str) -> tuple[Gauge, Histogram]:
    """The metrics with their label: to look them up takes longer than to count."""
    return DATABASE_WAITING.labels(operation), DATABASE_SECONDS.labels(operation)


@contextmanager
def waiting(queue: str) -> Iterator[None]:
    """Count and time a job that waits for its turn."""
    begun = time.perf_counter()
    with QUEUE_LENGTH.labels(queue).track_inprogress():
        yield
    QUEUE_SECONDS.labels(queue).observe(time.perf_counter() - begun)
