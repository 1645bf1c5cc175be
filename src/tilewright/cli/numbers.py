"""The types of numbers on the command line; each says what it accepts."""

from __future__ import annotations

import argparse

_LAST_SEED = (1 << 64) - 1
_MOST_THREADS = 256
_MOST_WORKERS = 1024
_DEEPEST = 1000
_MOST = 10**9
_MOST_PLAYERS = 100
_LONGEST_NUMBER = 20
_LONGEST_ECHO = 40


def players(text: str) -> int:
    """A number of players; the game says whether it allows it."""
    return _whole(text, 1, _MOST_PLAYERS, "a number of players")


def _whole(text: str, least: int, most: int, what: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER and least <= int(text) <= most:
        return int(text)
    raise argparse.ArgumentTypeError(f"{_echo(text)} should be {what}")


def _echo(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_ECHO else text[: _LONGEST_ECHO - 3] + "...")


def seed(text: str) -> int:
    """The seed of a deal."""
    return _whole(text, 0, _LAST_SEED, "a whole number from 0 to 2**64 - 1")


def threads(text: str) -> int:
    """A number of threads."""
    return _whole(text, 1, _MOST_THREADS, f"a whole number from 1 to {_MOST_THREADS}")


def depth(text: str) -> int:
    """A number of events."""
    return _whole(text, 1, _DEEPEST, f"a whole number from 1 to {_DEEPEST}")


def count(text: str) -> int:
    """A number that may be 0."""
    return _whole(text, 0, _MOST, f"a whole number from 0 to {_MOST}")


def games(text: str) -> int:
    """A number of games."""
    return _whole(text, 1, _MOST, f"a whole number from 1 to {_MOST}")


def workers(text: str) -> int:
    """A number of processes, on a cluster perhaps."""
    return _whole(text, 0, _MOST_WORKERS, f"a whole number from 0 to {_MOST_WORKERS}")


def elo(text: str) -> float:
    """A difference in strength."""
    return _number(text, -4000, 4000, "an Elo difference from -4000 to 4000")


def chance(text: str) -> float:
    """The risk of a wrong answer."""
    return _number(text, 1e-9, 0.499, "a probability above 0 and below 0.5")


def share(text: str) -> float:
    """A share of something, or a rate."""
    return _number(text, 1e-9, 1, "a number above 0, at most 1")


def minutes(text: str) -> float:
    """A time in minutes."""
    return _number(text, 1e-3, 100_000, "a number of minutes from 0.001 to 100000")


def _number(text: str, least: float, most: float, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"{_echo(text)} should be {what}")
    return number


def port(text: str) -> int:
    """A port."""
    return _whole(text, 1, 65_535, "a port from 1 to 65535")


def seconds(text: str) -> float:
    """A time."""
    try:
        time = float(text)
    except ValueError:
        time = 0.0
    if not 0 < time <= 86_400:
        raise argparse.ArgumentTypeError(f"{_echo(text)} should be a number of seconds above 0, at most a day")
    return time
