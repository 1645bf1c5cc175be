"""The interface of every bot, and how hosts ask one for a move."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from tilewright.bots.errors import BotFailed
from tilewright.game.dealer import check_seed
from tilewright.game.errors import BadOption, GameFault, TilewrightError, describe_error
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.validation import echo
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation

_NOT_A_DEALER = 0xB07


@dataclass(frozen=True)
class Thought:
    """A choice and the reasons for it, if the bot gives any."""

    move: Move
    margin: float | None = None
    """Points by which the mover is expected to end ahead of the best other player."""
    winning_chance: float | None = None
    """From 0 to 1; a shared win counts in part."""
    line: tuple[Move, ...] = ()
    """The moves expected to follow, starting with the choice."""
    simulations: int = 0
    nodes: int = 0


class Bot(ABC):
    """A program that plays. It sees what is on the table, never what the dealer will draw.

    A bot of your own needs only ``choose``:

    >>> import tilewright as tw
    >>> class FirstMove(Bot):
    ...     def choose(self, position):
    ...         return next(iter(position.legal_moves))
    >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
    >>> FirstMove().choose(position) in position.legal_moves
    True
    """

    @abstractmethod
    def choose(self, position: Position) -> Move:
        """A legal move for the player whose turn it is; the position must not change."""

    def think(
        self, position: Position, budget: Budget | None = None, cancellation: Cancellation | None = None
    ) -> Thought:
        """A choice with its reasons; a budget, if given, replaces the bot's own.

        A bot that searches looks at the cancellation from time to time and, once it is cancelled, returns the best
        move found so far. Bots that give no reasons and know neither budgets nor cancellation simply choose.
        """
        return Thought(self.choose(position))

    def prepare(self, game: Game) -> None:  # noqa: B027 - most bots need no preparation
        """Load and compile what a game needs, before any clock starts."""

    def close(self) -> None:  # noqa: B027 - most bots have nothing to release
        """Release memory and processes. A closed bot can be asked again and starts afresh."""


@runtime_checkable
class Multithreaded(Protocol):
    """A bot that can think in several threads; hosts may change their number between two thoughts."""

    threads: int


# Asking -------------------------------------------------------------------------------------------------


def without_dealer(position: Position) -> Position:
    """What a bot may see: the position and its past, but not the dealer, who knows the coming draws."""
    seen = position.copy()
    seen.dealer = None
    return seen


def ask(bot: Bot, position: Position, name: str = "") -> Move:
    """The move that a bot chooses. Every host should ask for it in this way.

    The bot gets a copy without a dealer, so it can neither see a coming draw nor change the game. Its answer, a
    Move, a number or a text, is checked. Whatever goes wrong becomes a BotFailed, which begins with the name if one
    is given; only Ctrl-C is passed on.

    >>> import tilewright as tw
    >>> class Talks(Bot):
    ...     def choose(self, position):
    ...         return str(next(iter(position.legal_moves)))
    >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
    >>> ask(Talks(), position) in position.legal_moves
    True
    """
    with _told_properly(name):
        return _read_answer(position, _answer(bot.choose, without_dealer(position)))


def ask_thought(
    bot: Bot,
    position: Position,
    budget: Budget | None = None,
    name: str = "",
    cancellation: Cancellation | None = None,
) -> Thought:
    """The same with reasons, and with a way to end the thought early; a bot that has only ``choose`` knows neither."""
    think = getattr(bot, "think", None)
    if not callable(think):
        return Thought(ask(bot, position, name))
    with _told_properly(name):
        thought = _answer(think, without_dealer(position), budget, cancellation)
        if not isinstance(thought, Thought):
            raise BotFailed(f"its method think returned a {type(thought).__name__}, not a Thought")
        return replace(thought, move=_read_answer(position, thought.move))


def prepare_bot(bot: Bot, game: Game) -> None:
    """Let a bot load what it needs, so that its first move is not charged for that; errors are a BotFailed."""
    prepare = getattr(bot, "prepare", None)
    if callable(prepare):
        try:
            prepare(game)
        except TilewrightError:
            raise
        except (Exception, SystemExit) as error:
            raise BotFailed(f"preparing for the game raised {describe_error(error)}") from error


def close_bot(bot: Bot) -> None:
    """Close a bot that is no longer needed; one that has only ``choose`` has nothing to close."""
    close = getattr(bot, "close", None)
    if callable(close):
        close()


def _answer(method: Callable[..., Any], *given: Any) -> Any:
    try:
        return method(*given)
    except (BotFailed, GameFault):
        raise
    except (Exception, SystemExit) as error:
        raise BotFailed(f"choosing a move raised {describe_error(error)}") from error


def _read_answer(position: Position, answer: Any) -> Move:
    try:
        move = position.move(answer)
        if move not in position.legal_moves:
            without_dealer(position).push(move)  # says what is wrong with it
    except GameFault:
        raise
    except TilewrightError as error:
        raise BotFailed(f"its move is refused: {error}") from error
    return move


@contextmanager
def _told_properly(name: str) -> Iterator[None]:
    """Failures begin with the bot's name; those of a program already say which program it was."""
    try:
        yield
    except BotFailed as failure:
        if not name or str(failure).startswith("the program "):
            raise
        raise BotFailed(f"{name} failed: {failure}") from failure.__cause__


# For bots -----------------------------------------------------------------------------------------------


def new_generator(seed: int | None) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """A bot's own random generator, independent of a dealer with the same seed."""
    if seed is None:
        seed = secrets.randbits(64)
    words = np.random.SeedSequence((check_seed(seed), _NOT_A_DEALER)).generate_state(1, np.uint64)
    return words.astype(np.uint64)


def legal_numbers(position: Position) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The legal moves as numbers; raises an error that says why where there is none."""
    if not isinstance(position, Position):
        raise BadOption(f"a bot chooses in a position, such as game.start(), not in {echo(position)}")
    numbers = position.legal_moves.numbers()
    if not len(numbers):
        raise position.legal_moves.why_none()
    return numbers
