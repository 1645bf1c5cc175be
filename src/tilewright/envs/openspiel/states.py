"""A position as an OpenSpiel state: every draw of a tile is a chance node, and returns come at the end."""

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


class OpenSpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no type hints
    """A state, created by ``game.new_initial_state()``. ``states`` has one row, on which the kernels work.

    To copy or save a state, OpenSpiel reads ``__dict__`` and sets its items as attributes of a new initial state. Ours
    has only the bytes of the row, so copies are exact and fast (NumPy would copy a row field by field, which takes many
    times as long), and saved states are small and contain no objects.
    """

    __slots__ = ("_actor", "_game", "states")

    def __init__(self, game: OpenSpielGame, row: bytes) -> None:
        super().__init__(game)
        self._game = game
        self.row_bytes = row

    @property
    def row_bytes(self) -> bytes:
        """The position as bytes; setting them changes the state."""
        return self.states.tobytes()

    @row_bytes.setter
    def row_bytes(self, row: bytes) -> None:
        states = np.frombuffer(bytearray(row), self._game.kernels.dtype)
        self.states: Cells = states.view(np.recarray) if INTERPRETED else states
        self._actor = self._who_acts()

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        return {"row_bytes": self.row_bytes}

    def position(self) -> Position:
        """A copy as a ``Position``."""
        return self._game.rule_set.trusted_position(self.states.copy())

    # Playing -------------------------------------------------------------------------------------------

    def _who_acts(self) -> int:
        if self._game.kernels.awaits_draw_at(self.states, 0):
            return CHANCE
        over = self._game.kernels.is_over_at(self.states, 0)
        return TERMINAL if over else int(self.states["turn"].item())

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's ids for chance and terminal states."""
        return self._actor

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._actor == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        rule_set = self._game.rule_set
        moves = np.empty(rule_set.actions, dtype=np.int64)
        count = self._game.kernels.list_moves_at(self.states, 0, moves)
        legal = moves[:count]
        legal.sort()
        return legal.tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The kinds of tile that can be drawn, with their probabilities."""
        counts = self._draw_weights()
        total = sum(counts)
        return [(kind, count / total) for kind, count in enumerate(counts) if count]

    def _apply_action(self, action: int) -> None:
        rule_set = self._game.rule_set
        if self._actor == CHANCE:
            self._draw(action)
        elif not (0 <= action < rule_set.actions and self._game.kernels.push_at(self.states, 0, action)):
            self.position().push(action)  # raises an error that says why it is illegal
        self._actor = self._who_acts()

    def _draw_weights(self) -> list[int]:
        """How many tiles of each kind the next draw is made from, without a ``Position``, which would cost more."""
        weights = np.zeros(self._game.kinds, np.int64)
        self._game.kernels.draw_weights_at(self.states, 0, weights)
        return weights.tolist()

    def _draw(self, kind: int) -> None:
        counts = self._draw_weights()
        if not 0 <= kind < len(counts) or counts[kind] == 0:
            names = self._game.rule_set.tiles.name_all(able for able, count in enumerate(counts) if count)
            raise BadDraw(f"no tile of kind {kind} can be drawn, only {names}")
        self._game.kernels.draw_at(self.states, 0, kind)

    def returns(self) -> list[float]:
        """The returns of the players, zeros before the end."""
        if self._actor != TERMINAL:
            return [0.0] * self._game.rule_set.players
        rewards = np.zeros(self._game.rule_set.players)
        self._game.pay(self.states, 0, rewards)
        return rewards.tolist()

    # Texts ----------------------------------------------------------------------------------------------

    def _action_to_string(self, player: int, action: int) -> str:
        rule_set = self._game.rule_set
        return rule_set.tiles.names[action] if player == CHANCE else rule_set.move(action).text

    def __str__(self) -> str:
        """The position in one line of text, as ``position.to_text()`` writes it."""
        return self.position().to_text()

    def _to_struct(self) -> dict[str, str]:
        return {"position": str(self)}

    # Copies ---------------------------------------------------------------------------------------------

    def __deepcopy__(self, memo: object) -> OpenSpielState:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _read_state, (pyspiel.serialize_game_and_state(self._game, self),)


def _read_state(text: str) -> Any:
    """Unpickle a state."""
    return pyspiel.deserialize_game_and_state(text)[1]
