"""What a match says: every number of its table, its JSON object and its report, from the results of its games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from tilewright.arena.play import GameResult
from tilewright.arena.ratings import Points, Skill, bradley_terry_intervals, rate_games
from tilewright.arena.schedule import Match
from tilewright.arena.sprt import SprtRun
from tilewright.arena.statistics import Estimate, Mean, count_pairs, elo_from_sets

Quantity = Literal["shares", "scores", "margins", "points", "moves", "thinking"]
"""The parts of a game's result that have an entry for each seat."""


@dataclass(frozen=True)
class Standing:
    """How one bot did. It may sit on several seats of a game; then each counts."""

    name: str
    games: int
    win_rate: Mean
    score: Mean
    margin: Mean
    elo: Estimate
    skill: Skill
    seconds_per_move: float
    win_rate_by_seat: tuple[float, ...]
    points: dict[str, float]
    """Mean points by source."""


class MatchResult:
    """A match that was played: whole sets only, in the order of the schedule."""

    def __init__(self, match: Match, games: Sequence[GameResult], sprt: SprtRun | None, elapsed: float) -> None:
        self.match = match
        self.games = list(games)
        self.sprt = sprt
        self.elapsed = elapsed
        """Seconds by the clock of this run; games that were played before are not in it."""

    @cached_property
    def standings(self) -> list[Standing]:
        """One for each bot, in the order of the match."""
        elos, skills = self._elos(), self._skills()
        return [self._standing(bot, elos[bot], skills[bot]) for bot in range(len(self.match.bots))]

    @cached_property
    def order(self) -> list[int]:
        """The bots by strength, the best first, as tables and pictures have them."""
        return sorted(range(len(self.match.bots)), key=lambda bot: -self.standings[bot].elo.value)

    @property
    def first(self) -> Standing:
        """The standing of the first bot, from whose point of view a match of two is reported."""
        return self.standings[0]

    @property
    def elo(self) -> Estimate:
        """How much stronger the first bot is than its opponents; in a league, than the mean of all bots."""
        return self.first.elo

    @cached_property
    def pairs(self) -> list[int] | None:
        """The pentanomial of the first bot; None if the match is not one of two bots and two players."""
        if len(self.match.bots) > 2 or self.match.game.players > 2:
            return None
        return count_pairs(self.set_means(0, "shares"))

    @cached_property
    def crosstable(self) -> Points:
        """``crosstable[i, j]``: how often bot i finished ahead of j, as a fraction; nan if they never met."""
        won: Points = self._set_points.sum(axis=0)
        met = won + won.T
        return np.divide(won, met, out=np.full_like(won, np.nan), where=met > 0)

    @cached_property
    def moves_per_second(self) -> float:
        """Moves per second and worker."""
        return sum(sum(game.moves) for game in self.games) / sum(game.seconds for game in self.games)

    def of_bot(self, bot: int, what: Quantity) -> list[Any]:
        """A quantity of every seat that a bot had."""
        return [entry for entries in self._by_set(bot, what).values() for entry in entries]

    def set_means(self, bot: int, what: Quantity) -> list[float]:
        """The mean of such a quantity in each set."""
        return [float(np.mean(entries)) for entries in self._by_set(bot, what).values()]

    def _by_set(self, bot: int, what: Quantity) -> dict[int, list[Any]]:
        sets: dict[int, list[Any]] = {}
        for game in self.games:
            values = getattr(game, what)
            for seat, sitting in enumerate(game.fixture.seats):
                if sitting == bot:
                    sets.setdefault(game.fixture.set_number, []).append(values[seat])
        return sets

    def _standing(self, bot: int, elo: Estimate, skill: Skill) -> Standing:
        moves = sum(self.of_bot(bot, "moves"))
        points = self.of_bot(bot, "points")
        return Standing(
            name=self.match.names[bot],
            games=len(points),
            win_rate=Mean.of(self.set_means(bot, "shares") or [0.0]),
            score=Mean.of(self.set_means(bot, "scores") or [0.0]),
            margin=Mean.of(self.set_means(bot, "margins") or [0.0]),
            elo=elo,
            skill=skill,
            seconds_per_move=sum(self.of_bot(bot, "thinking")) / max(1, moves),
            win_rate_by_seat=self._by_seat(bot),
            points={source: float(np.mean([p[source] for p in points])) for source in (points[0] if points else {})},
        )

    def _by_seat(self, bot: int) -> tuple[float, ...]:
        rates = []
        for seat in range(self.match.game.players):
            shares = [game.shares[seat] for game in self.games if game.fixture.seats[seat] == bot]
            rates.append(float(np.mean(shares)) if shares else float("nan"))
        return tuple(rates)

    def _elos(self) -> list[Estimate]:
        if len(self.match.bots) == 2:
            first = elo_from_sets(self.set_means(0, "shares"), self.match.game.players)
            return [first, first.reversed()]
        return bradley_terry_intervals(self._set_points)

    def _skills(self) -> list[Skill]:
        return rate_games(len(self.match.bots), [(game.fixture.seats, game.ranks) for game in self.games])

    @cached_property
    def _set_points(self) -> Points:
        """For each set: how often each bot finished ahead of each other. A bot does not meet itself."""
        bots = len(self.match.bots)
        points = np.zeros((len(self.games) // self.match.game.players, bots, bots))
        sets = {number: k for k, number in enumerate(dict.fromkeys(game.fixture.set_number for game in self.games))}
        for game in self.games:
            for seat, bot in enumerate(game.fixture.seats):
                for other_seat, other in enumerate(game.fixture.seats):
                    if bot != other:
                        ahead = np.sign(game.ranks[other_seat] - game.ranks[seat])
                        points[sets[game.fixture.set_number], bot, other] += (1 + ahead) / 2
        return points

    @property
    def told_games(self) -> str:
        """The number of games and deals, in words."""
        players, games = self.match.game.players, len(self.games)
        deals = "1 deal" if games == players else f"{games // players:,} deals, each"
        return f"{games:,} games: {deals} played with {players} rotations of the seats"

    def to_object(self) -> dict[str, Any]:
        """Everything as a plain object for JSON. Seats count from 1."""
        first = self.first
        return {
            "game": self.match.game.name,
            "players": self.match.game.players,
            "options": dict(self.match.game.options),
            "bots": list(self.match.bots),
            "seed": self.match.seed,
            "games": len(self.games),
            "sets": len(self.games) // self.match.game.players,
            "win_rate": first.win_rate.value,
            "win_rate_error": first.win_rate.error,
            "fair_share": 1 / self.match.game.players,
            "margin": first.margin.value,
            "margin_error": first.margin.error,
            "elo": self.elo.value,
            "elo_low": self.elo.low,
            "elo_high": self.elo.high,
            "pairs": self.pairs,
            "scores": [standing.score.value for standing in self.standings],
            "rounds": float(np.mean([game.rounds for game in self.games])),
            "moves": float(np.mean([sum(game.moves) for game in self.games])),
            "moves_per_second": self.moves_per_second,
            "seconds_per_move": [standing.seconds_per_move for standing in self.standings],
            "elapsed": self.elapsed,
            "sprt": None if self.sprt is None else sprt_object(self.sprt),
            "standings": [standing_object(standing) for standing in self.standings],
            "crosstable": [[_number(part) for part in row] for row in self.crosstable],
        }


def standing_object(standing: Standing) -> dict[str, Any]:
    """One bot's standing for JSON."""
    return {
        "bot": standing.name,
        "games": standing.games,
        "win_rate": standing.win_rate.value,
        "win_rate_error": standing.win_rate.error,
        "win_rate_by_seat": [_number(rate) for rate in standing.win_rate_by_seat],
        "score": standing.score.value,
        "score_error": standing.score.error,
        "margin": standing.margin.value,
        "margin_error": standing.margin.error,
        "elo": standing.elo.value,
        "elo_low": standing.elo.low,
        "elo_high": standing.elo.high,
        "openskill": {"mu": standing.skill.mu, "sigma": standing.skill.sigma, "ordinal": standing.skill.ordinal},
        "seconds_per_move": standing.seconds_per_move,
        "points": standing.points,
    }


def sprt_object(run: SprtRun) -> dict[str, Any]:
    """The state of a sequential test for JSON."""
    return {
        "elo0": run.test.elo0,
        "elo1": run.test.elo1,
        "alpha": run.test.alpha,
        "beta": run.test.beta,
        "llr": run.llr,
        "lower": run.test.lower,
        "upper": run.test.upper,
        "sets": len(run.curve),
        "decision": run.decision,
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
