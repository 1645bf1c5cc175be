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

from tilewright.envs.gymnasium import OPTIONS, Observation, check_seat, draw_seats, observation_space
from tilewright.envs.opponents import RANDOM, OpponentOption, Opponents
from tilewright.envs.rendering import FRAMES_PER_SECOND, RENDER_MODES, check_render_mode, render
from tilewright.envs.single_game import make_variant
from tilewright.envs.stepping import NO_OP
from tilewright.envs.vector import Vector
from tilewright.game.dealer import check_seed
from tilewright.game.errors import BadOption, TilewrightError, UnreadableMove
from tilewright.game.game import Game
from tilewright.game.validation import echo

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

    ``autoreset_mode`` is one of Gymnasium's ``AutoresetMode``. ``SAME_STEP``: a game that ends is reset within the same
    step; the observation is that of the new game; ``infos["final_obs"]`` and ``infos["final_info"]`` say how the old
    one ended. ``NEXT_STEP``: the next step resets it, whatever its action. ``DISABLED``: it waits for
    ``reset(options={"reset_mask": ...})``. Against ``random`` no Python runs per game; other bots are asked game by
    game.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # Gymnasium's own declaration
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_PER_SECOND,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self, game: str, num_envs: int = 1, players: int | None = None, *, opponent: OpponentOption = RANDOM,
        seat: int | str = RANDOM, reward: str = "win", illegal: str = "loss", canonical: bool = False,
        render_mode: str | None = None, autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        threads: int | None = None, **variant: Any,
    ) -> None:  # fmt: skip
        self.game: Game = make_variant(game, players, variant, (*OPTIONS, "autoreset_mode", "threads"))
        self.num_envs = num_envs
        self.opponents = Opponents(opponent)
        self.autoreset_mode = check_autoreset_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self._seat_option = check_seat(seat, self.game)
        self.render_mode = check_render_mode(render_mode)
        self._vector = Vector(
            self.game, num_envs, reward=reward, illegal=illegal, canonical=canonical, autoreset=False, threads=threads
        )
        self._every = np.arange(num_envs)
        self._no_moves = np.full(num_envs, NO_OP)
        self.seats: NDArray[np.int64] = np.zeros(num_envs, np.int64)
        """The agent's seat in each game."""
        self._lineup: NDArray[np.int64] = np.zeros((num_envs, self.game.players), np.int64)
        self._ended: NDArray[np.bool_] = np.zeros(num_envs, np.bool_)
        self.single_action_space = spaces.Discrete(self.game.actions)
        self.single_observation_space = observation_space(self._vector.observer)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal in each game; all of them where the next step will ignore the action."""
        return self._vector.masks | self._ended[:, None]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin new games, all or those of ``options["reset_mask"]``, and play each up to the agent's first turn."""
        which = self._reset_mask(options, seed)
        super().reset(seed=None if seed is None else check_seed(seed))
        if seed is not None or not self.opponents.is_ready:
            self.opponents.prepare(int(self.np_random.integers(_MOST)))
        if which.all():
            self._vector.reset(int(self.np_random.integers(_MOST)))
        else:
            self._vector.restart(which)
        self._seat_players(which)
        self._let_others_play()
        return self._observations(), self._infos()

    def _reset_mask(self, options: dict[str, Any] | None, seed: int | None) -> NDArray[np.bool_]:
        """Which games are to be reset."""
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        which: NDArray[np.bool_] = np.asarray(mask)
        if which.shape != (self.num_envs,) or which.dtype != np.bool_:
            raise BadOption(f"reset_mask takes {self.num_envs} booleans, one for each game, not {echo(mask)}")
        if seed is not None or not self.opponents.is_ready:
            raise BadOption("reset_mask restarts only some games: it takes no seed, and all games must have begun")
        return which

    def step(
        self, actions: Any
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play the agent's moves, then those of the others up to its next turn; games that ended are reset."""
        if not self.opponents.is_ready:
            raise TilewrightError("call reset() before step(): no game has begun")
        over = self._ended.copy()
        if over.any() and self.autoreset_mode is AutoresetMode.DISABLED:
            raise TilewrightError(f"game {over.argmax()} is over: call reset(options={{'reset_mask': ...}}) first")
        self._vector.step(np.where(over, NO_OP, self._read(actions)))
        self._ended |= self._vector.dones
        rewards = self._own_rewards()
        if over.any():
            self._begin(over)
        rewards += self._let_others_play()
        ended, infos = self._ended.copy(), dict[str, Any]()
        if ended.any() and self.autoreset_mode is AutoresetMode.SAME_STEP:
            infos = self._final_infos(ended)
            self._begin(ended)
            self._let_others_play()
        infos.update(self._infos())
        return self._observations(), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def _read(self, actions: Any) -> NDArray[np.int64]:
        """Check the actions; the kernels' ``NO_OP`` is not one of them."""
        moves: NDArray[np.int64] = np.asarray(actions)
        if moves.shape != (self.num_envs,):
            raise UnreadableMove(f"{self.num_envs} games take {self.num_envs} moves, not an array of {moves.shape}")
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

    def _let_others_play(self) -> NDArray[np.float64]:
        """Play the bots' moves up to the agent's turn; returns the agent's rewards for them."""
        rewards = np.zeros(self.num_envs)
        while True:
            theirs = (self._vector.turns != self.seats) & ~self._ended
            if not theirs.any():
                return rewards
            self._vector.step(self._others_moves(theirs))
            rewards += self._own_rewards()
            self._ended |= self._vector.dones

    def _others_moves(self, theirs: NDArray[np.bool_]) -> NDArray[np.int64]:
        playing = self._lineup[self._every, self._vector.turns]
        by_chance = theirs & self.opponents.is_random[playing]
        moves = np.where(by_chance, self._vector.random_moves(), NO_OP) if by_chance.any() else self._no_moves.copy()
        for i in np.flatnonzero(theirs & ~by_chance).tolist():
            moves[i] = self.opponents.ask(int(playing[i]), self._vector[i])
        return moves

    def _begin(self, which: NDArray[np.bool_]) -> None:
        """Begin new games in place of finished ones."""
        self._vector.restart(which)
        self._seat_players(which)

    def _seat_players(self, which: NDArray[np.bool_]) -> None:
        games = int(which.sum())
        self._ended[which] = False
        self.seats[which] = draw_seats(self._seat_option, self.game, self.np_random, games)
        self._lineup[which] = self.opponents.draw(self.np_random, (games, self.game.players))

    def _observations(self) -> Observation:
        """What the agent observes; in a finished game the last position, from its seat."""
        observations = self._vector.observations.copy()
        for i in np.flatnonzero(self._ended).tolist():
            self._vector.observer.write_unchecked(self._vector.states, i, int(self.seats[i]), observations[i])
        return observations

    # Infos ----------------------------------------------------------------------------------------------

    def _infos(self) -> dict[str, Any]:
        infos = {
            "action_mask": self.action_masks().view(np.int8),
            "scores": self._vector.scores.copy(),
            "seat": self.seats.copy(),
        }
        return {**infos, **{f"_{name}": np.ones(self.num_envs, np.bool_) for name in infos}}

    def _final_infos(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """How the finished games ended, in the structure that Gymnasium prescribes."""
        observations = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(ended).tolist():
            observations[i] = self._vector.observer.observe(self._vector.states, i, int(self.seats[i]))
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
        names = [self.opponents.names[which] for which in self._lineup[i]]
        names[int(self.seats[i])] = "agent"
        return names

    def close_extras(self, **_: Any) -> None:
        """Close the opponents, which may be separate programs."""
        self.opponents.close()


def check_autoreset_mode(mode: str | AutoresetMode) -> AutoresetMode:
    """One of Gymnasium's modes, or its name."""
    if isinstance(mode, AutoresetMode):
        return mode
    for known in AutoresetMode:
        if mode in (known.name, known.value):
            return known
    raise BadOption(f"autoreset_mode is one of {', '.join(known.name for known in AutoresetMode)}, not {echo(mode)}")
