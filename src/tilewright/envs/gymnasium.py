"""Gymnasium: one seat learns, bots hold the others.

>>> import gymnasium, tilewright.envs
>>> env = gymnasium.make("tilewright/Azul-v0", opponent="greedy", seat=0)
>>> observation, info = env.reset(seed=7)
>>> observation.shape, int(info["action_mask"].sum())
((171,), 84)
"""

from __future__ import annotations

from typing import Any, SupportsFloat, cast

import numpy as np
from numpy.typing import NDArray

from tilewright.bots.bot import Bot, ask, new_generator
from tilewright.bots.registry import make_bot
from tilewright.envs.rendering import FRAMES_A_SECOND, RENDER_MODES, check_render_mode, render
from tilewright.envs.table import Table, make_variant
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
"""The bot that plays inside the kernels; and the seat that is drawn for each game."""
_MOST = 1 << 63


class TilewrightEnv(gymnasium.Env[Observation, np.int64]):
    """A game of the Azul family for one agent.

    The agent's observation is made of the numbers described in docs/pettingzoo.md, from its own point of view.
    ``info`` has ``action_mask``, the ``scores``, the agent's ``seat`` and the ``moves`` since it moved last.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # Gymnasium's own declaration
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_A_SECOND,
    }

    def __init__(
        self, game: str = "azul", players: int = 2, *, opponent: str | Bot = RANDOM, seat: int | str = RANDOM,
        reward: str = "win", illegal: str = "loss", canonical: bool = False, render_mode: str | None = None,
        **variant: Any,
    ) -> None:  # fmt: skip
        self.game: Game = make_variant(game, players, variant, OPTIONS)
        self._table = Table(self.game, reward, illegal, canonical)
        self.opponent = Opponent(opponent)
        self._seat_option = check_seat(seat, self.game)
        self.seat = 0
        """The agent's seat in this game."""
        self.render_mode = check_render_mode(render_mode)
        self.action_space = spaces.Discrete(self.game.actions)
        self.observation_space = observation_space(self._table.observer.high)

    @property
    def position(self) -> Position:
        """A copy of the game as a position, to be looked at or searched."""
        return self._table.position

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as MaskablePPO of sb3-contrib asks for it."""
        return self._table.mask()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Any]:
        """A new game, up to the agent's first turn; with a seed everything in it is the same again."""
        super().reset(seed=None if seed is None else check_seed(seed))
        if seed is not None or not self.opponent.is_ready:
            self.opponent.prepare(int(self.np_random.integers(_MOST)))
        self.seat = int(draw_seats(self._seat_option, self.game, self.np_random, 1)[0])
        self._table.set_out(int(self.np_random.integers(_MOST)) if seed is None else seed)
        moves: list[str] = []
        self._let_others_play(moves)
        self._show()
        return self._table.observe(self.seat), self._info(moves)

    def step(self, action: int | np.int64) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """The agent's move, and those of the others up to its next turn or to the end."""
        reward = self._table.step(action)[self.seat]
        moves = [self._table.last_move]
        reward += self._let_others_play(moves)
        self._show()
        return self._table.observe(self.seat), reward, self._table.is_over, False, self._info(moves)

    def _let_others_play(self, moves: list[str]) -> float:
        """Play for the bots until the agent must decide; what the agent gets meanwhile."""
        reward = 0.0
        while not self._table.is_over and self._table.turn != self.seat:
            reward += self._table.step(self.opponent.choose(self._table))[self.seat]
            moves.append(self._table.last_move)
        return reward

    def _info(self, moves: list[str]) -> dict[str, Any]:
        mask, scores = self._table.mask().view(np.int8), self._table.scores
        return {"action_mask": mask, "scores": scores, "seat": self.seat, "moves": " ".join(moves)}

    def render(self) -> Any:
        """The table, in the way of ``render_mode``."""
        if self.render_mode is None:
            modes = ", ".join(RENDER_MODES)
            gymnasium.logger.warn(f"render() shows nothing: the environment was made without a render_mode ({modes})")
            return None
        if not self.opponent.is_ready:
            raise TilewrightError("render() comes after reset(): no game has begun")
        names = ["agent" if seat == self.seat else self.opponent.name for seat in range(self.game.players)]
        return render(self._table.position, self.render_mode, names)

    def _show(self) -> None:
        """For people the table is shown at each of the agent's turns."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """End the opponent, which may be a program of its own."""
        self.opponent.close()


class Opponent:
    """A bot that holds every other seat: one named in the grammar of docs/bots.md, or an object of your own."""

    def __init__(self, bot: str | Bot) -> None:
        if isinstance(bot, str):
            make_bot(bot)  # says at once what is wrong with the name
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
        """Sit down with a source of chance; a bot that was given as an object has its own."""
        self.close()
        self.is_ready = True
        self._chooser = new_generator(seed)
        if not self.is_random:
            self._bot = make_bot(self._given, seed) if isinstance(self._given, str) else self._given

    def choose(self, table: Table) -> int:
        """A move for the seat whose turn it is."""
        return table.random_move(self._chooser) if self._bot is None else self.ask(table.position)

    def ask(self, position: Position) -> int:
        """The move of a bot that thinks."""
        assert self._bot is not None
        return int(ask(self._bot, position, self.name))

    def close(self) -> None:
        """End a bot that we made, if it is a program."""
        end = getattr(self._bot, "close", None)
        if isinstance(self._given, str) and end is not None:
            end()
        self._bot, self.is_ready = None, False


def observation_space(high: NDArray[np.float32]) -> spaces.Space[Observation]:
    """The space of observations with these upper bounds."""
    return cast(spaces.Space[Observation], spaces.Box(np.zeros_like(high), high, dtype=np.float32))


def check_seat(seat: int | str, game: Game) -> int | None:
    """The agent's seat, or None if it is drawn for each game."""
    if seat == RANDOM:
        return None
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < game.players:
        raise BadOption(f"a seat is a number from 0 to {game.players - 1}, or 'random', not {echo(seat)}")
    return int(seat)


def draw_seats(seat: int | None, game: Game, generator: np.random.Generator, size: int) -> NDArray[np.int64]:
    """In so many games the seat that was asked for, or any."""
    return generator.integers(game.players, size=size) if seat is None else np.full(size, seat)


def register() -> None:
    """Make ``gymnasium.make("tilewright/Azul-v0")`` known, and the others; ``make_vec`` gives our own vector."""
    for game, rule_set in GAMES.items():
        name = f"tilewright/{rule_set.__name__}-v{rule_set.spec.version}"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"{__name__}:TilewrightEnv",
                vector_entry_point=f"{__name__}_vector:TilewrightVectorEnv",
                kwargs={"game": game},
            )
