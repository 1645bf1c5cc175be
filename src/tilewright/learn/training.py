"""Self-play and learning by turns."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional

from tilewright.game.game import Game
from tilewright.learn.configuration import Configuration
from tilewright.learn.network import InferenceNetwork, Network
from tilewright.learn.self_play import SelfPlay
from tilewright.learn.store import (
    AFTERSTATE_SAMPLE,
    DECISION_SAMPLE,
    DECISIONS_MADE,
    GAMES_PLAYED,
    POINTS_SCORED,
    ROUNDS_PLAYED,
)

LOSSES = ("policy", "surprise", "win", "margin")
LARGEST_GRADIENT = 2.0
_ENOUGH = 0.3
"""The share of games that must have ended once before learning begins."""


class Trainer:
    """A network, the games it plays against itself and the optimiser that learns from them.

    An averaged copy of the weights plays. On a GPU a decision in all games is one CUDA graph, and so is a step of
    the optimiser: the host does nothing but start them.
    """

    def __init__(self, game: Game, configuration: Configuration, device: str = "cpu") -> None:
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
        """Decisions that every game has made."""
        self.updates = 0
        self.seconds = 0.0
        self.self_play = SelfPlay(game, configuration, self.inference, device)
        self._play: Callable[[], None] = self._play_once
        self._update: Callable[[], None] = self._update_once

    # One step -------------------------------------------------------------------------------------------

    def _play_once(self) -> None:
        """The average moves a little, and plays one decision in every game."""
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
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
        self.optimiser.step()
        self.losses.copy_(parts)

    def loss(self) -> tuple[torch.Tensor, torch.Tensor]:
        """On a random batch: cross-entropy of moves and of the winner, squared error of margins."""
        settings, players = self.configuration, self.game.players
        observations, policy, target, kind, weight = self.self_play.sample(settings.batch)
        logits, wins, margins = self.network(observations[:, : self.network.inputs].float())
        decides = weight * (kind == DECISION_SAMPLE)
        legal, chances = policy >= 0, policy.clamp(min=0).float()
        log_chances = functional.log_softmax(logits.masked_fill(~legal, -1e9), dim=1)
        crosses = -(chances * log_chances.clamp(min=-50)).sum(1)
        policy_loss = (crosses * decides).sum() / decides.sum().clamp(min=1)
        values = weight * (1 + (settings.afterstate_weight - 1) * (kind == AFTERSTATE_SAMPLE))
        total = values.sum().clamp(min=1)
        win_loss = -(target[:, :players] * functional.log_softmax(wins, dim=1)).sum(1)
        win_loss = (win_loss * values).sum() / total
        margin_loss = ((margins - target[:, players:]) ** 2).mean(1)
        margin_loss = (margin_loss * values).sum() / total
        loss = policy_loss + settings.win_loss_weight * win_loss + settings.margin_loss_weight * margin_loss
        entropy = -(chances * chances.clamp(min=1e-9).log()).sum(1)
        entropy = (entropy * decides).sum() / decides.sum().clamp(min=1)
        parts = torch.stack([policy_loss, policy_loss - entropy, win_loss, margin_loss]).detach()
        return loss, parts

    # CUDA graphs ----------------------------------------------------------------------------------------

    def capture(self) -> None:
        """Record a decision and an update as CUDA graphs."""
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

    # The whole ------------------------------------------------------------------------------------------

    def run(
        self,
        seconds: float | None = None,
        steps: int | None = None,
        log: Callable[[dict[str, Any]], None] | None = None,
        every: float = 10.0,
        captured: bool = True,
    ) -> None:
        """Train for some time, or for some decisions of every game; the learning rate falls along the way."""
        if self.device == "cuda" and captured and self._play == self._play_once:
            self.capture()
        began = told = time.perf_counter()
        first_step, ready = self.steps, False
        while True:
            now = time.perf_counter()
            part = (now - began) / seconds if seconds else 0.0
            part = max(part, (self.steps - first_step) / steps if steps else 0.0)
            if part >= 1:
                break
            if not ready and self.steps % 8 == 0:
                ready = bool((self.self_play.tensors["finished"] > 0).float().mean() >= _ENOUGH)
            self._play()
            self.steps += 1
            if ready:
                self._set_learning_rate(part)
                for _ in range(self.configuration.updates):
                    self._update()
                    self.updates += 1
            if self.device == "cuda":
                torch.cuda.synchronize()
            if log is not None and now - told >= every:
                log(self.report(now - told))
                told = now
        self.seconds += time.perf_counter() - began
        if log is not None:
            log(self.report(time.perf_counter() - told))

    def _set_learning_rate(self, part: float) -> None:
        settings = self.configuration
        self.learning_rate.fill_(max(settings.learning_rate * (1 - part), settings.last_learning_rate))

    def report(self, seconds: float) -> dict[str, Any]:
        """How it goes, since the report before this one."""
        tensor = self.self_play.tensors["totals"]
        totals = tensor.double().sum(0).tolist()
        tensor.zero_()
        games = max(totals[GAMES_PLAYED], 1)
        decisions = totals[DECISIONS_MADE]
        line: dict[str, Any] = {
            "steps": self.steps,
            "updates": self.updates,
            "games": int(totals[GAMES_PLAYED]),
            "simulations a second": round(decisions * self.configuration.simulations / max(seconds, 1e-9)),
            "points": round(totals[POINTS_SCORED] / games / self.game.players, 2),
            "rounds": round(totals[ROUNDS_PLAYED] / games, 2),
            "decisions a game": round(decisions / games, 1),
        }
        return line | {name: round(value, 4) for name, value in zip(LOSSES, self.losses.tolist(), strict=True)}


def as_json_line(line: dict[str, Any]) -> str:
    """A report as one line of a log."""
    return json.dumps(line)
