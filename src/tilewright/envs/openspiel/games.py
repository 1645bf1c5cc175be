"""Rule sets as OpenSpiel games: their parameters, their type, and how they are registered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from tilewright.envs.openspiel.bounds import bounds_of, utilities
from tilewright.envs.openspiel.observers import PublicObserver
from tilewright.envs.openspiel.states import OpenSpielState
from tilewright.envs.rewards import reward_margin, reward_win
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.registry import GAMES, make_game
from tilewright.game.validation import echo

REWARDS = ("win", "margin")
"""The kinds of returns; both are paid at the end of the game."""


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no type hints
    """A rule set as an OpenSpiel game. ``pyspiel.load_game`` creates it, from the class that ``register`` passed."""

    name: ClassVar[str]

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        options = dict(parameters)
        self.reward: str = options.pop("reward", REWARDS[0])
        if self.reward not in REWARDS:
            raise BadOption(f"reward is one of {', '.join(REWARDS)}, not {echo(self.reward)}")
        self.rule_set = make_game(self.name, **options)
        self.kernels = self.rule_set.kernels
        self.kinds = len(self.rule_set.tiles.names)
        self.bounds = bounds_of(self.rule_set)
        self.pay = self.rule_set.kernels.compile(reward_win if self.reward == "win" else reward_margin)
        """The kernel that writes the returns."""
        self._start = self.rule_set.set_up().states.tobytes()
        super().__init__(_type_of(self.rule_set, self.reward), self._info(), dict(parameters))

    def _info(self) -> Any:
        least, greatest = utilities(self.rule_set, self.reward)
        return pyspiel.GameInfo(
            num_distinct_actions=self.rule_set.actions,
            max_chance_outcomes=self.bounds.kinds,
            num_players=self.rule_set.players,
            min_utility=least,
            max_utility=greatest,
            utility_sum=0.0 if _is_zero_sum(self.rule_set, self.reward) else None,
            max_game_length=self.bounds.decisions,
        )

    def max_chance_nodes_in_history(self) -> int:
        """An upper bound for the number of draws."""
        return self.bounds.draws

    def new_initial_state(self, position: Any = None) -> OpenSpielState:
        """The state before the first draw, or one from a position's text, ``state.to_dict()`` or ``to_struct()``."""
        if position is None:
            return OpenSpielState(self, self._start)
        if isinstance(position, pyspiel.StateStruct):
            position = position.to_dict()
        text: Any = position.get("position") if isinstance(position, Mapping) else position
        return OpenSpielState(self, self.rule_set.position(text).states.tobytes())

    def make_py_observer(self, kind: Any = None, parameters: Mapping[str, Any] | None = None) -> Any:
        """Observations of a player; with ``perfect_recall`` the history. No player has private information."""
        if isinstance(kind, Mapping):  # OpenSpiel sometimes passes the parameters first
            kind, parameters = None, kind
        if parameters:
            raise BadOption(f"observers take no parameters, not {echo(dict(parameters))}")
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return PublicObserver(self.rule_set)
        return IIGObserverForPublicInfoGame(kind, None)


def _is_zero_sum(rule_set: Game, reward: str) -> bool:
    return reward == "win" or rule_set.players == 2


def _type_of(rule_set: Game, reward: str) -> Any:
    """The type of a game. Its parameters and player counts cover all rule sets."""
    zero_sum, players = _is_zero_sum(rule_set, reward), rule_set.spec.players
    chance = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=short_name(rule_set.name),
        long_name=rule_set.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if rule_set.kernels.names["KINDS"] else chance.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(players),
        min_num_players=min(players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": players[0], **make_game(rule_set.name).options, "reward": REWARDS[0]},
    )


def short_name(name: str) -> str:
    """A game's name in OpenSpiel.

    >>> short_name("my-game")
    'tilewright_my_game'
    """
    return "tilewright_" + name.replace("-", "_")


def register() -> None:
    """Register every game with ``pyspiel.load_game``; calling it again has no effect.

    Each game gets a class of its own. OpenSpiel's registry outlives the Python interpreter and then releases what it
    holds: releasing a function would crash the process, a class is never freed.
    """
    known = set(pyspiel.registered_names())
    for game in GAMES.values():
        name = game.spec.name
        if short_name(name) not in known:
            members = {"name": name, "__doc__": f"{game.spec.title} as an OpenSpiel game."}
            game_class = type(f"OpenSpiel{game.spec.camel_case_name}", (OpenSpielGame,), members)
            globals()[game_class.__name__] = game_class  # pickle looks for it here
            pyspiel.register_game(_type_of(make_game(name), REWARDS[0]), game_class)
