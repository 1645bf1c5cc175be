"""Ratings for more than two bots: Bradley-Terry Elo with intervals, and OpenSkill's Plackett-Luce."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import Any

import numpy as np

from tilewright.arena.statistics import Estimate

Points = np.ndarray[Any, np.dtype[np.float64]]
"""``points[i, j]``: what bot i has won against bot j, a tie counting ½ for both."""

_ROUNDS = 2000
_CLOSE_ENOUGH = 1e-9
_RESAMPLES = 300
_RESAMPLING_SEED = 2026


def bradley_terry(points: Points, prior: float = 1.0) -> list[float]:
    """The Elo ratings, zero on average, under which these results are likeliest.

    Each bot is given ``prior`` drawn games, spread over its opponents, so that one which won or lost everything
    still has a rating.

    >>> ratings = bradley_terry(np.array([[0, 75], [25, 0]]), prior=0)
    >>> [round(rating, 1) for rating in ratings]
    [95.4, -95.4]
    """
    bots = len(points)
    drawn = prior / (bots - 1) / 2 * (1 - np.eye(bots))
    won = np.asarray(points, dtype=np.float64) + drawn
    strengths = np.ones(bots)
    for _ in range(_ROUNDS):  # Zermelo's iteration, in the quickly converging form of Newman (2023)
        before = strengths.copy()
        for bot in range(bots):
            sums = strengths + strengths[bot]
            strengths[bot] = (won[bot] * strengths / sums).sum() / (won[:, bot] / sums).sum()
        strengths /= np.exp(np.log(strengths).mean())
        if np.abs(np.log(strengths / before)).max() < _CLOSE_ENOUGH:
            break
    return [float(rating) for rating in 400 * np.log10(strengths)]


def bradley_terry_intervals(sets: Points, prior: float = 1.0) -> list[Estimate]:
    """Ratings with 95 % intervals, by bootstrapping the sets.

    ``sets[k]`` has the points of set k. The draws are always the same, so results can be compared. For each bot two
    sets more are in the urn, one lost and one won altogether, as for matches of two: a few sets that happen to agree
    would be drawn as if nothing else could ever come.
    """
    chance = np.random.default_rng(_RESAMPLING_SEED)
    urn = np.concatenate([sets, _imagined_sets(sets)])
    resampled = []
    for _ in range(_RESAMPLES):
        times = chance.multinomial(len(urn), [1 / len(urn)] * len(urn))
        resampled.append(bradley_terry(np.tensordot(times, urn, axes=1), prior))
    lows, highs = np.percentile(resampled, (2.5, 97.5), axis=0)
    values = bradley_terry(sets.sum(axis=0), prior)
    return [
        Estimate(value, min(value, float(low)), max(value, float(high)))
        for value, low, high in zip(values, lows, highs, strict=True)
    ]


def _imagined_sets(sets: Points) -> Points:
    """For each bot a set that it won against everybody and one that it lost, as long as its sets are on average."""
    bots = sets.shape[1]
    met = sets + sets.transpose(0, 2, 1)
    lengths = met.sum(axis=2)
    imagined = np.zeros((2 * bots, bots, bots))
    for bot in range(bots):
        played = lengths[:, bot][lengths[:, bot] > 0]
        length = played.mean() if len(played) else lengths[lengths > 0].mean()
        against = length / (bots - 1) * (np.arange(bots) != bot)
        imagined[2 * bot, bot] = against
        imagined[2 * bot + 1, :, bot] = against
    return imagined


@dataclass(frozen=True)
class Skill:
    """What is believed about a bot's skill: the mean and the standard deviation, on OpenSkill's scale.

    >>> Skill().ordinal
    0.0
    """

    mu: float = 25.0
    sigma: float = 25 / 3

    @property
    def ordinal(self) -> float:
        """A skill that the bot most likely exceeds: three standard deviations below the mean."""
        return self.mu - 3 * self.sigma


def rate_table(skills: Sequence[Skill], places: Sequence[int], beta: float = 25 / 6) -> list[Skill]:
    """What a game with these final places teaches about its players (Plackett-Luce; Weng and Lin 2011).

    The numbers are those of the ``openskill`` library's ``PlackettLuce(tau=0)``: a bot does not change from game
    to game, so nothing is added to the uncertainty between them.

    >>> winner, loser = rate_table([Skill(), Skill()], [1, 2])
    >>> round(winner.mu, 3), round(winner.sigma, 3), round(loser.mu, 3)
    (27.635, 8.066, 22.365)
    """
    scale = sqrt(sum(skill.sigma**2 + beta**2 for skill in skills))
    strengths = [exp(skill.mu / scale) for skill in skills]
    behind = [sum(s for s, other in zip(strengths, places, strict=True) if other >= place) for place in places]
    tied = [places.count(place) for place in places]
    return [_updated(skills, seat, places, strengths, behind, tied, scale) for seat in range(len(skills))]


def _updated(
    skills: Sequence[Skill],
    seat: int,
    places: Sequence[int],
    strengths: Sequence[float],
    behind: Sequence[float],
    tied: Sequence[int],
    scale: float,
) -> Skill:
    """One player's new skill: at every place up to their own, were they picked more often than expected?"""
    surprise, certainty = 0.0, 0.0
    for other, place in enumerate(places):
        if place <= places[seat]:
            chance = strengths[seat] / behind[other]
            surprise += ((other == seat) - chance) / tied[other]
            certainty += chance * (1 - chance) / tied[other]
    mine = skills[seat]
    mu = mine.mu + surprise * mine.sigma**2 / scale
    shrink = certainty * (mine.sigma / scale) ** 3
    return Skill(mu, mine.sigma * sqrt(max(1 - shrink, 1e-4)))


def rate_games(bots: int, games: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[Skill]:
    """The skills after games, each given as its bots and their ranks, in this order.

    A bot that sits on several seats of a table learns the mean of what its seats would.
    """
    skills = [Skill()] * bots
    for seats, places in games:
        after = rate_table([skills[bot] for bot in seats], places)
        for bot in set(seats):
            own = [skill for skill, sitting in zip(after, seats, strict=True) if sitting == bot]
            mu, sigma = sum(s.mu for s in own) / len(own), sum(s.sigma for s in own) / len(own)
            skills[bot] = Skill(mu, sigma)
    return skills
