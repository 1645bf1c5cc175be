"""A network for one rule set as the beginning of one for another: what has the same name keeps its weights.

Inputs are matched by the part of the observation that they stand in, outputs by the fields of their moves. Players and
factories that the source does not know begin as copies of the last that it does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import torch

from tilewright.envs.observation import Observer
from tilewright.game.game import Game
from tilewright.learn.network import Network

UNKNOWN = -1


def matching_inputs(source: Game, target: Game) -> tuple[np.ndarray, np.ndarray]:
    """For each input of the target the one of the source that it continues, and the share of its weight it takes."""
    old, new = Observer(source), Observer(target)
    shapes = {part.name: part.shape for part in old.parts}
    index: list[int] = []
    share: list[float] = []
    for part in new.parts:
        known = shapes.get(part.name)
        for cell in np.ndindex(*part.shape):
            if (
                known is None
                or len(known) != len(cell)
                or any(n >= k for n, k in zip(cell[1:], known[1:], strict=True))
            ):
                index.append(UNKNOWN)
                share.append(0.0)
                continue
            first = min(cell[0], known[0] - 1)
            by_seat = part.shape[0] == target.players and known[0] == source.players
            index.append(old.starts[part.name] + int(np.ravel_multi_index((first, *cell[1:]), known)))
            share.append((source.players - 1) / (target.players - 1) if by_seat and cell[0] > 0 else 1.0)
    return np.array(index), np.array(share, np.float32)


def relatives(fields: Any) -> list[Any]:
    """The fields of a move, then those of moves that mean much the same: without jokers, from an earlier factory."""
    found = [fields]
    if getattr(fields, "with_jokers", False):
        found.append(replace(fields, with_jokers=False, jokers_kept=None))
    earlier = range(getattr(fields, "source", 0) - 1, 0, -1)
    return found + [replace(known, source=factory) for factory in earlier for known in found]


def matching_moves(source: Game, target: Game) -> np.ndarray:
    """For each move of the target the one of the source that it continues."""
    numbers = {move.fields: move.number for move in source.moves}
    return np.array(
        [
            next((numbers[known] for known in relatives(move.fields) if known in numbers), UNKNOWN)
            for move in target.moves
        ]
    )


def _rows(weights: torch.Tensor, index: np.ndarray) -> torch.Tensor:
    """The rows of a matrix, or entries of a vector, in another order; zeros where there is none."""
    taken = weights[torch.from_numpy(np.maximum(index, 0))].clone()
    taken[torch.from_numpy(index == UNKNOWN)] = 0
    return taken


def transfer(source: Game, network: Network, target: Game) -> dict[str, torch.Tensor]:
    """The weights for the target, of the same width and depth."""
    state = {name: value.detach().cpu().clone() for name, value in network.state_dict().items()}
    inputs, share = matching_inputs(source, target)
    state["first.weight"] = (
        (_rows(state["first.weight"].t(), inputs) * torch.from_numpy(share)[:, None]).t().contiguous()
    )
    moves = matching_moves(source, target)
    for name in ("policy.weight", "policy.bias"):
        state[name] = _rows(state[name], moves)
    seats = np.minimum(np.arange(target.players), source.players - 1)
    values = np.concatenate([seats, source.players + seats])
    for name in ("value.weight", "value.bias"):
        state[name] = _rows(state[name], values)
    return state
