"""Reading and writing the lines of the protocol that docs/bots.md specifies, for both sides.

A line is a keyword and its arguments. Items of a list are separated by commas and fields by semicolons, because moves
and draws contain spaces.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import BinaryIO

from tilewright.bots.bot import Thought
from tilewright.game import registry
from tilewright.game.errors import BadOption, BadPosition, TilewrightError
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.position_text import heading
from tilewright.game.registry import GAMES, find_spec
from tilewright.game.validation import echo, small_number
from tilewright.search.budget import Budget

VERSION = 1
LONGEST_LINE = 65_536
"""Bytes, the end of the line included: many times what the longest game needs."""
_LONGEST_SENTENCE = 400
_LIMITS = {"time": "seconds", "simulations": "simulations", "nodes": "nodes"}


class BadLine(TilewrightError):
    """A line that is unreadable, unknown or out of place."""


# Lines --------------------------------------------------------------------------------------------------


def next_line(source: BinaryIO) -> str | None:
    """The next line without its line end, or None at the end of input. Raises BadLine for one that is not text."""
    raw = source.readline(LONGEST_LINE + 1)
    if not raw:
        return None
    if len(raw) > LONGEST_LINE:
        while raw and not raw.endswith(b"\n"):
            raw = source.readline(LONGEST_LINE)
        raise BadLine(f"this line is too long; a line has at most {LONGEST_LINE} bytes")
    try:
        return raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise BadLine("this line is not UTF-8 text") from None


def as_bytes(line: str) -> bytes:
    """A line as it is sent."""
    return line.encode("utf-8", errors="replace") + b"\n"


def sentence(text: object) -> str:
    """A message on one line, without control characters."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in str(text)).split())
    return line if len(line) <= _LONGEST_SENTENCE else line[: _LONGEST_SENTENCE - 4] + " ..."


def items(text: str) -> list[str]:
    """The items of a list."""
    return [item.strip() for item in text.split(",")] if text.strip() else []


def join_items(things: Iterable[object]) -> str:
    """A list, for instance of moves, as it is written."""
    return ", ".join(str(thing) for thing in things)


def fields(text: str) -> dict[str, str]:
    """Fields by their names; of a repeated one, the last."""
    pairs = (field.strip().partition(" ") for field in text.split(";") if field.strip())
    return {name: value.strip() for name, _, value in pairs}


# Games and positions ------------------------------------------------------------------------------------


def write_game(game: Game) -> str:
    """A game as the first section of a position's text has it.

    >>> game = next(iter(GAMES.values()))(players=3)
    >>> write_game(game).startswith(f"{game.name} players=3")
    True
    """
    return heading(game)


def read_game(text: str) -> Game:
    """A game from its name and options; those left out are as usual.

    >>> game = next(iter(GAMES.values()))(players=3)
    >>> read_game(f"{game.name} players=3") == game
    True
    """
    name, *options = text.split() or [""]
    spec = find_spec(name)
    given: dict[str, str] = {}
    for one in options:
        option, _, value = one.partition("=")
        if option in given:
            raise BadOption(f"{echo(one)} is given twice")
        if option != "players":
            spec.option(option)
        given[option] = value
    return registry.read_game(name, given)


def read_position(game: Game, text: str) -> Position:
    """A position of a game: ``start`` and its events, or its text."""
    first, _, rest = text.partition(" ")
    if first == "start":
        return _play_events(game, items(rest))
    if first not in GAMES:
        raise BadPosition("a position is 'start' and the events since then, or its text, which begins with the game")
    return game.position(text)


def _play_events(game: Game, events: list[str]) -> Position:
    position = game.set_up()
    for number, event in enumerate(events, start=1):
        try:
            _play_event(position, event)
        except TilewrightError as error:
            raise BadPosition(f"event {number}, {echo(event)}: {error}") from None
    return position


def _play_event(position: Position, event: str) -> None:
    first, _, rest = event.partition(" ")
    if first == "draw":
        position.draw(rest)
        return
    seat = small_number(first)
    if seat is None or not rest:
        raise BadPosition("an event is 'draw' and tiles, or a player's number and a move")
    if position.turn is not None and seat != position.turn + 1:
        raise BadPosition(f"it is the turn of player {position.turn + 1}")
    position.push(rest)


# Limits and reasons -------------------------------------------------------------------------------------


def write_limits(budget: Budget) -> str:
    """What a budget allows.

    >>> write_limits(Budget(seconds=0.25, nodes=1000))
    'time 250; nodes 1000'
    """
    milliseconds = None if budget.seconds is None else max(1, round(budget.seconds * 1000))
    limits = {"time": milliseconds, "simulations": budget.simulations, "nodes": budget.nodes}
    return "; ".join(f"{name} {limit}" for name, limit in limits.items() if limit is not None)


def read_limits(text: str) -> Budget | None:
    """The budget in ``go``; None if it leaves that to the bot."""
    limits: dict[str, float] = {}
    for name, value in fields(text).items():
        number = small_number(value)
        if name not in _LIMITS or number is None:
            raise BadOption(
                f"{echo(f'{name} {value}')} is not a limit; the limits are 'time' in ms, 'simulations' and 'nodes'"
            )
        limits[_LIMITS[name]] = number / 1000 if name == "time" else number
    return Budget(**limits) if limits else None  # type: ignore[arg-type]


@dataclass(frozen=True)
class Reasons:
    """What ``info`` and ``bestmove`` have besides the move. All of it is optional."""

    margin: float | None = None
    chance: float | None = None
    simulations: int = 0
    nodes: int = 0
    time: int | None = None
    line: tuple[Move, ...] = ()

    @classmethod
    def of(cls, thought: Thought, milliseconds: int | None = None) -> Reasons:
        """The reasons of a thought."""
        return cls(
            thought.margin, thought.winning_chance, thought.simulations, thought.nodes, milliseconds, thought.line
        )

    def write(self) -> str:
        """The fields whose values are known."""
        told: dict[str, object] = {
            "margin": None if self.margin is None else f"{self.margin:.2f}",
            "chance": None if self.chance is None else f"{self.chance:.3f}",
            "simulations": self.simulations or None,
            "nodes": self.nodes or None,
            "time": self.time,
            "line": join_items(self.line) or None,
        }
        return "; ".join(f"{name} {value}" for name, value in told.items() if value is not None)

    def updated(self, game: Game, told: dict[str, str]) -> Reasons:
        """With what a program has sent since; invalid values are ignored."""
        numbers = {name: _real(told.get(name, "")) for name in ("margin", "chance")}
        counts = {name: small_number(told.get(name, "")) for name in ("simulations", "nodes", "time")}
        known = {name: value for name, value in (numbers | counts).items() if value is not None}
        line = _read_moves(game, told.get("line", ""))
        return replace(self, **known, **({"line": line} if line else {}))  # type: ignore[arg-type]

    def thought(self, move: Move) -> Thought:
        """The thought of a host's bot."""
        chance = None if self.chance is None else min(1.0, max(0.0, self.chance))
        return Thought(move, self.margin, chance, self.line, self.simulations, self.nodes)


def _real(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _read_moves(game: Game, text: str) -> tuple[Move, ...]:
    try:
        return tuple(game.move(item) for item in items(text))
    except TilewrightError:
        return ()
