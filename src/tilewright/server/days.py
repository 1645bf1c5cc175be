"""Days of the daily table. They begin and end at midnight UTC, and are written as 2026-01-31."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

DAY = 24 * 3600.0
"""Seconds."""


def today() -> str:
    """The day that it is now."""
    return datetime.now(UTC).date().isoformat()


def day_before(day: str) -> str:
    """The day before another.

    >>> day_before("2026-03-01")
    '2026-02-28'
    """
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


def end_of(day: str) -> float:
    """When a day ends, in seconds since 1970.

    >>> end_of("1970-01-01")
    86400.0
    """
    return datetime.combine(date.fromisoformat(day) + timedelta(days=1), time(), UTC).timestamp()
