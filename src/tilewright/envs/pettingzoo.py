"""PettingZoo: every seat is an agent, one moves after the other (AEC).

>>> import pettingzoo, tilewright.envs
>>> env = pettingzoo.make("aec", "tilewright/azul-v0", players=3)
>>> env.reset(seed=7)
>>> observation, reward, terminated, truncated, info = env.last()
>>> env.agent_selection, int(observation["action_mask"].sum())
('player_0', 126)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.rendering import FRAMES_A_SECOND, RENDER_MODES, check_render_mode, render
from tilewright.envs.table import Table, make_variant
from tilewright.game.dealer import check_seed
from tilewright.game.errors import IllegalMove, TilewrightError
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.game.registry import GAMES

try:
    import gymnasium
    import pettingzoo
    from gymnasium import spaces
    from gymnasium.utils import seeding
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f'tilewright.envs.pettingzoo needs the package {error.name}: pip install "tilewright[rl]"', name=error.name
    ) from error

Observation = dict[str, NDArray[Any]]
OPTIONS = ("reward", "illegal", "canonical", "render_mode")
_AFTER_RESET = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards")


class TilewrightAEC(pettingzoo.AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # it has no types
    """A game of the Azul family for PettingZoo. Agents are ``player_0``, ``player_1`` and so on, by seat.

    An observation is a dictionary: ``observation``, the numbers described for each game in docs/pettingzoo.md, from
    the point of view of the agent; and ``action_mask``, 1 for each legal action, all 0 for who is not to move.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # PettingZoo's own declaration
        "name": "tilewright",
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_A_SECOND,
        "is_parallelizable": False,
    }

    def __init__(
        self, game: str = "azul", players: int = 2, *, reward: str = "win", illegal: str = "error",
        canonical: bool = False, render_mode: str | None = None, **variant: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        self.game: Game = make_variant(game, players, variant, OPTIONS)
        self._table = Table(self.game, reward, illegal, canonical)
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {**self.metadata, "name": f"{game.replace('-', '_')}_v{GAMES[game].spec.version}"}
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: spaces.Discrete(self.game.actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._new_observation_space() for agent in self.possible_agents}
        self._generator: np.random.Generator | None = None

    def _new_observation_space(self) -> spaces.Dict:
        high = self._table.observer.high
        seen = spaces.Box(np.zeros_like(high), high, dtype=np.float32)
        return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (self.game.actions,), np.int8)})

    def observation_space(self, agent: str) -> Any:
        """What an agent's observations look like."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of the moves; the same for every agent."""
        return self.action_spaces[agent]

    @property
    def position(self) -> Position:
        """A copy of the game as a position, to be looked at or searched."""
        return self._table.position

    # Playing --------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. With a seed its tiles are those of ``game.start(seed)``; without, the sequence goes on."""
        if seed is not None or self._generator is None:
            self._generator, _ = seeding.np_random(None if seed is None else check_seed(seed))
        self._table.set_out(int(self._generator.integers(1 << 63)) if seed is None else seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection: str | None = None
        self._note_infos("")
        self.agent_selection = self.possible_agents[self._table.turn]
        self._show()

    def step(self, action: int | None) -> None:
        """The agent whose turn it is plays a move; an agent whose game is over leaves with None."""
        self._demand_reset("step")
        agent = self.agent_selection
        if not self.agents:
            raise TilewrightError("the game is over and every agent has left: call reset()")
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(agent, action)
            return
        rewards = self._table.step(action)
        self._cumulative_rewards[agent] = 0.0
        for other, reward in zip(self.possible_agents, rewards, strict=True):
            self.rewards[other] = reward
            self._cumulative_rewards[other] += reward
        self._note_infos(self._table.last_move)
        if self._table.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self._table.turn]
        self._show()

    def _leave(self, agent: str, action: int | None) -> None:
        if action is not None:
            raise IllegalMove(f"the game is over: {agent} can only step(None), and when all have, reset()")
        self._was_dead_step(action)

    def _note_infos(self, move: str) -> None:
        """For every agent: the scores, and the text of the last move."""
        self.infos = {agent: {"scores": self._table.scores, "move": move} for agent in self.agents}

    def observe(self, agent: str) -> Observation:
        """What an agent sees from its seat, and what it may do if it is its turn."""
        self._demand_reset("observe")
        seat, table = self._seats[agent], self._table
        mask = table.mask() if seat == table.turn else np.zeros(self.game.actions, np.bool_)
        return {"observation": table.observe(seat), "action_mask": mask.view(np.int8)}

    def _demand_reset(self, what: str) -> None:
        if self._generator is None:
            raise TilewrightError(f"{what}() comes after reset(): no game has begun")

    def __getattr__(self, name: str) -> Any:
        """Only asked for what is not there."""
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} is not known before reset()")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    # Looking --------------------------------------------------------------------------------------------

    def render(self) -> Any:
        """The table, in the way of ``render_mode``."""
        if self.render_mode is None:
            modes = ", ".join(RENDER_MODES)
            gymnasium.logger.warn(f"render() shows nothing: the environment was made without a render_mode ({modes})")
            return None
        self._demand_reset("render")
        return render(self._table.position, self.render_mode, self.possible_agents)

    def _show(self) -> None:
        """For people the table is shown after every move."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """There is nothing to close."""


def env(game: str = "azul", **options: Any) -> TilewrightAEC:
    """An environment, as PettingZoo's modules call it; it needs no wrappers, every misuse is an error by itself."""
    return TilewrightAEC(game, **options)


raw_env = env


def register() -> None:
    """Make ``pettingzoo.make("aec", "tilewright/azul-v0")`` known, and the others."""
    for game, rule_set in GAMES.items():
        version = rule_set.spec.version
        name = f"tilewright/{game}-v{version}"
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, f"{__name__}:TilewrightAEC", kwargs={"game": game})
