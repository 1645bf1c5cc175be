"""One step of many games: the move, the deal, the rewards, a new game after the last one, what is seen then.

Written once for all games, and compiled for the processor (``vector``) and for the graphics card (``cuda``): what is
done for one game is one function, and both only loop over it in their own way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.envs.rewards import MARGIN, SCORE, WIN, reward_illegal, reward_margin, reward_win
from tilewright.kernels.chance import below
from tilewright.kernels.compile import Cells, jit_options

if TYPE_CHECKING:  # each game brings its own
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

WAITS = -1
"""In place of a move: this game stands still for a step."""

REWARD, ILLEGAL_LOSES, SORTED, GOES_ON, OPTIONS = range(5)
"""Options of a step: the kind of reward; whether an illegal move loses the game; whether factories are sorted;
whether a new game follows one that has ended."""


@jit_options(inline="always")
def prepare(positions: Cells, i: int, generators: Cells, options: Cells) -> None:
    """Deal what is to be dealt; factories in their canonical order if that is asked for."""
    deal(positions[i], generators[i : i + 1])
    if options[SORTED]:
        canonicalise(positions[i])


@jit_options(inline="always")
def set_out(positions: Cells, i: int, start: Cells, generators: Cells, options: Cells) -> None:
    """A new game."""
    positions[i] = start[0]
    prepare(positions, i, generators, options)


@jit_options(inline="always")
def play_at(positions: Cells, i: int, move: int, kind: int, rewards: Cells) -> bool:
    """A legal move and what it brings; returns whether the game ended with it."""
    if kind == SCORE:
        for seat in range(positions[i].players):
            rewards[seat] = -positions[i].score[seat]
    apply_move(positions[i], move)
    if kind == SCORE:
        for seat in range(positions[i].players):
            rewards[seat] += positions[i].score[seat]
    ended = is_over(positions[i])
    if ended and kind == WIN:
        reward_win(positions, i, rewards)
    if ended and kind == MARGIN:
        reward_margin(positions, i, rewards)
    return ended


@jit_options(inline="always")
def step_at(
    positions: Cells, i: int, start: Cells, generators: Cells, move: int, options: Cells, rewards: Cells, scores: Cells
) -> bool:
    """One move of one game; returns whether the game ended with it. ``scores`` are those of the game just played."""
    kind = options[REWARD]
    for seat in range(positions[i].players):
        rewards[seat] = 0
    if move == WAITS:
        return False
    ended = not is_legal(positions[i], move)
    if ended:
        reward_illegal(positions, i, kind, rewards)
    else:
        ended = play_at(positions, i, move, kind, rewards)
    for seat in range(positions[i].players):
        scores[seat] = positions[i].score[seat]
    if ended and options[GOES_ON]:
        set_out(positions, i, start, generators, options)
    elif not ended:
        prepare(positions, i, generators, options)
    return ended


@jit_options(inline="always")
def look_at(positions: Cells, i: int, observation: Cells, mask: Cells) -> None:
    """What the seat to move sees, and what it may do."""
    observe(positions[i], positions[i].turn, observation)
    for n in range(len(mask)):
        mask[n] = False
    mark_moves(positions[i], mask)


@jit_options(inline="always")
def random_move_at(positions: Cells, i: int, choosers: Cells) -> int:
    """A uniformly random legal move; a game that is over waits."""
    if is_over(positions[i]):
        return WAITS
    return nth_move(positions[i], below(choosers[i : i + 1], count_moves(positions[i])))
