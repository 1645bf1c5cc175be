"""Transfer: the weights of a network for one rule set as the start of a network for another.

Inputs are matched by their part of the observation, outputs by the fields of their moves. Players, factories and the
like that the source does not know begin as copies of the last that it does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import torch

from tilewright.envs.move_classes import move_classes
from tilewright.envs.observation import NetworkObserver
from tilewright.game.game import Game
from tilewright.learn.network import Network

UNKNOWN = -1


def matching_inputs(source: Game, target: Game) -> tuple[np.ndarray, np.ndarray]:
    """For each input of the target the one of the source that it continues, and the share of its weight it takes."""
    old, new = NetworkObserver(source), NetworkObserver(target)
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


def matching_moves(source: Game, target: Game) -> np.ndarray:
    """For each move of the target the one of the source that it continues: with the same fields, or nearly so.

    A value that no move of the source has, such as a ninth factory or a sixth colour, is replaced by the
    last that it knows.
    """
    known = {move.fields: move.number for move in source.moves}
    values = _field_values(known)

    def match(fields: Any) -> int:
        if fields not in known and type(fields) in values:
            of = values[type(fields)]
            fields = replace(fields, **{name: _last_known(getattr(fields, name), of[name]) for name in of})
        return known.get(fields, UNKNOWN)

    return np.array([match(move.fields) for move in target.moves])


def _field_values(moves: Iterable[Any]) -> dict[type, dict[str, set[Any]]]:
    """By the type of a move, the values that each of its fields takes; types that are not dataclasses are left out."""
    found: dict[type, dict[str, set[Any]]] = {}
    for move in moves:
        if is_dataclass(move):
            of = found.setdefault(type(move), {field.name: set() for field in fields(move)})
            for name, values in of.items():
                values.add(getattr(move, name))
    return found


def _last_known(value: Any, known: set[Any]) -> Any:
    """The value itself if it is known, else the largest number below it, or the only value that there is.

    >>> _last_known(7, {0, 1, 5}), _last_known(True, {False}), _last_known(2, {None}), _last_known("b", {"a", "c"})
    (5, False, None, 'b')
    """
    if value in known or not known:
        return value
    below = [one for one in known if isinstance(one, int) and isinstance(value, int) and one <= value]
    return max(below) if below else known.copy().pop() if len(known) == 1 else value


def _rows(weights: torch.Tensor, index: np.ndarray) -> torch.Tensor:
    """The rows of a matrix, or entries of a vector, in another order; zeros where there is none."""
    taken = weights[torch.from_numpy(np.maximum(index, 0))].clone()
    taken[torch.from_numpy(index == UNKNOWN)] = 0
    return taken


def _classes(state: dict[str, torch.Tensor], target: Game) -> dict[str, torch.Tensor]:
    """The target's classes of moves, with the weights of the source's if it has the same ones, otherwise zeros."""
    classes = move_classes(target)
    found = {f"class_{name}": torch.from_numpy(values) for name, values in classes._asdict().items()}
    known = len(state["classes.bias"])
    same = np.arange(classes.number) if classes.number == known else np.full(classes.number, UNKNOWN)
    return found | {name: _rows(state[name], same) for name in ("classes.weight", "classes.bias")}


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
    state |= _classes(state, target)
    seats = np.minimum(np.arange(target.players), source.players - 1)
    values = np.concatenate([seats, source.players + seats])
    for name in ("value.weight", "value.bias"):
        state[name] = _rows(state[name], values)
    return state
