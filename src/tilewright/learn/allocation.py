"""The memory of self-play: one tensor for each field of ``Store``, allocated once on its device."""

from __future__ import annotations

import math

import numpy as np
import torch

from tilewright.envs.move_classes import move_classes
from tilewright.envs.observation import NetworkObserver
from tilewright.game.game import Game
from tilewright.learn.configuration import Configuration
from tilewright.learn.network import aligned
from tilewright.learn.openings import read_openings
from tilewright.learn.store import EDGES, MOST_LEGAL, TOTALS

Shapes = dict[str, tuple[tuple[int, ...], torch.dtype]]


def allocate(game: Game, settings: Configuration, half: torch.dtype, device: str) -> dict[str, torch.Tensor]:
    """The tensors of self-play, zeros where games, trees and samples will be; ``half`` is the type of a network."""
    shapes = _network_shapes(game, settings, half) | _tree_shapes(game, settings) | _root_shapes(game, settings)
    shapes |= _game_shapes(game, settings) | _buffer_shapes(game, settings, half)
    tensors = {name: torch.zeros(shape, dtype=kind, device=device) for name, (shape, kind) in shapes.items()}
    schedule = [halving_schedule(max(count, 1), settings.simulations) for count in range(EDGES + 1)]
    return (
        tensors
        | _classes(game, device)
        | {
            "openings": _openings(game, settings).to(device),
            "schedule": torch.tensor(schedule, dtype=torch.int16, device=device),
        }
    )


def _classes(game: Game, device: str) -> dict[str, torch.Tensor]:
    """The class of each move, as kernels read it."""
    kinds = {"scale": torch.float32}
    return {
        f"class_{name}": torch.from_numpy(values).to(kinds.get(name, torch.int16)).to(device)
        for name, values in move_classes(game)._asdict().items()
    }


def _network_shapes(game: Game, settings: Configuration, half: torch.dtype) -> Shapes:
    """What the network reads and writes, for the leaf of every game."""
    games, inputs = settings.games, aligned(NetworkObserver(game).size)
    outputs = aligned(game.actions + move_classes(game).number + 2 * game.players)
    return {
        "observations": ((inputs, games), half),
        "legal": ((games, outputs), torch.bool),
        "outputs": ((games, outputs), half),
    }


def _tree_shapes(game: Game, settings: Configuration) -> Shapes:
    """A tree for every game: edges, nodes, and the path to the present leaf."""
    games, nodes = settings.games, settings.games * (settings.simulations + 1)
    edges, values = nodes * EDGES, 2 * game.players
    whole, short, byte = torch.float32, torch.int16, torch.int8
    return {
        "words": ((game.kernels.dtype.itemsize // 8, nodes), torch.int64),
        "prior": ((edges,), whole),
        "value": ((edges,), whole),
        "visits": ((edges,), short),
        "child": ((edges,), short),
        "move": ((edges,), short),
        "node_edges": ((nodes,), short),
        "node_state": ((nodes,), byte),
        "node_mover": ((nodes,), byte),
        "node_visits": ((nodes,), torch.int32),
        "node_value": ((nodes,), whole),
        "node_values": ((nodes * values,), whole),
        "path": ((nodes,), torch.int32),
        "depth": ((games,), torch.int32),
        "leaf": ((games,), torch.int32),
        "chosen": ((games,), torch.int32),
        "nodes_used": ((games,), torch.int32),
        "listed_moves": ((games, MOST_LEGAL), short),
        "listed_scores": ((games, MOST_LEGAL), whole),
    }


def _root_shapes(game: Game, settings: Configuration) -> Shapes:
    """The legal moves of each root, and the candidates among them."""
    games, candidates = settings.games, settings.games * EDGES
    return {
        "root_moves": ((games, MOST_LEGAL), torch.int16),
        "root_logits": ((games, MOST_LEGAL), torch.float32),
        "root_count": ((games,), torch.int32),
        "root_scores": ((candidates,), torch.float32),
        "root_slots": ((candidates,), torch.int16),
        "root_values": ((candidates * 2 * game.players,), torch.float32),
    }


def _game_shapes(game: Game, settings: Configuration) -> Shapes:
    """The games themselves: the move that was played, what was reached, and the generators."""
    games = settings.games
    return {
        "simulation": ((1,), torch.int32),
        "played": ((games,), torch.int32),
        "returns": ((games, 2 * game.players), torch.float32),
        "totals": ((games, len(TOTALS.names or ())), torch.float32),
        "deal_generators": ((games,), torch.int64),
        "tree_generators": ((games,), torch.int64),
    }


def _buffer_shapes(game: Game, settings: Configuration, half: torch.dtype) -> Shapes:
    """The replay buffer, and how far each game has filled it."""
    games, slots, values = settings.games, settings.buffer, 2 * game.players
    return {
        "buffer_observations": ((slots, games, aligned(NetworkObserver(game).size)), half),
        "buffer_policy": ((slots, games, game.actions), half),
        "buffer_search": ((slots, games, values), torch.float32),
        "buffer_target": ((slots, games, values), torch.float32),
        "buffer_mover": ((slots, games), torch.int8),
        "buffer_kind": ((slots, games), torch.int8),
        "written": ((games,), torch.int32),
        "started": ((games,), torch.int32),
        "finished": ((games,), torch.int32),
    }


def _openings(game: Game, settings: Configuration) -> torch.Tensor:
    """The positions with which games begin, word by word."""
    openings = read_openings(game, settings.openings)
    words = np.ascontiguousarray(openings.view(np.ndarray).view(np.int64).reshape(len(openings), -1).T)
    return torch.from_numpy(words)


def halving_schedule(candidates: int, simulations: int) -> list[int]:
    """Sequential halving: for each simulation, the visits that the root move to try next must have.

    >>> halving_schedule(4, 12)
    [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    """
    wanted: list[int] = []
    visits, surviving = 0, candidates
    phases = max(1, math.ceil(math.log2(max(candidates, 2))))
    while len(wanted) < simulations:
        for _ in range(max(1, simulations // (phases * surviving))):
            wanted += [visits] * surviving
            visits += 1
        surviving = max(min(2, candidates), surviving // 2)
    return wanted[:simulations]
