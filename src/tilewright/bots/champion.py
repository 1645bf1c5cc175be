"""The champion as a player: a trained network and its search."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tilewright.bots.bot import Bot, Thought, legal_numbers, new_generator
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.kernels.compile import Cells
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.champion import ChampionSearch
from tilewright.search.champion_tree import SIMULATIONS
from tilewright.search.network import read_weights
from tilewright.search.rule_sets import network_file

USUAL = Budget(seconds=0.1)


def canonical(position: Position) -> tuple[Position, Cells]:
    """The canonical twin of a position, and the number that every move has there."""
    part: Any = position.game.spec.part("symmetry")
    if part is None:
        return position, np.arange(position.game.actions)
    twin, moves = part.canonical(position)
    return twin, moves


class ChampionBot(Bot):
    """Plays with a network that taught itself."""

    def __init__(self, budget: Budget = USUAL, seed: int | None = None, weights: Path | None = None) -> None:
        self.budget = budget
        self._path = weights
        self._generator = new_generator(seed)
        self._search: ChampionSearch | None = None

    def choose(self, position: Position) -> Move:
        """The move that was tried most often."""
        return self.think(position).move

    def think(
        self, position: Position, budget: Budget | None = None, cancellation: Cancellation | None = None
    ) -> Thought:
        """The move that was tried most often and what it promises."""
        moves = legal_numbers(position)
        search = self._search_of(position.game)
        if len(moves) == 1:
            return Thought(position.game.moves[int(moves[0])])
        twin, numbers = canonical(position)
        search.run(twin.table[0], budget or self.budget, self._generator, cancellation)
        best = search.best()
        move = next(int(n) for n in moves if numbers[int(n)] == best)
        chance, margin = search.outlook(best)
        return Thought(position.game.moves[move], margin, chance, simulations=int(search.tree.counters[SIMULATIONS]))

    def close(self) -> None:
        """Release the memory of the search."""
        self._search = None

    def _search_of(self, game: Game) -> ChampionSearch:
        if self._search is None or self._search.game != game:
            path = self._path or network_file(game)
            if not path.exists():
                raise BadOption(f"there is no network for {game!r} yet: {path.name} is missing")
            self._search = ChampionSearch(game, read_weights(path)[0])
        return self._search
