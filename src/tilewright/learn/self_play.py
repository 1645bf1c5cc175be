"""Self-play: thousands of games in lockstep, one decision in every game at a time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

from tilewright.envs.observation import Observer
from tilewright.game.game import Game
from tilewright.kernels.cuda import cuda_module, row_on_device
from tilewright.learn.configuration import Configuration
from tilewright.learn.loops import loops_for
from tilewright.learn.losses import Batch
from tilewright.learn.network import InferenceNetwork, aligned
from tilewright.learn.openings import read_openings
from tilewright.learn.store import EDGES, MOST_LEGAL, TOTALS, Store


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


class SelfPlay:
    """The games, their trees and the replay buffer. Everything stays on its device."""

    def __init__(self, game: Game, configuration: Configuration, network: InferenceNetwork, device: str) -> None:
        self.game, self.configuration, self.device = game, configuration, device
        self.network = network
        self.loops = loops_for(game, device)
        self.half = torch.float16 if device == "cuda" else torch.float32
        self.tensors: dict[str, torch.Tensor] = self._allocate()
        self.store = self._share()

    def begin_games(self, seeds: np.random.SeedSequence) -> None:
        """New games, an empty replay buffer."""
        games = self.configuration.games
        state = torch.from_numpy(seeds.generate_state(2 * games, np.uint64).view(np.int64).copy())
        self.tensors["deal_generators"].copy_(state[:games])
        self.tensors["tree_generators"].copy_(state[games:])
        for name in ("written", "started", "finished", "totals"):
            self.tensors[name].zero_()
        self.loops.launch("start_game", self.store)

    def _allocate(self) -> dict[str, torch.Tensor]:
        game, settings = self.game, self.configuration
        games, nodes, values = settings.games, settings.simulations + 1, 2 * game.players
        inputs, slots = aligned(Observer(game).size), settings.buffer
        outputs = aligned(game.actions + values)
        edges = games * nodes * EDGES
        half, whole, short, byte = self.half, torch.float32, torch.int16, torch.int8
        shapes: dict[str, tuple[tuple[int, ...], torch.dtype]] = {
            "simulation": ((1,), torch.int32),
            "words": ((game.kernels.dtype.itemsize // 8, nodes * games), torch.int64),
            "observations": ((inputs, games), half),
            "legal": ((games, outputs), torch.bool),
            "outputs": ((games, outputs), half),
            "prior": ((edges,), whole),
            "value": ((edges,), whole),
            "visits": ((edges,), short),
            "child": ((edges,), short),
            "move": ((edges,), short),
            "node_edges": ((games * nodes,), short),
            "node_state": ((games * nodes,), byte),
            "node_mover": ((games * nodes,), byte),
            "node_visits": ((games * nodes,), torch.int32),
            "node_value": ((games * nodes,), whole),
            "node_values": ((games * nodes * values,), whole),
            "path": ((games * nodes,), torch.int32),
            "depth": ((games,), torch.int32),
            "leaf": ((games,), torch.int32),
            "chosen": ((games,), torch.int32),
            "nodes_used": ((games,), torch.int32),
            "listed_moves": ((games, MOST_LEGAL), short),
            "listed_scores": ((games, MOST_LEGAL), whole),
            "root_moves": ((games, MOST_LEGAL), short),
            "root_logits": ((games, MOST_LEGAL), whole),
            "root_count": ((games,), torch.int32),
            "root_scores": ((games * EDGES,), whole),
            "root_slots": ((games * EDGES,), short),
            "root_values": ((games * EDGES * values,), whole),
            "played": ((games,), torch.int32),
            "buffer_observations": ((slots, games, inputs), half),
            "buffer_policy": ((slots, games, game.actions), half),
            "buffer_search": ((slots, games, values), whole),
            "buffer_target": ((slots, games, values), whole),
            "buffer_mover": ((slots, games), byte),
            "buffer_kind": ((slots, games), byte),
            "written": ((games,), torch.int32),
            "started": ((games,), torch.int32),
            "finished": ((games,), torch.int32),
            "returns": ((games, values), whole),
            "totals": ((games, TOTALS), whole),
            "deal_generators": ((games,), torch.int64),
            "tree_generators": ((games,), torch.int64),
        }
        tensors = {name: torch.zeros(shape, dtype=kind, device=self.device) for name, (shape, kind) in shapes.items()}
        tensors["settings"] = torch.tensor(
            [
                settings.exploration, settings.first_play_reduction, settings.root_scale, settings.target_visits,
                settings.target_scale, settings.td_lambda, settings.candidates, settings.diversion,
                settings.opening_share, settings.target_temperature,
            ],
            dtype=whole, device=self.device,
        )  # fmt: skip
        schedule = [halving_schedule(max(count, 1), settings.simulations) for count in range(EDGES + 1)]
        openings = read_openings(game, settings.openings)
        words = np.ascontiguousarray(openings.view(np.ndarray).view(np.int64).reshape(len(openings), -1).T)
        tensors["openings"] = torch.from_numpy(words).to(self.device)
        tensors["schedule"] = torch.tensor(schedule, dtype=short, device=self.device)
        return tensors

    def _share(self) -> Store:
        """The same memory, as the kernels see it."""
        shared: dict[str, Any] = {}
        kernels = self.game.kernels
        if self.device == "cpu":
            shared = {name: tensor.numpy() for name, tensor in self.tensors.items()}
            shared["scratch"] = kernels.new_table(self.configuration.games)
        else:
            shared = {name: cuda_module().as_cuda_array(tensor) for name, tensor in self.tensors.items()}
            shared["scratch"] = row_on_device(kernels, kernels.new_table(1))
        for name in ("words", "openings", "deal_generators", "tree_generators"):
            shared[name] = shared[name].view(np.uint64)
        return Store(**shared)

    def step(self) -> None:
        """A search and a move in every game."""
        launch, store, tensors = self.loops.launch, self.store, self.tensors
        tensors["legal"].zero_()
        launch("observe_root", store)
        self._evaluate()
        launch("expand_root", store)
        for _ in range(self.configuration.simulations):
            launch("descend", store)
            tensors["legal"].zero_()
            launch("expand", store)
            self._evaluate()
            launch("expand_and_back_up", store)
        launch("finish_search", store)
        launch("play", store)

    def _evaluate(self) -> None:
        self.network.evaluate(self.tensors["observations"], self.tensors["outputs"])

    def sample(self, size: int) -> Batch:
        """A random batch of samples whose games have ended."""
        tensors, slots = self.tensors, self.configuration.buffer
        games = torch.randint(0, self.configuration.games, (size,), device=self.device)
        finished, written = tensors["finished"][games], tensors["written"][games]
        available = torch.minimum(finished, slots - (written - finished)).clamp_(min=0)
        back = (torch.rand(size, device=self.device) * available).int()
        slot = ((finished - 1 - torch.minimum(back, available - 1)) % slots).long()
        return Batch(
            observations=tensors["buffer_observations"][slot, games],
            policy=tensors["buffer_policy"][slot, games],
            values=tensors["buffer_target"][slot, games],
            kind=tensors["buffer_kind"][slot, games],
            weight=(available > 0).float(),
        )
