"""The schedule of a match: the seats and seeds of every game follow from its settings alone.

The unit is a *set*: one deal, played once for every rotation of its bots around the table. A lucky deal then helps
everybody once, and going first does too.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any

import numpy as np

from tilewright.game.dealer import check_seed
from tilewright.game.errors import BadOption
from tilewright.game.game import Game, check_game
from tilewright.game.validation import echo

_DEALS, _BOTS = 0, 1
"""The two families of seeds: no bot's seed tells anything about a deal."""
_DROPPED_BITS = 11
"""Seeds keep 53 bits, so that every reader of JSON gets them exactly."""
_MOST_BOTS = 64


@dataclass(frozen=True)
class Fixture:
    """One game to be played: the bot on each seat by its number in the match, and the seeds."""

    number: int
    set_number: int
    seats: tuple[int, ...]
    deal_seed: int
    bot_seeds: tuple[int, ...]


@dataclass(frozen=True)
class Match:
    """What is played: the game, the bots and the seed from which everything follows.

    >>> import tilewright as tw
    >>> match = Match(next(iter(tw.GAMES.values()))(players=3), ("random", "greedy"), seed=1)
    >>> [match.fixture(number).seats for number in range(3)]
    [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    >>> match.fixture(0).deal_seed == match.fixture(2).deal_seed != match.fixture(3).deal_seed
    True
    """

    game: Game
    bots: tuple[str, ...]
    seed: int = 0

    def __post_init__(self) -> None:
        check_game(self.game)
        if not 2 <= len(self.bots) <= _MOST_BOTS:
            raise BadOption(f"a match takes 2 to {_MOST_BOTS} bots, not {len(self.bots)}")
        check_seed(self.seed)

    @cached_property
    def line_ups(self) -> list[tuple[int, ...]]:
        """The bots that meet at one table, in the order of their seats; each set takes the next line-up."""
        return line_ups(len(self.bots), self.game.players)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The bots' texts, with a number behind those that play twice."""
        return tuple(
            text if text not in self.bots[:bot] else f"{text} ({self.bots[: bot + 1].count(text)})"
            for bot, text in enumerate(self.bots)
        )

    def fixture(self, number: int) -> Fixture:
        """A game of the schedule, by its number from 0."""
        set_number, rotation = divmod(number, self.game.players)
        line_up = self.line_ups[set_number % len(self.line_ups)]
        seats = line_up[-rotation:] + line_up[:-rotation] if rotation else line_up
        bot_seeds = tuple(self._seed(_BOTS, number, seat) for seat in range(len(seats)))
        return Fixture(number, set_number, seats, self._seed(_DEALS, set_number), bot_seeds)

    def whole_sets(self, games: int) -> int:
        """The number of games rounded up to whole sets, which are never cut short."""
        if isinstance(games, bool) or not isinstance(games, int) or games < 1:
            raise BadOption(f"a match has at least one game, not {echo(games)}")
        return -(-games // self.game.players) * self.game.players

    def _seed(self, *key: int) -> int:
        words = np.random.SeedSequence(self.seed, spawn_key=key).generate_state(1, np.uint64)
        return int(words[0]) >> _DROPPED_BITS


def line_ups(bots: int, players: int) -> list[tuple[int, ...]]:
    """Every line-up of the bots, evenly.

    Two bots at a larger table are the first against copies of the second. With enough bots all combinations meet,
    and those of three and four in every order around the table, because it matters whom one follows. With one bot
    too few all of them sit down and the seats left are filled by each in turn.

    >>> line_ups(2, 2), line_ups(2, 4), line_ups(3, 2)
    ([(0, 1)], [(0, 1, 1, 1)], [(0, 1), (0, 2), (1, 2)])
    >>> line_ups(3, 3), line_ups(3, 4)
    ([(0, 1, 2), (0, 2, 1)], [(0, 1, 2, 0), (0, 1, 2, 1), (0, 1, 2, 2)])
    """
    if bots == 2:
        return [(0,) + (1,) * (players - 1)]
    if bots < players:
        everybody = tuple(range(bots))
        return [everybody + rest for rest in combinations_with_replacement(everybody, players - bots)]
    groups = list(combinations(range(bots), players))
    orders = list(permutations(range(1, players)))
    return [(group[0], *(group[seat] for seat in order)) for order in orders for group in groups]


def bot_text(bot: str | type[Any]) -> str:
    """The text of a bot, from which worker processes make it; a class is named by its module and its own name.

    >>> from tilewright.bots.random import RandomBot
    >>> bot_text(RandomBot), bot_text("search:100ms")
    ('tilewright.bots.random:RandomBot', 'search:100ms')
    """
    if isinstance(bot, str):
        return bot.strip()
    module, name = getattr(bot, "__module__", None), getattr(bot, "__qualname__", None)
    if module is None or getattr(sys.modules.get(module), name or "", None) is not bot:
        raise BadOption(
            f"{echo(bot)} cannot be imported by name; a bot is a name or a class defined at the top level of a module"
        )
    return f"{module}:{name}"
