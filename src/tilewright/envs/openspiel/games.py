"""The rule sets as OpenSpiel's games: parameters, what kind of game it is, and how to register it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from tilewright.envs.openspiel.limits import limits_of, utilities
from tilewright.envs.openspiel.observers import TableObserver
from tilewright.envs.openspiel.states import OpenSpielState
from tilewright.envs.rewards import reward_margin, reward_win
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.registry import GAMES, make_game
from tilewright.game.validation import echo

REWARDS = ("win", "margin")
"""What a game is played for; both are paid at its end."""


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel tells no types
    """A rule set as OpenSpiel knows it. Made by ``pyspiel.load_game``, from the class that ``register`` gave it."""

    name: ClassVar[str]

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        options = dict(parameters)
        self.reward: str = options.pop("reward", REWARDS[0])
        if self.reward not in REWARDS:
            raise BadOption(f"a game is played for one of {', '.join(REWARDS)}, not {echo(self.reward)}")
        self.rule_set = make_game(self.name, **options)
        self.limits = limits_of(self.rule_set)
        self.pay = self.rule_set.kernels.compile(reward_win if self.reward == "win" else reward_margin)
        """Writes what each seat gets at the end; OpenSpiel wants it in double precision."""
        self._start = self.rule_set.set_up().table.tobytes()
        super().__init__(_type_of(self.rule_set, self.reward), self._info(), dict(parameters))

    def _info(self) -> Any:
        least, greatest = utilities(self.rule_set, self.reward)
        return pyspiel.GameInfo(
            num_distinct_actions=self.rule_set.actions,
            max_chance_outcomes=self.limits.kinds,
            num_players=self.rule_set.players,
            min_utility=least,
            max_utility=greatest,
            utility_sum=0.0 if _is_zero_sum(self.rule_set, self.reward) else None,
            max_game_length=self.limits.decisions,
        )

    def max_chance_nodes_in_history(self) -> int:
        """No game draws more tiles than this."""
        return self.limits.draws

    def new_initial_state(self, position: Any = None) -> OpenSpielState:
        """The table before the first tile is drawn, or a position: its text, ``state.to_dict()`` or ``to_struct()``."""
        if position is None:
            return OpenSpielState(self, self._start)
        if isinstance(position, pyspiel.StateStruct):
            position = position.to_dict()
        text: Any = position.get("position") if isinstance(position, Mapping) else position
        return OpenSpielState(self, self.rule_set.position(text).table.tobytes())

    def make_py_observer(self, kind: Any = None, parameters: Mapping[str, Any] | None = None) -> Any:
        """What a player sees; with ``perfect_recall`` the events so far. No player has private information."""
        if isinstance(kind, Mapping):  # OpenSpiel passes parameters alone in first place
            kind, parameters = None, kind
        if parameters:
            raise BadOption(f"an observation has no parameters, not {echo(dict(parameters))}")
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return TableObserver(self.rule_set)
        return IIGObserverForPublicInfoGame(kind, None)


def _is_zero_sum(rule_set: Game, reward: str) -> bool:
    return reward == "win" or rule_set.players == 2


def _type_of(rule_set: Game, reward: str) -> Any:
    """What kind of game a rule set is; the parameters told are those of all its rule sets."""
    zero_sum = _is_zero_sum(rule_set, reward)
    return pyspiel.GameType(
        short_name=short_name(rule_set.name),
        long_name=rule_set.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": 2, **make_game(rule_set.name).options, "reward": REWARDS[0]},
    )


def short_name(name: str) -> str:
    """A game's name in OpenSpiel.

    >>> short_name("summer-pavilion")
    'tilewright_summer_pavilion'
    """
    return "tilewright_" + name.replace("-", "_")


def register() -> None:
    """Make the games known to ``pyspiel.load_game``; to do so again changes nothing.

    Each game gets a class of its own, because OpenSpiel's registry outlives the interpreter and lets go of what it
    holds when Python is no more: a class is not freed then, a function would be, and the process would crash.
    """
    known = set(pyspiel.registered_names())
    for name, kind in GAMES.items():
        if short_name(name) not in known:
            told = {"name": name, "__doc__": f"{kind.spec.title} as OpenSpiel knows it."}
            game_class = type(f"OpenSpiel{kind.__name__}", (OpenSpielGame,), told)
            globals()[game_class.__name__] = game_class  # so that pickle finds it
            pyspiel.register_game(_type_of(make_game(name), REWARDS[0]), game_class)
