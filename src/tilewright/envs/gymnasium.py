"""Gymnasium: one seat is the agent, bots play the others. The ids are ``tilewright/<class of the game>-v<version>``.

>>> import gymnasium, tilewright.envs
>>> name = next(name for name in gymnasium.registry if name.startswith("tilewright/"))
>>> env = gymnasium.make(name, opponent="random", seat=0)
>>> observation, info = env.reset(seed=7)
>>> observation in env.observation_space, bool(info["action_mask"].any())
(True, True)
"""

from __future__ import annotations

from typing import Any, SupportsFloat, cast

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.observation import Observer
from tilewright.envs.opponents import RANDOM, OpponentOption, Opponents
from tilewright.envs.rendering import FRAMES_PER_SECOND, RENDER_MODES, check_render_mode, render
from tilewright.envs.single_game import SingleGame, make_variant
from tilewright.game.dealer import check_seed
from tilewright.game.errors import BadOption, TilewrightError
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.game.registry import GAMES
from tilewright.game.validation import echo, is_whole_number

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f'tilewright.envs.gymnasium needs the package {error.name}: pip install "tilewright[rl]"', name=error.name
    ) from error

Observation = NDArray[np.float32]
OPTIONS = ("opponent", "seat", "reward", "illegal", "canonical", "render_mode")
_MOST = 1 << 63


class TilewrightEnv(gymnasium.Env[Observation, np.int64]):
    """A game for one agent.

    Observations are described in docs/environments.md; they are from the agent's point of view. ``info`` has
    ``action_mask``, the ``scores``, the agent's ``seat`` and the ``moves`` played since its last turn.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # Gymnasium's own declaration
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_PER_SECOND,
    }

    def __init__(
        self, game: str, players: int | None = None, *, opponent: OpponentOption = RANDOM, seat: int | str = RANDOM,
        reward: str = "win", illegal: str = "loss", canonical: bool = False, render_mode: str | None = None,
        **variant: Any,
    ) -> None:  # fmt: skip
        self.game: Game = make_variant(game, players, variant, OPTIONS)
        self._game = SingleGame(self.game, reward, illegal, canonical)
        self.opponents = Opponents(opponent)
        self._lineup = np.zeros(self.game.players, np.int64)
        self._seat_option = check_seat(seat, self.game)
        self.seat = 0
        """The agent's seat in this game."""
        self.render_mode = check_render_mode(render_mode)
        self.action_space = spaces.Discrete(self.game.actions)
        self.observation_space = observation_space(self._game.observer)

    @property
    def position(self) -> Position:
        """A copy of the game as a position."""
        return self._game.position

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, under the name that MaskablePPO of sb3-contrib calls."""
        return self._game.mask()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Any]:
        """Begin a new game and play up to the agent's first turn; a seed makes everything in it reproducible."""
        super().reset(seed=None if seed is None else check_seed(seed))
        if seed is not None or not self.opponents.is_ready:
            self.opponents.prepare(int(self.np_random.integers(_MOST)))
        self.seat = int(draw_seats(self._seat_option, self.game, self.np_random, 1)[0])
        self._lineup = self.opponents.draw(self.np_random, self.game.players)
        self._game.reset(int(self.np_random.integers(_MOST)) if seed is None else seed)
        moves: list[str] = []
        self._let_others_play(moves)
        self._show()
        return self._game.observe(self.seat), self._info(moves)

    def step(self, action: int | np.int64) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Play the agent's move, then those of the others up to its next turn or the end."""
        reward = self._game.step(action)[self.seat]
        moves = [self._game.last_move.text]
        reward += self._let_others_play(moves)
        self._show()
        return self._game.observe(self.seat), reward, self._game.is_over, False, self._info(moves)

    def _let_others_play(self, moves: list[str]) -> float:
        """Play the bots' moves until the agent's turn; returns the agent's rewards for them."""
        reward = 0.0
        while not self._game.is_over and self._game.turn != self.seat:
            move = self.opponents.choose(int(self._lineup[self._game.turn]), self._game)
            reward += self._game.step(move)[self.seat]
            moves.append(self._game.last_move.text)
        return reward

    def _info(self, moves: list[str]) -> dict[str, Any]:
        mask, scores = self._game.mask().view(np.int8), self._game.scores
        return {"action_mask": mask, "scores": scores, "seat": self.seat, "moves": " ".join(moves)}

    def render(self) -> Any:
        """Draw the position as ``render_mode`` says."""
        if self.render_mode is None:
            modes = ", ".join(RENDER_MODES)
            gymnasium.logger.warn(f"render() does nothing without a render_mode: pass one of {modes} to make()")
            return None
        if not self.opponents.is_ready:
            raise TilewrightError("call reset() before render(): no game has begun")
        names = [self.opponents.names[which] for which in self._lineup]
        names[self.seat] = "agent"
        return render(self._game.position, self.render_mode, names)

    def _show(self) -> None:
        """In the mode ``human``, render at each of the agent's turns."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Close the opponents, which may be separate programs."""
        self.opponents.close()


def observation_space(observer: Observer) -> spaces.Space[Observation]:
    """The space of a game's observations."""
    return cast(spaces.Space[Observation], spaces.Box(observer.low, observer.high, dtype=np.float32))


def check_seat(seat: int | str, game: Game) -> int | None:
    """The agent's seat, or None if it is chosen at random for each game."""
    if seat == RANDOM:
        return None
    if not is_whole_number(seat) or not 0 <= seat < game.players:
        raise BadOption(f"a seat is a number from 0 to {game.players - 1}, or 'random', not {echo(seat)}")
    return int(seat)


def draw_seats(seat: int | None, game: Game, generator: np.random.Generator, size: int) -> NDArray[np.int64]:
    """The agent's seat in each of ``size`` games."""
    return generator.integers(game.players, size=size) if seat is None else np.full(size, seat)


def register() -> None:
    """Register every game with ``gymnasium.make``; ``make_vec`` returns a ``TilewrightVectorEnv``."""
    for game in GAMES.values():
        name = f"tilewright/{game.spec.camel_case_name}-v{game.spec.version}"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"{__name__}:TilewrightEnv",
                vector_entry_point=f"{__name__}_vector:TilewrightVectorEnv",
                kwargs={"game": game.spec.name},
            )
