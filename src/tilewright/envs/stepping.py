"""One step of one game: the move, the deal, the rewards, the automatic reset, the observation.

Written once for all games and compiled for the CPU (``vector.py``) and the GPU (``cuda_loops.py``), which only loop
over these functions, each in its own way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.rewards import (
    MARGIN,
    SCORE,
    WIN,
    check_illegal,
    check_reward,
    reward_illegal,
    reward_margin,
    reward_win,
)
from tilewright.game.errors import BadOption
from tilewright.game.validation import echo
from tilewright.kernels.chance import below
from tilewright.kernels.compile import Cells, jit_options
from tilewright.kernels.playing import new_rows

if TYPE_CHECKING:  # defined by each game
    from tilewright.envs.interface import observe
    from tilewright.kernels.interface import (
        apply_move,
        canonicalise,
        count_moves,
        deal,
        is_legal,
        is_over,
        mark_moves,
        nth_move,
    )

NO_OP = -1
"""In place of a move: this game stands still for a step."""

SETTINGS = np.dtype(
    [("reward", np.int64), ("illegal_loses", np.int64), ("canonical", np.int64), ("autoreset", np.int64)]
)
"""How games are stepped: the kind of reward; whether an illegal move loses the game; whether positions are made
canonical; whether a game that has ended is reset at once. An array of one such record is what Numba passes fastest."""


def step_settings(reward: str, illegal: str, canonical: bool, autoreset: bool) -> NDArray[Any]:
    """The options of an environment as the kernels read them."""
    for name, value in (("canonical", canonical), ("autoreset", autoreset)):
        if not isinstance(value, bool):
            raise BadOption(f"{name} is True or False, not {echo(value)}")
    settings = new_rows(1, SETTINGS)
    settings["reward"] = check_reward(reward)
    settings["illegal_loses"] = check_illegal(illegal)
    settings["canonical"] = canonical
    settings["autoreset"] = autoreset
    return settings


@jit_options(inline="always")
def deal_at(states: Cells, i: int, generators: Cells, settings: Cells) -> None:
    """Deal if tiles are awaited, and make the position canonical if the settings ask for it."""
    deal(states[i], generators[i : i + 1])
    if settings[0].canonical:
        canonicalise(states[i])


@jit_options(inline="always")
def reset_at(states: Cells, i: int, start: Cells, generators: Cells, settings: Cells) -> None:
    """Begin a new game."""
    states[i] = start[0]
    deal_at(states, i, generators, settings)


@jit_options(inline="always")
def play_at(states: Cells, i: int, move: int, kind: int, rewards: Cells) -> bool:
    """Play a legal move and write its rewards; returns whether it ended the game."""
    if kind == SCORE:
        for seat in range(states[i].players):
            rewards[seat] = -states[i].score[seat]
    apply_move(states[i], move)
    if kind == SCORE:
        for seat in range(states[i].players):
            rewards[seat] += states[i].score[seat]
    ended = is_over(states[i])
    if ended and kind == WIN:
        reward_win(states, i, rewards)
    if ended and kind == MARGIN:
        reward_margin(states, i, rewards)
    return ended


@jit_options(inline="always")
def step_at(
    states: Cells, i: int, start: Cells, generators: Cells, move: int, settings: Cells, rewards: Cells, scores: Cells
) -> bool:
    """One step of one game; returns whether it ended the game. ``scores`` are those before an automatic reset."""
    kind = settings[0].reward
    for seat in range(states[i].players):
        rewards[seat] = 0
    if move == NO_OP:
        return False
    ended = not is_legal(states[i], move)
    if ended:
        reward_illegal(states, i, kind, rewards)
    else:
        ended = play_at(states, i, move, kind, rewards)
    for seat in range(states[i].players):
        scores[seat] = states[i].score[seat]
    if ended and settings[0].autoreset:
        reset_at(states, i, start, generators, settings)
    elif not ended:
        deal_at(states, i, generators, settings)
    return ended


@jit_options(inline="always")
def observe_and_mask(states: Cells, i: int, observation: Cells, mask: Cells) -> None:
    """The observation of the seat to move, and its legal moves."""
    observe(states[i], states[i].turn, observation)
    for n in range(len(mask)):
        mask[n] = False
    mark_moves(states[i], mask)


@jit_options(inline="always")
def random_move_at(states: Cells, i: int, choosers: Cells) -> int:
    """A uniformly random legal move, or ``NO_OP`` if the game is over."""
    if is_over(states[i]):
        return NO_OP
    return nth_move(states[i], below(choosers[i : i + 1], count_moves(states[i])))
