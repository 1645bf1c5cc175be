"""Mining puzzles from self-play.

Candidates pass through sieves, the cheapest first: the search that plays the games, a short search of the position, a
long one, and a long one by other means. A puzzle has one move that is clearly better than all others, which neither
the points of this turn nor the greedy bot suggest. At last the levels of the bots try to find it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from time import process_time

import numpy as np

from tilewright.bots.greedy import GreedyBot
from tilewright.bots.levels import LEVELS, StrongestBot, make_level
from tilewright.bots.search import SearchBot
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.insight.evaluation import Candidate, make_evaluator
from tilewright.insight.puzzle import Answer, Puzzle
from tilewright.insight.puzzle_rating import puzzle_rating
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.searcher import RootMove


@dataclass(frozen=True)
class MiningSettings:
    """How long the searches are, and what counts as clear. Chances are those of the player to move."""

    playing: int = 160
    """Simulations for each move of the games."""
    short: int = 4_000
    long: int = 120_000
    other: int = 150_000
    """Simulations of the search without a network, which must agree."""
    lines: int = 4
    """Moves that the long search looks at with the same effort."""
    played_gap: float = 0.03
    short_gap: float = 0.06
    long_gap: float = 0.08
    """By how much the best move must be better than the next: more than a mistake costs in a review."""
    other_gap: float = 0.02
    least_chance: float = 0.15
    """The lowest win chance of the best move: a lost position makes a poor puzzle."""
    least_moves: int = 5
    whim: float = 0.15
    """How often the games go on with another good move than the best, so that they differ."""
    tries: tuple[int, ...] = (16, 1, 8, 8, 4, 1)
    """How often each level tries; one that always plays the same tries once."""
    strongest: int = 12_000
    """Simulations of the strongest level, which has a clock: about what it manages in its time on a fast core."""


@dataclass
class MinedGame:
    """What a game of self-play gave."""

    number: int
    puzzles: list[Puzzle] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    """How many positions passed each sieve."""
    cpu_seconds: float = 0.0


class Miner:
    """Plays games of one rule set and keeps the puzzles. What a game gives depends on the seed and its number alone."""

    def __init__(self, game: Game, seed: int, settings: MiningSettings | None = None) -> None:
        self.game = game
        self._seed = seed
        self._settings = settings or MiningSettings()
        self._evaluator = make_evaluator(game, seed)
        self._greedy = GreedyBot(seed)
        for level in LEVELS:  # compiles what is not compiled yet
            make_level(level, seed).prepare(game)

    def mine(self, number: int) -> MinedGame:
        """Play a game, and look for puzzles at every decision."""
        began = process_time()
        self._levels = [make_level(level, self._seed) for level in LEVELS]
        mined = MinedGame(number)
        rounds: set[int] = set()
        """Those that have given a puzzle: the next decisions would be much the same."""
        for position, tried in self._play(number):
            mined.passed["played"] += 1
            puzzle = None if position.round in rounds else self._puzzle(position, tried, mined.passed)
            if puzzle is not None:
                mined.puzzles.append(puzzle)
                rounds.add(position.round)
        mined.cpu_seconds = process_time() - began
        return mined

    def _play(self, number: int) -> Iterator[tuple[Position, list[RootMove]]]:
        """Every decision of a game, without the dealer, and what the player thought of the moves."""
        words = np.random.SeedSequence((self._seed, number)).generate_state(2, np.uint64)
        player = StrongestBot(Budget(simulations=self._settings.playing), int(words[0]))
        position, whims = self.game.start(seed=int(words[0])), Random(int(words[1]))
        while not position.is_over:
            best = player.think(position).move
            tried: list[RootMove] = []
            if len(position.legal_moves) >= self._settings.least_moves:
                tried = [move for move in player.search_of(self.game).root_moves() if move.visits]
                seen = position.without_dealer()
                seen.forget_past()
                yield seen, tried
            if tried and whims.random() < self._settings.whim:
                best = self.game.moves[whims.choices(tried, [move.visits for move in tried])[0].move]
            position.push(best)

    # The sieves -----------------------------------------------------------------------------------------

    def _puzzle(self, position: Position, tried: list[RootMove], passed: Counter[str]) -> Puzzle | None:
        settings = self._settings
        best = self._promising(tried)
        if best is None or self._is_obvious(position, best):
            return None
        passed["promising"] += 1
        short = self._search(position, settings.short)
        if not self._is_clear(position, short, settings.short_gap) or self._is_obvious(position, short[0].move):
            return None
        passed["short"] += 1
        long = self._search(position, settings.long)
        if not self._is_clear(position, long, settings.long_gap) or self._is_obvious(position, long[0].move):
            return None
        passed["long"] += 1
        if not self._is_confirmed(position, long[0].move):
            return None
        passed["confirmed"] += 1
        found = self._found(position, long[0].move)
        return Puzzle(
            text=position.to_text(),
            rating=puzzle_rating(found),
            found=found,
            answers=tuple(_answer(position, one) for one in long),
        )

    def _promising(self, tried: list[RootMove]) -> Move | None:
        """The best move of the search that plays the games, if it seems better than the others."""
        if len(tried) < 2:
            return None
        best, *others = sorted(tried, key=lambda move: -move.visits)
        gap = best.win_probability - max(move.win_probability for move in others)
        return self.game.moves[best.move] if gap >= self._settings.played_gap else None

    def _is_obvious(self, position: Position, best: Move) -> bool:
        """Whether the points of this turn or the greedy bot give a move away."""
        if self._greedy.choose(position) == best:
            return True
        seat = position.turn
        points = {move: _points_now(position, move, seat) for move in position.legal_moves}
        return points[best] == max(points.values()) > min(points.values())

    def _search(self, position: Position, simulations: int) -> list[Candidate]:
        budget, lines = Budget(simulations=simulations), self._settings.lines
        *_, last = self._evaluator.watch(position, budget, lines, Cancellation())
        return list(last.candidates[:lines])

    def _is_clear(self, position: Position, candidates: list[Candidate], gap: float) -> bool:
        """Whether one move is better than all others by a gap, and worth finding."""
        seat = position.turn or 0
        chances = [candidate.expectation.chances[seat] for candidate in candidates]
        return len(chances) > 1 and chances[0] >= self._settings.least_chance and chances[0] - max(chances[1:]) >= gap

    def _is_confirmed(self, position: Position, best: Move) -> bool:
        """Whether the search without a network finds the same move, and finds it better, too."""
        bot = SearchBot(Budget(simulations=self._settings.other), self._seed)
        thought = bot.think(position)
        if thought.move != best or not thought.simulations:
            return thought.move == best  # a round that is solved has no other values to compare
        chances = {move.move: move.win_probability for move in bot.search_of(self.game).root_moves() if move.visits}
        own = chances.pop(int(best))
        return own - max(chances.values(), default=0.0) >= self._settings.other_gap

    def _found(self, position: Position, best: Move) -> tuple[float, ...]:
        """How often each level finds the move. No clock is used: budgets give the same result on every machine."""
        found = []
        for bot, tries in zip(self._levels, self._settings.tries, strict=True):
            budget = Budget(simulations=self._settings.strongest) if isinstance(bot, StrongestBot) else None
            hits = sum(bot.think(position, budget).move == best for _ in range(tries))
            found.append(hits / tries)
        return tuple(found)


def _points_now(position: Position, move: Move, seat: int | None) -> int:
    return sum(effect.points for effect in position.effects(move) if effect.seat == seat)


def _answer(position: Position, candidate: Candidate) -> Answer:
    seat, expectation = position.turn or 0, candidate.expectation
    return Answer(tuple(str(move) for move in candidate.line), expectation.chances[seat], expectation.margins[seat])
