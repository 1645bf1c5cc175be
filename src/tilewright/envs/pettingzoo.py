"""PettingZoo: every seat is an agent, and they take turns (AEC). The ids are ``tilewright/<game>-v<version>``.

>>> import pettingzoo, tilewright.envs
>>> name = next(name for name in pettingzoo.aec_registry if name.startswith("tilewright/"))
>>> env = pettingzoo.make("aec", name)
>>> env.reset(seed=7)
>>> observation, reward, terminated, truncated, info = env.last()
>>> env.agent_selection, bool(observation["action_mask"].any())
('player_0', True)
"""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.rendering import FRAMES_PER_SECOND, RENDER_MODES, check_render_mode, render
from tilewright.envs.single_game import SingleGame, make_variant
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
NO_MOVE = -1
"""In place of the last move, before the first."""
_AFTER_RESET = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards")


class TilewrightAEC(pettingzoo.AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # it has no types
    """A game for PettingZoo. The agents are ``player_0``, ``player_1`` and so on, by seat.

    An observation is a dictionary: ``observation`` has the numbers described in docs/environments.md, from the agent's
    point of view; ``action_mask`` has a 1 for each legal action, and is all 0 unless it is the agent's turn.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # PettingZoo's own declaration
        "name": "tilewright",
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_PER_SECOND,
        "is_parallelizable": False,
    }

    def __init__(
        self, game: str, players: int | None = None, *, reward: str = "win", illegal: str = "error",
        canonical: bool = False, render_mode: str | None = None, **variant: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        self.game: Game = make_variant(game, players, variant, OPTIONS)
        self._game = SingleGame(self.game, reward, illegal, canonical)
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {**self.metadata, "name": f"{game.replace('-', '_')}_v{self.game.spec.version}"}
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: spaces.Discrete(self.game.actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._new_observation_space() for agent in self.possible_agents}
        self._generator: np.random.Generator | None = None

    def _new_observation_space(self) -> spaces.Dict:
        observer = self._game.observer
        numbers = spaces.Box(observer.low, observer.high, dtype=np.float32)
        return spaces.Dict({"observation": numbers, "action_mask": spaces.Box(0, 1, (self.game.actions,), np.int8)})

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of the moves, the same for every agent."""
        return self.action_spaces[agent]

    @property
    def position(self) -> Position:
        """A copy of the game as a position."""
        return self._game.position

    # Playing --------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game: that of ``game.start(seed)``, or without a seed the next of the random sequence."""
        if seed is not None or self._generator is None:
            self._generator, _ = seeding.np_random(None if seed is None else check_seed(seed))
        self._game.reset(int(self._generator.integers(1 << 63)) if seed is None else seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection: str | None = None
        self._note_infos(NO_MOVE)
        self.agent_selection = self.possible_agents[self._game.turn]
        self._show()

    def step(self, action: SupportsIndex | None) -> None:
        """Play a move for the agent whose turn it is; after the end each agent steps once with None."""
        self._demand_reset("step")
        agent = self.agent_selection
        if not self.agents:
            raise TilewrightError("the game is over and every agent has left: call reset()")
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(agent, action)
            return
        rewards = self._game.step(action)
        self._cumulative_rewards[agent] = 0.0
        for other, reward in zip(self.possible_agents, rewards, strict=True):
            self.rewards[other] = reward
            self._cumulative_rewards[other] += reward
        self._note_infos(self._game.last_move.number)
        if self._game.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self._game.turn]
        self._show()

    def _leave(self, agent: str, action: SupportsIndex | None) -> None:
        if action is not None:
            raise IllegalMove(f"the game is over: {agent} can only step(None), and when all have, reset()")
        self._was_dead_step(action)

    def _note_infos(self, move: int) -> None:
        """For every agent: the scores and the number of the last move. No text: libraries make tensors of infos."""
        self.infos = {agent: {"scores": self._game.scores, "move": move} for agent in self.agents}

    def observe(self, agent: str) -> Observation:
        """The observation of an agent, and its legal actions if it is its turn."""
        self._demand_reset("observe")
        seat, game = self._seats[agent], self._game
        mask = game.mask() if seat == game.turn else np.zeros(self.game.actions, np.bool_)
        return {"observation": game.observe(seat), "action_mask": mask.view(np.int8)}

    def _demand_reset(self, what: str) -> None:
        if self._generator is None:
            raise TilewrightError(f"call reset() before {what}(): no game has begun")

    def __getattr__(self, name: str) -> Any:
        """Called only for attributes that do not exist."""
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} does not exist before reset()")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    # Rendering ------------------------------------------------------------------------------------------

    def render(self) -> Any:
        """Draw the position as ``render_mode`` says."""
        if self.render_mode is None:
            modes = ", ".join(RENDER_MODES)
            gymnasium.logger.warn(f"render() does nothing without a render_mode: pass one of {modes} to make()")
            return None
        self._demand_reset("render")
        return render(self._game.position, self.render_mode, self.possible_agents)

    def _show(self) -> None:
        """In the mode ``human``, render after every move."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """There is nothing to close."""


def env(game: str, **options: Any) -> TilewrightAEC:
    """An environment, under PettingZoo's usual name. It needs no wrappers: misuse raises an error already."""
    return TilewrightAEC(game, **options)


raw_env = env


def register() -> None:
    """Register every game with ``pettingzoo.make``."""
    for game in GAMES.values():
        name = f"tilewright/{game.spec.name}-v{game.spec.version}"
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, f"{__name__}:TilewrightAEC", kwargs={"game": game.spec.name})
