"""The parts of a game that the search is compiled with, and the defaults for those that a game does not have."""

from __future__ import annotations

from types import ModuleType

from tilewright.game.game import Game
from tilewright.search import playout_evaluation, rollout_policy, uniform_priors


def search_parts(game: Game) -> tuple[ModuleType, ...]:
    """The modules that define the kernels of ``interface.py`` for a game; later ones take precedence."""
    return rollout_policy, evaluation_of(game), priors_of(game)


def evaluation_of(game: Game) -> ModuleType:
    """The game's evaluation, or the one by playouts."""
    return game.spec.part("evaluation") or playout_evaluation


def priors_of(game: Game) -> ModuleType:
    """The game's priors, or uniform ones."""
    return game.spec.part("priors") or uniform_priors


def has_evaluation(game: Game) -> bool:
    """Whether the game brings its own evaluation."""
    return game.spec.part("evaluation") is not None


def has_priors(game: Game) -> bool:
    """Whether the game brings its own priors."""
    return game.spec.part("priors") is not None


def use_deal_rollouts(game: Game) -> bool:
    """Whether long searches of a rule set use rollouts through the next deal."""
    decide = getattr(priors_of(game), "use_deal_rollouts", None)
    return decide is not None and bool(decide(game))
