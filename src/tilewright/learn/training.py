"""Training: self-play and optimiser updates in alternation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from tilewright.game.game import Game
from tilewright.learn.configuration import Configuration
from tilewright.learn.losses import policy_losses, value_losses
from tilewright.learn.network import InferenceNetwork, Network
from tilewright.learn.processes import Processes
from tilewright.learn.self_play import SelfPlay
from tilewright.learn.store import TOTALS

LOSSES = ("policy_loss", "policy_divergence", "win_loss", "margin_loss")
"""Cross-entropy with the policy target, that without the entropy of the target (the Kullback-Leibler divergence),
cross-entropy with the winner, squared error of the margin."""
LARGEST_GRADIENT = 2.0
_ENOUGH = 0.3
"""The share of games that must have ended once before learning begins."""
_STEPS_BETWEEN_LOOKS = 8
"""Until then it is checked this often."""


class Trainer:
    """A network, the games that it plays against itself and the optimiser that learns from them.

    An exponential moving average of the weights plays. On a GPU a step, one decision in all games, is one CUDA graph,
    and so is an update: the host only launches them.
    """

    def __init__(self, game: Game, configuration: Configuration, device: str = "cpu") -> None:
        self.processes = Processes(device)
        torch.manual_seed(configuration.seed)
        torch.set_float32_matmul_precision("high")
        self.game, self.configuration, self.device = game, configuration, device
        self.network = Network.for_game(game, configuration).to(device)
        self.average = Network.for_game(game, configuration).to(device).requires_grad_(False)
        self.average.load_state_dict(self.network.state_dict())
        half = torch.float16 if device == "cuda" else torch.float32
        self.inference = InferenceNetwork(self.network, half, device)
        self.inference.refresh(self.average)
        self.learning_rate = torch.tensor(configuration.learning_rate, device=device)
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(),
            lr=self.learning_rate,
            weight_decay=configuration.weight_decay,
            capturable=device == "cuda",
            foreach=device == "cuda",
        )
        self.losses = torch.zeros(len(LOSSES), device=device)
        self.steps = 0
        """Decisions that have been made in every game."""
        self.updates = self._updates_before = 0
        self.seconds = 0.0
        """Training time, earlier sessions included."""
        self.origin: dict[str, Any] = {}
        """Of the weights that training began with: their rule set, training time and own origin; empty if random."""
        self.self_play = SelfPlay(game, configuration, self.inference, device)
        self.begin_games()
        self._play: Callable[[], None] = self._play_once
        self._update: Callable[[], None] = self._update_once

    def begin_games(self) -> None:
        """New games, from seeds that no other process and no other session of the run uses."""
        seeds = np.random.SeedSequence([self.configuration.seed, self.processes.rank, self.steps])
        torch.manual_seed(int(seeds.generate_state(1)[0]))
        self.self_play.begin_games(seeds)

    def take_weights(self, state: dict[str, torch.Tensor]) -> None:
        """Give the network and its average these weights; the optimiser keeps its state."""
        self.network.load_state_dict(state)
        self.average.load_state_dict(state)
        self.inference.refresh(self.average)

    # One step -------------------------------------------------------------------------------------------

    def _play_once(self) -> None:
        """Update the average; it makes one decision in every game."""
        with torch.no_grad():
            torch._foreach_lerp_(
                list(self.average.parameters()), list(self.network.parameters()), self.configuration.averaging
            )
        self.inference.refresh(self.average)
        self.self_play.step()

    def _update_once(self) -> None:
        """One step of the optimiser."""
        self.optimiser.zero_grad()
        loss, parts = self.loss()
        loss.backward()  # type: ignore[no-untyped-call]
        self.processes.average_gradients(self.network.parameters())
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
        self.optimiser.step()
        self.losses.copy_(parts)

    def loss(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The weighted sum of the losses on a random batch, and the losses by themselves."""
        settings = self.configuration
        batch = self.self_play.sample(settings.batch)
        logits, wins, margins = self.network(batch.observations[:, : self.network.inputs].float())
        policy_loss, divergence = policy_losses(logits, batch)
        win_loss, margin_loss = value_losses(wins, margins, batch, settings.afterstate_weight)
        loss = policy_loss + settings.win_loss_weight * win_loss + settings.margin_loss_weight * margin_loss
        return loss, torch.stack([policy_loss, divergence, win_loss, margin_loss]).detach()

    # CUDA graphs ----------------------------------------------------------------------------------------

    def capture(self) -> None:
        """Record a step and an update as CUDA graphs."""
        self._play_once()  # compiles
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.loss()[0].backward()  # type: ignore[no-untyped-call]
                self.optimiser.zero_grad()
            self.learning_rate.zero_()
            self._update_once()  # makes the optimiser's state; with a rate of 0 it changes nothing
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()
        playing, updating = torch.cuda.CUDAGraph(), torch.cuda.CUDAGraph()
        with torch.cuda.graph(playing, capture_error_mode="relaxed"):
            self._play_once()
        self.optimiser.zero_grad()
        with torch.cuda.graph(updating, capture_error_mode="relaxed"):
            self._update_once()
        self._play, self._update = playing.replay, updating.replay
        torch.cuda.synchronize()

    # A run ----------------------------------------------------------------------------------------------

    def run(
        self,
        seconds: float | None = None,
        steps: int | None = None,
        report: Callable[[dict[str, Any]], None] | None = None,
        every: float = 10.0,
        progress: Callable[[float], None] | None = None,
        deadline: float | None = None,
    ) -> None:
        """Train until the run has lasted this many seconds or made this many steps, earlier sessions included.

        ``report`` is called at regular intervals and at the end, in the first process; the time that it takes does
        not count as training. ``progress`` is called after each step with the share of the run that is done. At
        the ``deadline``, a time of ``time.monotonic``, training stops even if the run is not complete.
        """
        if self._done(seconds, steps) < 1:
            self._compile()
        stopwatch = Stopwatch(self.seconds)
        self._updates_before = self.updates
        ready = False
        while True:
            self.seconds = stopwatch.seconds
            late = deadline is not None and time.monotonic() >= deadline
            done, due, stop = self.processes.from_first(
                self._done(seconds, steps), stopwatch.since_report >= every, late
            )
            if done >= 1 or stop:
                break
            ready = ready or (self.steps % _STEPS_BETWEEN_LOOKS == 0 and self._can_learn())
            self._step(done, ready)
            if progress is not None:
                progress(done)
            if due:
                self._report(report, stopwatch)
        self._report(report, stopwatch)

    def _compile(self) -> None:
        """The first step compiles, so it is made before the time begins to count."""
        if self.device != "cuda":
            self._step(0, ready=False)
        elif self._play == self._play_once:
            self.capture()

    def _done(self, seconds: float | None, steps: int | None) -> float:
        """The share of the run that is done."""
        by_time = self.seconds / seconds if seconds else 0.0
        by_steps = self.steps / steps if steps else 0.0
        return max(by_time, by_steps)

    def _can_learn(self) -> bool:
        """Whether enough games have ended to learn from, in all processes."""
        finished = (self.self_play.tensors["finished"] > 0).double().mean()
        return float(self.processes.total(finished)) / self.processes.count >= _ENOUGH

    def _step(self, done: float, ready: bool) -> None:
        self._play()
        self.steps += 1
        if ready:
            self.learning_rate.fill_(self.learning_rate_at(done))
            for _ in range(self.configuration.updates):
                self._update()
            self.updates += self.configuration.updates
        if self.device == "cuda":
            torch.cuda.synchronize()

    def learning_rate_at(self, done: float) -> float:
        """The rate falls linearly over the run, after a warm-up of the first updates."""
        settings = self.configuration
        rate = max(settings.learning_rate * (1 - done), settings.last_learning_rate)
        return rate * min(1.0, (self.updates + 1) / settings.warm_up)

    def _report(self, report: Callable[[dict[str, Any]], None] | None, stopwatch: Stopwatch) -> None:
        seconds = stopwatch.since_report
        with stopwatch.paused():
            line = self.summary(seconds)
            if report is not None and self.processes.is_first:
                report(line)

    def summary(self, seconds: float) -> dict[str, Any]:
        """What happened in the seconds since the last report, over all processes."""
        tensor = self.self_play.tensors["totals"]
        totals = dict(zip(TOTALS.names or (), self.processes.total(tensor.double().sum(0)).tolist(), strict=True))
        tensor.zero_()
        games = max(totals["games"], 1)
        decisions = totals["decisions"]
        line: dict[str, Any] = {
            "seconds": round(self.seconds, 1),
            "steps": self.steps,
            "updates": self.updates,
            "learning_rate": float(f"{float(self.learning_rate):.3g}"),
            "games": int(totals["games"]),
            "simulations_per_second": round(decisions * self.configuration.simulations / max(seconds, 1e-9)),
            "points": round(totals["points"] / games / self.game.players, 2),
            "rounds": round(totals["rounds"] / games, 2),
            "decisions_per_game": round(decisions / games, 1),
        }
        if self.updates == self._updates_before:  # no batch was sampled, so there are no losses
            return line
        return line | {name: round(value, 4) for name, value in zip(LOSSES, self.losses.tolist(), strict=True)}


class Stopwatch:
    """The training time of a run, earlier sessions included; it stands still during reports."""

    def __init__(self, seconds: float) -> None:
        self._reported = time.perf_counter()
        self._started = self._reported - seconds

    @property
    def seconds(self) -> float:
        """Training time so far."""
        return time.perf_counter() - self._started

    @property
    def since_report(self) -> float:
        """Seconds since the last report."""
        return time.perf_counter() - self._reported

    @contextmanager
    def paused(self) -> Iterator[None]:
        """While a report is written."""
        began = time.perf_counter()
        yield
        self._reported = time.perf_counter()
        self._started += self._reported - began
