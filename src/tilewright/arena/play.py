"""One game between bots, from its fixture to its result."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable, Mapping
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

from tilewright.arena.schedule import Fixture, Match
from tilewright.bots.bot import Bot, ask, close_bot, legal_numbers, new_generator, prepare_bot
from tilewright.bots.errors import BotFailed
from tilewright.bots.registry import make_bot
from tilewright.game.errors import GameFault, TilewrightError, describe_error
from tilewright.game.game import Game
from tilewright.game.outcome import Outcome
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
    """Wall-clock seconds that each seat spent on them."""
    seconds: float
    """Wall-clock seconds of the whole game."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat."""
        return self.outcome.scores

    @property
    def points(self) -> tuple[Mapping[str, int], ...]:
        """Where each seat's points came from."""
        return self.outcome.points

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """Each seat's share of the win; a shared win is split evenly."""
        winners = self.outcome.winners
        return tuple((seat in winners) / len(winners) for seat in range(len(self.fixture.seats)))

    @cached_property
    def margins(self) -> tuple[int, ...]:
        """Each seat's score minus the best score of the other seats."""
        scores = self.scores
        return tuple(own - max(scores[:seat] + scores[seat + 1 :]) for seat, own in enumerate(scores))

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each seat from 1: winners first, then by points; equal points share a rank."""
        merits = [(seat in self.outcome.winners, score) for seat, score in enumerate(self.scores)]
        return tuple(1 + sum(other > own for other in merits) for own in merits)


@dataclass(frozen=True)
class Failure:
    """Why a game could not be played to its end."""

    number: int
    seed: int
    """The match's, from which the game follows."""
    reason: str
    bot: str | None = None
    seat: int | None = None
    position: str | None = None

    def __str__(self) -> str:
        who = f"{self.bot!r} as player {self.seat + 1}: " if self.bot and self.seat is not None else ""
        where = f", in the position {self.position!r}" if self.position else ""
        return f"game {self.number} of the match: {who}{self.reason}{where}"


class GameFailed(TilewrightError):
    """A game could not be played: a bot or the game itself raised an error, or a bot moved illegally or died."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


@dataclass(frozen=True)
class PlayedGame:
    """A game on its way from the worker that played it to the match."""

    result: GameResult
    record: str | None
    """The text of its record, if the match keeps records. Workers need not share a disk with the match."""


def play_game(match: Match, number: int) -> GameResult:
    """Play one game of the match, by its number from 0, in this process.

    >>> import tilewright as tw
    >>> match = Match(next(iter(tw.GAMES.values()))(), ("random", "random"), seed=1)
    >>> play_game(match, 0).outcome == play_game(match, 0).outcome
    True
    """
    return play_fixture(match, number, recorded=False).result


def play_fixture(match: Match, number: int, recorded: bool) -> PlayedGame:
    """Play one game of the match as ``play_game`` does; its record is written down if it is wanted."""
    started = perf_counter()
    try:
        running = _GameInProgress(match, match.fixture(number))
        running.play()
        outcome = running.position.outcome()
    except GameFault as fault:
        raise GameFailed(Failure(number, match.seed, str(fault))) from fault
    assert outcome is not None
    result = GameResult(
        fixture=running.fixture,
        outcome=outcome,
        rounds=running.position.round,
        moves=tuple(running.moves),
        thinking=tuple(running.thinking),
        seconds=perf_counter() - started,
    )
    return PlayedGame(result, running.record().to_text() if recorded else None)


class _GameInProgress:
    """A game in progress: the bots on their seats, and what each has used of the clock."""

    def __init__(self, match: Match, fixture: Fixture) -> None:
        self.match, self.fixture = match, fixture
        self.position = match.game.start(fixture.deal_seed)
        self.bots: list[Bot] = []
        self.moves = [0] * match.game.players
        self.thinking = [0.0] * match.game.players

    def play(self) -> None:
        """Play to the end. Standard output is the arena's own: what bots print goes to standard error."""
        with redirect_stdout(sys.stderr):
            try:
                for seat in range(self.match.game.players):
                    self._seat_bot(seat)
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
        began = perf_counter()
        try:
            move = ask(self.bots[seat], self.position)
        except BotFailed as failure:
            raise self._failed(seat, str(failure)) from (failure.__cause__ or failure)
        except KeyboardInterrupt as error:
            if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # Ctrl-C; a worker never hears that
                raise
            raise self._failed(seat, f"choosing a move raised {describe_error(error)}") from error
        self.thinking[seat] += perf_counter() - began
        self.moves[seat] += 1
        self.position.push(move)

    def _seat_bot(self, seat: int) -> None:
        """Create a bot and let it prepare, so that its start does not count towards its first move."""
        try:
            bot = make_bot(self.match.bots[self.fixture.seats[seat]], self.fixture.bot_seeds[seat])
            self.bots.append(bot)
            prepare_bot(bot, self.match.game)
        except GameFault:
            raise
        except TilewrightError as error:
            raise self._failed(seat, str(error)) from (error.__cause__ or error)

    def _failed(self, seat: int, reason: str) -> GameFailed:
        bot = self.match.bots[self.fixture.seats[seat]]
        return GameFailed(Failure(self.fixture.number, self.match.seed, reason, bot, seat, self.position.to_text()))


def _dismiss(bot: Bot) -> None:
    """Close a bot. Whatever goes wrong now does not change the result of its game."""
    with suppress(Exception, SystemExit):
        close_bot(bot)


def check_bots(bots: Iterable[str]) -> None:
    """Create every bot once, so that a wrong name is reported before anything is played."""
    with redirect_stdout(sys.stderr):
        for text in bots:
            _dismiss(make_bot(text, seed=0))


def warm_up(match: Match) -> None:
    """Load or compile what the games need, so that it does not count towards any bot's first move.

    Errors are ignored here: they occur again in a game, where they are reported.
    """
    with suppress(GameFault):
        load_rules(match.game)
        _load_bots(match)


def _load_bots(match: Match) -> None:
    """Let every bot choose a move."""
    position = match.game.start(0)
    for text in dict.fromkeys(match.bots):
        with suppress(Exception), redirect_stdout(sys.stderr):
            bot = make_bot(text, seed=0)
            ask(bot, position)
            _dismiss(bot)


def load_rules(game: Game) -> None:
    """Play a move and a game, so that the kernels of the rules are compiled."""
    position = game.start(0)
    position.push(int(legal_numbers(position)[0]))
    game.kernels.finish_at_random(position.states, 0, new_generator(0))
    position.outcome()
