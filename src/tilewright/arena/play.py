"""One game between bots, from its fixture to its result."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter

from tilewright.arena.schedule import Fixture, Match
from tilewright.bots.bot import Bot, new_generator
from tilewright.bots.registry import make_bot
from tilewright.game.errors import TilewrightError
from tilewright.game.game import Game
from tilewright.game.outcome import Outcome
from tilewright.game.position import Position
from tilewright.game.record import Record


@dataclass(frozen=True)
class GameResult:
    """How a game of the match ended. Seats count from 0."""

    fixture: Fixture
    outcome: Outcome
    rounds: int
    moves: tuple[int, ...]
    """Moves of each seat."""
    thinking: tuple[float, ...]
    """Seconds by the clock that each seat took for them."""
    seconds: float
    """Seconds by the clock for the whole game."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat."""
        return self.outcome.scores

    @property
    def points(self) -> tuple[dict[str, int], ...]:
        """Where each seat's points came from."""
        return self.outcome.points

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """What each seat won of the one win there is; a shared win is split."""
        winners = self.outcome.winners
        return tuple((seat in winners) / len(winners) for seat in range(len(self.fixture.seats)))

    @cached_property
    def margins(self) -> tuple[int, ...]:
        """Each seat's points less the most of any other seat's."""
        scores = self.scores
        return tuple(own - max(scores[:seat] + scores[seat + 1 :]) for seat, own in enumerate(scores))

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The place of each seat from 1: winners first, then by points; equal points share a place."""
        merits = [(seat in self.outcome.winners, score) for seat, score in enumerate(self.scores)]
        return tuple(1 + sum(other > own for other in merits) for own in merits)


@dataclass(frozen=True)
class Failure:
    """Why a game could not be played to its end."""

    number: int
    seed: int
    """The match's, from which the game follows."""
    complaint: str
    bot: str | None = None
    seat: int | None = None
    position: str | None = None

    def __str__(self) -> str:
        who = f"{self.bot!r} as player {self.seat + 1}: " if self.bot and self.seat is not None else ""
        where = f", in the position {self.position!r}" if self.position else ""
        return f"game {self.number} of the match: {who}{self.complaint}{where}"


class GameFailed(TilewrightError):
    """A game could not be played: a bot raised an error, played an illegal move or ended its process."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


def play_game(match: Match, number: int, folder: Path | None = None) -> GameResult:
    """Play one game of the match, by its number from 0, here and now; with a folder its record is kept there.

    >>> import tilewright as tw
    >>> match = Match(tw.Azul(players=2), ("random", "random"), seed=1)
    >>> play_game(match, 0).outcome == play_game(match, 0).outcome
    True
    """
    started = perf_counter()
    table = _Table(match, match.fixture(number))
    table.play()
    outcome = table.position.outcome()
    assert outcome is not None
    result = GameResult(
        fixture=table.fixture,
        outcome=outcome,
        rounds=table.position.round,
        moves=tuple(table.moves),
        thinking=tuple(table.thinking),
        seconds=perf_counter() - started,
    )
    if folder is not None:
        table.record().save(record_path(folder, number))
    return result


def play_record(match: Match, number: int) -> Record:
    """Play one game of the match as ``play_game`` does, for its record."""
    table = _Table(match, match.fixture(number))
    table.play()
    return table.record()


def record_path(folder: Path, number: int) -> Path:
    """Where the record of a game is kept."""
    return folder / f"game-{number:06}.txt"


def without_dealer(position: Position) -> Position:
    """What a bot may see: the table and the past, but nobody who knows which tiles come next."""
    seen = position.copy()
    seen.dealer = None
    return seen


class _Table:
    """A game in progress: the bots on their seats, and what each has used of the clock."""

    def __init__(self, match: Match, fixture: Fixture) -> None:
        self.match, self.fixture = match, fixture
        self.position = match.game.start(fixture.deal_seed)
        self.bots = [self._make(seat) for seat in range(match.game.players)]
        self.moves = [0] * match.game.players
        self.thinking = [0.0] * match.game.players

    def play(self) -> None:
        """Play to the end."""
        try:
            while self.position.turn is not None:
                self._take_turn()
        finally:
            for bot in self.bots:
                _dismiss(bot)

    def record(self) -> Record:
        """The game so far; the players are named by the bots' texts."""
        return self.position.record([self.match.bots[bot] for bot in self.fixture.seats])

    def _take_turn(self) -> None:
        """Let the bot whose turn it is choose and play."""
        seat = self.position.turn
        assert seat is not None
        seen = without_dealer(self.position)
        began = perf_counter()
        try:
            move = self.bots[seat].choose(seen)
        except Exception as error:
            raise self._failed(seat, f"choosing a move raised {_told(error)}") from error
        self.thinking[seat] += perf_counter() - began
        self.moves[seat] += 1
        try:
            self.position.push(move)
        except TilewrightError as error:
            raise self._failed(seat, f"its move is refused: {error}") from error

    def _make(self, seat: int) -> Bot:
        try:
            return make_bot(self.match.bots[self.fixture.seats[seat]], self.fixture.bot_seeds[seat])
        except Exception as error:
            raise self._failed(seat, f"making it raised {_told(error)}") from error

    def _failed(self, seat: int, complaint: str) -> GameFailed:
        bot = self.match.bots[self.fixture.seats[seat]]
        return GameFailed(Failure(self.fixture.number, self.match.seed, complaint, bot, seat, self.position.to_text()))


def _dismiss(bot: Bot) -> None:
    """Bots that hold something, a running program for instance, have a ``close``."""
    close = getattr(bot, "close", None)
    if callable(close):
        close()


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def check_bots(bots: Iterable[str]) -> None:
    """Make every bot once, so that a wrong name is told before anything is played."""
    for text in bots:
        _dismiss(make_bot(text, seed=0))


def warm_up(match: Match) -> None:
    """Load or compile what the games need, so that no bot's first move is charged for it.

    What goes wrong here goes wrong again in a game, where it is told properly.
    """
    load_rules(match.game)
    position = match.game.start(0)
    for text in dict.fromkeys(match.bots):
        with suppress(Exception):
            bot = make_bot(text, seed=0)
            bot.choose(without_dealer(position))
            _dismiss(bot)


def load_rules(game: Game) -> None:
    """Play a move and a game, so that the kernels of the rules are there."""
    position = game.start(0)
    position.push(int(position.legal_moves.numbers()[0]))
    game.kernels.finish_at_random(position.table, 0, new_generator(0))
    position.outcome()
