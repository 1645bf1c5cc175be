"""A position as OpenSpiel's state: chance draws tile by tile, players decide, and the end pays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from tilewright.game.errors import BadDraw
from tilewright.game.position import Position
from tilewright.kernels.compile import INTERPRETED, Cells

if TYPE_CHECKING:
    from tilewright.envs.openspiel.games import OpenSpielGame

CHANCE = int(pyspiel.PlayerId.CHANCE)
TERMINAL = int(pyspiel.PlayerId.TERMINAL)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel tells no types
    """One moment of a game, made by ``game.new_initial_state()``. ``table`` is the row that the kernels work on.

    To copy or to save a state, OpenSpiel takes what is in ``__dict__`` and sets it again, attribute by attribute, on
    a new initial state. So ours tells the bytes of the row and nothing else: a copy is exact and quick (NumPy copies
    a row field by field, which takes many times as long), a saved state is small, and no object of ours is in it.
    """

    __slots__ = ("_actor", "_game", "table")

    def __init__(self, game: OpenSpielGame, row: bytes) -> None:
        super().__init__(game)
        self._game = game
        self.row_bytes = row

    @property
    def row_bytes(self) -> bytes:
        """The position as the bytes of its row; setting them puts the state there."""
        return self.table.tobytes()

    @row_bytes.setter
    def row_bytes(self, row: bytes) -> None:
        table = np.frombuffer(bytearray(row), self._game.rule_set.kernels.dtype)
        self.table: Cells = table.view(np.recarray) if INTERPRETED else table
        self._actor = self._who_acts()

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        return {"row_bytes": self.row_bytes}

    def position(self) -> Position:
        """A copy as our own position: to draw it, to tell it in words, to ask why a move is illegal."""
        return Position(self._game.rule_set, self.table.copy())

    # Who acts, and how ----------------------------------------------------------------------------------

    def _who_acts(self) -> int:
        rule_set = self._game.rule_set
        if rule_set.kernels.awaits_draw_at(self.table, 0):
            return CHANCE
        over = self.table["phase"].item() == len(rule_set.phases) - 1
        return TERMINAL if over else int(self.table["turn"].item())

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's numbers for chance and for the end."""
        return self._actor

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._actor == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        rule_set = self._game.rule_set
        moves = np.empty(rule_set.actions, dtype=np.int64)
        count = rule_set.kernels.list_moves_at(self.table, 0, moves)
        legal = moves[:count]
        legal.sort()
        return legal.tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The kinds of tile that may be drawn, each as likely as its share of the bag."""
        counts = self.position().draw_weights()
        total = sum(counts)
        return [(kind, count / total) for kind, count in enumerate(counts) if count]

    def _apply_action(self, action: int) -> None:
        rule_set = self._game.rule_set
        if self._actor == CHANCE:
            self._draw(action)
        elif not (0 <= action < rule_set.actions and rule_set.kernels.push_at(self.table, 0, action)):
            self.position().push(action)  # which says why it cannot be played
        self._actor = self._who_acts()

    def _draw(self, kind: int) -> None:
        counts = self.position().draw_weights()
        if not 0 <= kind < len(counts) or counts[kind] == 0:
            names = self._game.rule_set.tiles.name_all(able for able, count in enumerate(counts) if count)
            raise BadDraw(f"no tile of kind {kind} can be drawn; there are: {names}")
        self._game.rule_set.kernels.draw_at(self.table, 0, kind)

    def returns(self) -> list[float]:
        """What each player gets: nothing before the end."""
        if self._actor != TERMINAL:
            return [0.0] * self._game.rule_set.players
        rewards = np.zeros(self._game.rule_set.players)
        self._game.pay(self.table, 0, rewards)
        return rewards.tolist()

    # Texts ----------------------------------------------------------------------------------------------

    def _action_to_string(self, player: int, action: int) -> str:
        rule_set = self._game.rule_set
        return rule_set.tiles.names[action] if player == CHANCE else rule_set.move(action).text

    def __str__(self) -> str:
        """The position in one line that tells all of it; ``print(state.position())`` draws the table."""
        return self.position().to_text()

    def _to_struct(self) -> dict[str, str]:
        return {"position": str(self)}

    # Copies ---------------------------------------------------------------------------------------------

    def __deepcopy__(self, memo: object) -> OpenSpielState:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _read_state, (pyspiel.serialize_game_and_state(self._game, self),)


def _read_state(text: str) -> Any:
    """The state of a pickle."""
    return pyspiel.deserialize_game_and_state(text)[1]
