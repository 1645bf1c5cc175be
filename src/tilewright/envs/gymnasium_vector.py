"""Gymnasium's vector environments: many games at once, in each of which bots play all seats but the agent's.

>>> import gymnasium, tilewright.envs
>>> name = next(name for name in gymnasium.registry if name.startswith("tilewright/"))
>>> envs = gymnasium.make_vec(name, num_envs=100)
>>> observations, infos = envs.reset(seed=7)
>>> observations in envs.observation_space, len(infos["action_mask"])
(True, 100)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.bots.bot import Bot
from tilewright.envs.gymnasium import OPTIONS, RANDOM, Observation, Opponent, check_seat, draw_seats, observation_space
from tilewright.envs.rendering import FRAMES_PER_SECOND, RENDER_MODES, check_render_mode, render
from tilewright.envs.single_game import make_variant
from tilewright.envs.stepping import NO_OP
from tilewright.envs.vector import Vector
from tilewright.game.dealer import check_seed
from tilewright.game.errors import TilewrightError, UnreadableMove
from tilewright.game.game import Game

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f'tilewright.envs.gymnasium_vector needs the package {error.name}: pip install "tilewright[rl]"',
        name=error.name,
    ) from error

_MOST = 1 << 63


class TilewrightVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many games, with one agent in each.

    A game that ends is reset within the same step (``AutoresetMode.SAME_STEP``): the observation is that of the new
    game; how the old one ended is in ``infos["final_obs"]`` and ``infos["final_info"]``. Against ``random`` no Python
    runs per game; other bots are asked game by game.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # Gymnasium's own declaration
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_PER_SECOND,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self, game: str, num_envs: int = 1, players: int | None = None, *, opponent: str | Bot = RANDOM,
        seat: int | str = RANDOM, reward: str = "win", illegal: str = "loss", canonical: bool = False,
        render_mode: str | None = None, threads: int | None = None, **variant: Any,
    ) -> None:  # fmt: skip
        self.game: Game = make_variant(game, players, variant, (*OPTIONS, "threads"))
        self.num_envs = num_envs
        self.opponent = Opponent(opponent)
        self._seat_option = check_seat(seat, self.game)
        self.render_mode = check_render_mode(render_mode)
        self._vector = Vector(
            self.game, num_envs, reward=reward, illegal=illegal, canonical=canonical, autoreset=False, threads=threads
        )
        self._every = np.arange(num_envs)
        self.seats: NDArray[np.int64] = np.zeros(num_envs, np.int64)
        """The agent's seat in each game."""
        self.single_action_space = spaces.Discrete(self.game.actions)
        self.single_observation_space = observation_space(self._vector.observer)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal in each game."""
        return self._vector.masks.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin new games and play each up to the agent's first turn."""
        super().reset(seed=None if seed is None else check_seed(seed))
        if seed is not None or not self.opponent.is_ready:
            self.opponent.prepare(int(self.np_random.integers(_MOST)))
        self._vector.reset(int(self.np_random.integers(_MOST)))
        self.seats[:] = draw_seats(self._seat_option, self.game, self.np_random, self.num_envs)
        self._let_others_play(np.zeros(self.num_envs, np.bool_))
        return self._vector.observations.copy(), self._infos()

    def step(
        self, actions: Any
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play the agent's moves, then those of the others up to its next turn; games that ended are reset."""
        if not self.opponent.is_ready:
            raise TilewrightError("call reset() before step(): no game has begun")
        self._vector.step(self._read(actions))
        rewards = self._own_rewards()
        ended = self._vector.dones.copy()
        rewards += self._let_others_play(ended)
        infos = self._final_infos(ended) if ended.any() else {}
        if ended.any():
            self._restart(ended)
        infos.update(self._infos())
        return self._vector.observations.copy(), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def _read(self, actions: Any) -> NDArray[np.int64]:
        """Check the actions; the kernels' ``NO_OP`` is not one of them."""
        moves: NDArray[np.int64] = np.asarray(actions)
        outside = np.flatnonzero((moves < 0) | (moves >= self.game.actions))
        if len(outside):
            game = int(outside[0])
            raise UnreadableMove(
                f"game {game}: actions are integers from 0 to {self.game.actions - 1}, not {moves[game]}"
            )
        return moves

    def _own_rewards(self) -> NDArray[np.float64]:
        """The agent's rewards for the last step of the vector."""
        return self._vector.rewards[self._every, self.seats].astype(np.float64)

    def _let_others_play(self, ended: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Play the bots' moves up to the agent's turn in every unfinished game; marks in ``ended`` those that end."""
        rewards = np.zeros(self.num_envs)
        while True:
            theirs = (self._vector.turns != self.seats) & ~ended
            if not theirs.any():
                return rewards
            self._vector.step(self._others_moves(theirs))
            rewards += self._own_rewards()
            ended |= self._vector.dones

    def _others_moves(self, theirs: NDArray[np.bool_]) -> NDArray[np.int64]:
        if self.opponent.is_random:
            return np.where(theirs, self._vector.random_moves(), NO_OP)
        moves = np.full(self.num_envs, NO_OP)
        for i in np.flatnonzero(theirs).tolist():
            moves[i] = self.opponent.ask(self._vector[i])
        return moves

    def _restart(self, ended: NDArray[np.bool_]) -> None:
        self._vector.restart(ended)
        self.seats[ended] = draw_seats(self._seat_option, self.game, self.np_random, int(ended.sum()))
        self._let_others_play(np.zeros(self.num_envs, np.bool_))

    # Infos ----------------------------------------------------------------------------------------------

    def _infos(self) -> dict[str, Any]:
        infos = {
            "action_mask": self._vector.masks.astype(np.int8),
            "scores": self._vector.scores.copy(),
            "seat": self.seats.copy(),
        }
        return {**infos, **{f"_{name}": np.ones(self.num_envs, np.bool_) for name in infos}}

    def _final_infos(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """How the finished games ended, in the structure that Gymnasium prescribes."""
        observations = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(ended).tolist():
            observations[i] = self._vector.observer.observe(self._vector.table, i, int(self.seats[i]))
        last = {"scores": self._vector.scores.copy(), "seat": self.seats.copy()}
        final = {**last, **{f"_{name}": ended.copy() for name in last}}
        return {"final_obs": observations, "_final_obs": ended.copy(), "final_info": final, "_final_info": ended.copy()}

    def render(self) -> tuple[Any, ...] | None:
        """Draw the positions as ``render_mode`` says."""
        if self.render_mode is None:
            modes = ", ".join(RENDER_MODES)
            gymnasium.logger.warn(f"render() does nothing without a render_mode: pass one of {modes} to make()")
            return None
        return tuple(render(self._vector[i], self.render_mode, self._names(i)) for i in range(self.num_envs))

    def _names(self, i: int) -> list[str]:
        return ["agent" if seat == self.seats[i] else self.opponent.name for seat in range(self.game.players)]

    def close_extras(self, **_: Any) -> None:
        """Close the opponent, which may be a separate program."""
        self.opponent.close()
