"""Five opponents for people, from a friendly beginner to the full engine."""

from __future__ import annotations

from tilewright.bots.bot import Bot
from tilewright.bots.greedy import GreedyBot
from tilewright.bots.search import DEFAULT_BUDGET, SearchBot
from tilewright.game.errors import BadOption
from tilewright.game.validation import echo
from tilewright.search.budget import Budget

LEVELS = (1, 2, 3, 4, 5)

_TEMPERATURES = {1: 2.5, 2: 0.7}
"""Levels that do not look ahead, in points."""
_BUDGETS = {3: Budget(simulations=40), 4: Budget(simulations=600), 5: Budget(seconds=1.0)}
"""Levels that search."""


def make_search(budget: Budget | None = None, level: int | str | None = None, seed: int | None = None) -> Bot:
    """The search with a budget, or the opponent of a level.

    >>> type(make_search(level=1)).__name__, type(make_search(level=5)).__name__
    ('GreedyBot', 'SearchBot')
    """
    if level is None:
        return SearchBot(budget or DEFAULT_BUDGET, seed)
    if str(level) not in map(str, LEVELS):
        raise BadOption(f"the levels are 1 to {LEVELS[-1]}, not {echo(level)}; for instance search:level3")
    number = int(level)
    if number in _TEMPERATURES:
        return GreedyBot(seed, _TEMPERATURES[number])
    return SearchBot(_BUDGETS[number], seed)
