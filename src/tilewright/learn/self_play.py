"""Self-play: thousands of games in lockstep, one decision in every game at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from tilewright.game.game import Game
from tilewright.kernels.cuda import cuda_module, records_on_device, row_on_device
from tilewright.learn.allocation import allocate
from tilewright.learn.configuration import Configuration
from tilewright.learn.loops import loops_for
from tilewright.learn.losses import Batch
from tilewright.learn.network import InferenceNetwork
from tilewright.learn.store import TOTALS, Store, settings_of


class SelfPlay:
    """The games, their trees and the replay buffer. Everything stays on its device."""

    def __init__(self, game: Game, configuration: Configuration, network: InferenceNetwork, device: str) -> None:
        self.game, self.configuration, self.device = game, configuration, device
        self.network = network
        self.loops = loops_for(game, device)
        self.half = torch.float16 if device == "cuda" else torch.float32
        self.tensors = allocate(game, configuration, self.half, device)
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

    def _share(self) -> Store:
        """The same memory, as the kernels see it."""
        shared: dict[str, Any] = {}
        kernels, settings = self.game.kernels, settings_of(self.configuration)
        if self.device == "cpu":
            shared = {name: tensor.numpy() for name, tensor in self.tensors.items()}
            shared |= {"settings": settings, "scratch": kernels.new_states(self.configuration.games)}
        else:
            shared = {name: cuda_module().as_cuda_array(tensor) for name, tensor in self.tensors.items()}
            shared["settings"] = records_on_device(settings)
            shared["scratch"] = row_on_device(kernels, kernels.new_states(1))
        for name in ("words", "openings", "deal_generators", "tree_generators"):
            shared[name] = shared[name].view(np.uint64)
        shared["totals"] = shared["totals"].view(TOTALS).reshape(self.configuration.games)
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
