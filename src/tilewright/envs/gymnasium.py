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

from tilewright.bots.bot import Bot, ask, new_generator
from tilewright.bots.registry import make_bot
from tilewright.envs.observation import Observer
from tilewright.envs.rendering import FRAMES_PER_SECOND, RENDER_MODES, check_render_mode, render
from tilewright.envs.single_game import SingleGame, make_variant
from tilewright.game.dealer import check_seed
from tilewright.game.errors import BadOption, TilewrightError
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.game.registry import GAMES
from tilewright.game.validation import echo

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f'tilewright.envs.gymnasium needs the package {error.name}: pip install "tilewright[rl]"', name=error.name
    ) from error

Observation = NDArray[np.float32]
OPTIONS = ("opponent", "seat", "reward", "illegal", "canonical", "render_mode")
RANDOM = "random"
"""The bot that plays inside the kernels; as a seat, one chosen at random for each game."""
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
        self, game: str, players: int | None = None, *, opponent: str | Bot = RANDOM, seat: int | str = RANDOM,
        reward: str = "win", illegal: str = "loss", canonical: bool = False, render_mode: str | None = None,
        **variant: Any,
    ) -> None:  # fmt: skip
        self.game: Game = make_variant(game, players, variant, OPTIONS)
        self._game = SingleGame(self.game, reward, illegal, canonical)
        self.opponent = Opponent(opponent)
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
        if seed is not None or not self.opponent.is_ready:
            self.opponent.prepare(int(self.np_random.integers(_MOST)))
        self.seat = int(draw_seats(self._seat_option, self.game, self.np_random, 1)[0])
        self._game.reset(int(self.np_random.integers(_MOST)) if seed is None else seed)
        moves: list[str] = []
        self._let_others_play(moves)
        self._show()
        return self._game.observe(self.seat), self._info(moves)

    def step(self, action: int | np.int64) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Play the agent's move, then those of the others up to its next turn or the end."""
        reward = self._game.step(action)[self.seat]
        moves = [self._game.last_move]
        reward += self._let_others_play(moves)
        self._show()
        return self._game.observe(self.seat), reward, self._game.is_over, False, self._info(moves)

    def _let_others_play(self, moves: list[str]) -> float:
        """Play the bots' moves until the agent's turn; returns the agent's rewards for them."""
        reward = 0.0
        while not self._game.is_over and self._game.turn != self.seat:
            reward += self._game.step(self.opponent.choose(self._game))[self.seat]
            moves.append(self._game.last_move)
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
        if not self.opponent.is_ready:
            raise TilewrightError("call reset() before render(): no game has begun")
        names = ["agent" if seat == self.seat else self.opponent.name for seat in range(self.game.players)]
        return render(self._game.position, self.render_mode, names)

    def _show(self) -> None:
        """In the mode ``human``, render at each of the agent's turns."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Close the opponent, which may be a separate program."""
        self.opponent.close()


class Opponent:
    """The bot that plays every other seat: named as in docs/bots.md, or an object of your own."""

    def __init__(self, bot: str | Bot) -> None:
        if isinstance(bot, str):
            make_bot(bot)  # raises at once if the name is wrong
        elif isinstance(bot, type) or not callable(getattr(bot, "choose", None)):
            raise BadOption(f"an opponent is the name of a bot, like 'search:100ms', or a Bot, not {echo(bot)}")
        self.name = bot if isinstance(bot, str) else type(bot).__name__
        self.is_random = bot == RANDOM
        """Whether its moves are drawn by a kernel."""
        self.is_ready = False
        self._given = bot
        self._bot: Bot | None = None
        self._chooser = new_generator(0)

    def prepare(self, seed: int) -> None:
        """Create the bot with a seed; a bot that was passed as an object has its own."""
        self.close()
        self.is_ready = True
        self._chooser = new_generator(seed)
        if not self.is_random:
            self._bot = make_bot(self._given, seed) if isinstance(self._given, str) else self._given

    def choose(self, game: SingleGame) -> int:
        """A move for the seat whose turn it is."""
        return game.random_move(self._chooser) if self._bot is None else self.ask(game.position)

    def ask(self, position: Position) -> int:
        """The move of a bot other than ``random``."""
        assert self._bot is not None
        return int(ask(self._bot, position, self.name))

    def close(self) -> None:
        """Close a bot that we created, if it can be closed."""
        end = getattr(self._bot, "close", None)
        if isinstance(self._given, str) and end is not None:
            end()
        self._bot, self.is_ready = None, False


def observation_space(observer: Observer) -> spaces.Space[Observation]:
    """The space of a game's observations."""
    return cast(spaces.Space[Observation], spaces.Box(observer.low, observer.high, dtype=np.float32))


def check_seat(seat: int | str, game: Game) -> int | None:
    """The agent's seat, or None if it is chosen at random for each game."""
    if seat == RANDOM:
        return None
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < game.players:
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
