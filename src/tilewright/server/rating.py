"""The arithmetic of ratings: OpenSkill's Plackett-Luce model, shown on a scale like Elo's.

A person's skill is believed to be normally distributed. Every rated game moves the mean and narrows the deviation.
Bots do not learn, so their skill is what was measured, and a game does not change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

from tilewright.arena.ratings import Skill, rate_table
from tilewright.bots.registry import USUAL_OPPONENT
from tilewright.game.registry import find_spec
from tilewright.server.stored import Result, StoredSeat

BETA = 25 / 6
"""OpenSkill's: how much the play of the same player varies from game to game."""
ELO = 400 / log(10) / (sqrt(2) * BETA)
"""What a point of skill is worth in Elo, between two players whose skill is well known."""
START = Skill(25.0, 12.5)
"""A newcomer: a deviation of 370 Elo, as Glicko's 350, since the levels span more than OpenSkill's scale expects."""
ORIGIN = 1000.0
"""The shown rating of a newcomer, and of the bot that newcomers meet first."""
DRIFT = 25 / 300
"""OpenSkill's tau: what is added to the deviation before a game, since people change."""
PROVISIONAL = 7.5
"""The deviation above which a rating says little: 220 Elo, after some ten games."""
BOT_DEVIATION, ASSUMED_DEVIATION = 100 / ELO, 250 / ELO
"""Of bots with two players, where they were measured, and with more, where they are assumed to be as strong."""


@dataclass(frozen=True)
class Rating:
    """What is known of a player's strength in one game with one number of players."""

    skill: Skill = START
    games: int = 0

    @property
    def shown(self) -> int:
        """The rating as people read it.

        >>> Rating().shown
        1000
        """
        return round(ORIGIN + (self.skill.mu - START.mu) * ELO)

    @property
    def deviation(self) -> int:
        """The standard deviation on the same scale."""
        return round(self.skill.sigma * ELO)

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known to compare it with others."""
        return self.skill.sigma > PROVISIONAL


def bot_rating(game: str, players: int, bot: str) -> Rating | None:
    """The rating of a bot; None if its strength in this game was not measured."""
    levels = getattr(find_spec(game).part("strength"), "LEVELS", {})
    if bot not in levels or USUAL_OPPONENT not in levels:
        return None
    mean = START.mu + (levels[bot] - levels[USUAL_OPPONENT]) / ELO
    return Rating(Skill(mean, BOT_DEVIATION if players == 2 else ASSUMED_DEVIATION))


def ranks_of(seats: Sequence[StoredSeat], result: Result | None) -> list[int]:
    """The final rank of each seat, 1 for the winners; equal scores share a rank.

    Whoever left, ran out of time or was replaced comes last, however the bot did that played on for them. Without a
    result nothing else is known.
    """
    order = [(seat.substitute is not None, *_merit(result, n)) for n, seat in enumerate(seats)]
    return [1 + sum(other < own for other in order) for own in order]


def _merit(result: Result | None, seat: int) -> tuple[int, ...]:
    """What the ranks are ordered by: winners, who may have won by a tie-break, then points."""
    return () if result is None else (seat + 1 not in result.winners, -result.scores[seat])


def after_game(ratings: Sequence[Rating], ranks: Sequence[int], learners: Sequence[bool]) -> list[Rating]:
    """The ratings after a game; those who do not learn keep theirs."""
    before = [
        Skill(rating.skill.mu, sqrt(rating.skill.sigma**2 + DRIFT**2)) if learns else rating.skill
        for rating, learns in zip(ratings, learners, strict=True)
    ]
    rated = zip(ratings, rate_table(before, ranks, BETA), learners, strict=True)
    return [Rating(skill, rating.games + 1) if learns else rating for rating, skill, learns in rated]
