"""What a game is to the rest of the package: one typed object, from which every engine works.

A game package makes a ``GameSpec`` and a class of rule sets that carries it, and names that class in the entry point
group ``tilewright.games``. Parts that only some programs need (pictures, wording, ...) are named by their modules and
imported when they are first asked for; a game without such a part gets a default from the engine that asks.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tilewright.game.errors import BadOption, GameFault, TilewrightError, describe_error
from tilewright.game.guarding import guarded_account, guarded_part
from tilewright.game.notation import RETURNS
from tilewright.game.results import checked_effects, checked_numbers
from tilewright.game.spec_checks import FOR_SHOW, check_spec
from tilewright.game.tiles import NO_TILES, TileSet
from tilewright.game.validation import echo, is_whole_number

if TYPE_CHECKING:
    from tilewright.game.effects import Effect
    from tilewright.game.moves import Move
    from tilewright.game.notation import Notation
    from tilewright.game.position import Position
    from tilewright.kernels.playing import Kernels

OptionValue = str | bool
_YES_NO = {True: "yes", False: "no"}
RESERVED = {
    # records
    "game", "name", "player", "players", "result", "secret", "seed",
    # the command line
    "alpha", "batch", "beta", "blocks", "bots", "color", "colour", "command", "depth", "device", "divide",
    "evaluate_every", "evaluation", "folder", "from", "games", "help", "host", "json", "language", "league",
    "learning_rate", "minutes", "no_evaluation", "number", "only", "opponent", "options", "out", "output", "parser",
    "position", "ray", "report", "resume", "seat", "seats", "seconds", "simulations", "source", "sprt", "steps",
    "terminal", "threads", "version", "weights", "width", "workers",
    # environments and the functions that make them
    "autoreset_mode", "canonical", "disable_env_checker", "env_type", "id", "illegal", "max_cycles",
    "max_episode_steps", "num_envs", "render_mode", "reward", "self", "vector_kwargs", "vectorization_mode", "wrappers",
}  # fmt: skip
"""Names that an option cannot have, because they already mean something where options are typed or passed."""
_CALLED = {"picture", "wording", "terminal", "coach", "editor", "reasons"}
"""The parts for show that have functions, which are called in the middle of a game."""
_CHOICE = re.compile(r"[\w-]+")


@dataclass(frozen=True)
class Option:
    """Something to choose before a game begins. The first choice is the default; kernels get the index of the choice.

    >>> board = Option("board", ("small", "large"), "the size of the board")
    >>> board.default, board.read("large"), Option("teams", (False, True), "two against two").write(True)
    ('small', 'large', 'yes')
    """

    name: str
    choices: tuple[OptionValue, ...]
    description: str
    """What is chosen, in a few words, for help texts."""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not re.fullmatch(r"[a-z][a-z_]*", self.name):
            raise BadOption(f"an option cannot be called {echo(self.name)}: use a word in lower case")
        taken = min((word for word in RESERVED if word.startswith(self.name)), default=None)
        if taken is not None:  # the command line also takes the beginning of a flag for the flag
            meaning = "that" if taken == self.name else f"it is short for {taken!r}, which"
            raise BadOption(f"an option cannot be called {echo(self.name)}: {meaning} already has a meaning")
        if not isinstance(self.choices, tuple):
            raise BadOption(f"the choices of {self.name} must be a tuple, not {echo(self.choices)}")
        if not isinstance(self.description, str):
            raise BadOption(f"the description of {self.name} must be a text, not {echo(self.description)}")
        written = [self.write(choice) for choice in self.choices if isinstance(choice, str | bool)]
        if not written or len(set(written)) < len(self.choices) or not all(map(_CHOICE.fullmatch, written)):
            raise BadOption(
                f"the choices of {self.name} must be different words, or False and True, not {self.choices}"
            )

    @property
    def default(self) -> OptionValue:
        """The choice when none is given."""
        return self.choices[0]

    def check(self, value: Any, title: str) -> OptionValue:
        """A value that the game with this title knows."""
        for choice in self.choices:
            if type(value) is type(choice) and value == choice:
                return choice
        known = " or ".join(repr(choice) for choice in self.choices)
        raise BadOption(f"{self.name} of {title} must be {known}, not {echo(value)}")

    def write(self, value: OptionValue) -> str:
        """A value in files and commands."""
        return _YES_NO[value] if isinstance(value, bool) else value

    def read(self, text: str) -> OptionValue | None:
        """A value from its text, or None if no choice is written like that."""
        return next((choice for choice in self.choices if self.write(choice) == text), None)


Points = Mapping[str, int]
"""Where the points of a seat came from, by source; they add up to the score."""


def score_alone(position: Position, seat: int) -> dict[str, int]:
    """The points of a seat, for games that do not say where they came from."""
    return {"points": position.scores[seat]}


def _no_tie_breaks(position: Position, seat: int) -> dict[str, int]:
    return {}


def _one_effect(position: Position, move: Move) -> list[Effect]:
    from tilewright.game.effects import whole_move

    return whole_move(position, move)


@dataclass(frozen=True, eq=False)
class GameSpec:
    """A game: its name, who can play it and how, its rules, its notation, and where its other parts are."""

    name: str
    """In commands, files and URLs: words in lower case, with hyphens between them."""
    title: str
    """For people."""
    phases: tuple[str, ...]
    """The phases by name, in the order of the values of the field ``phase``; the last is the end of the game."""
    kernels: Kernels
    notation: Notation
    tiles: TileSet = NO_TILES
    """The kinds of tile; a game without tiles has none."""
    players: tuple[int, ...] = (2, 3, 4)
    """The possible numbers of players; the first is the default."""
    options: tuple[Option, ...] = ()
    rule_set_fields: tuple[str, ...] = ("players",)
    """The fields of a position that say which rule set it belongs to."""
    version: int = 0
    """The version in the ids of environments: it rises when observations, actions or rewards change."""
    effects: Callable[[Position, Move], Sequence[Effect]] = _one_effect
    """What happens when a legal move is played, in one or more steps."""
    points: Callable[[Position, int], Points] = score_alone
    """Where the points of a seat came from."""
    tie_breaks: Callable[[Position, int], Points] = _no_tie_breaks
    """What the rules compare between players with equal points, the most important first; the higher value wins."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """The modules of parts that are loaded when needed, by part: see ``docs/add-a-game.md``."""

    def __post_init__(self) -> None:
        check_spec(self)
        object.__setattr__(self, "effects", guarded_account(self.title, "effects", self.effects, checked_effects))
        for part in ("points", "tie_breaks"):
            check = partial(checked_numbers, part)
            object.__setattr__(self, part, guarded_account(self.title, part, getattr(self, part), check))
        object.__setattr__(self, "notation", guarded_part(self.title, "notation", self.notation, RETURNS))

    def part(self, name: str) -> ModuleType | None:
        """A part of the game, imported when it is first asked for; None if the game does not have it.

        A part that only shows the game is replaced by the default, with a warning, if its import fails. Any other
        raises an error: without it, bots and environments would still work, but their results would mean something
        else.
        """
        return _import_part(self, name) if name in self.parts else None

    def run(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """Call a kernel of the rules; one that cannot be compiled or raises an error is a ``GameFault``."""
        try:
            return kernel(*arguments)
        except Exception as error:
            raise GameFault(self.title, f"its rules raised {describe_error(error)}") from error

    @property
    def camel_case_name(self) -> str:
        """The name where ids are written like classes: no other game has it, unlike the name of its class."""
        return re.sub(r"(^|-)([a-z])", lambda found: found[2].upper(), self.name)

    def option(self, name: str) -> Option:
        """An option by its name."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(["players", *(option.name for option in self.options)])
        raise BadOption(f"{self.title} has no option {echo(name)}; it has {known}")

    def check_players(self, players: Any) -> int:
        """A number of players that can play."""
        if not is_whole_number(players) or players not in self.players:
            listed = ", ".join(str(number) for number in self.players[:-1])
            known = f"{listed} or {self.players[-1]}" if listed else str(self.players[-1])
            raise BadOption(f"{self.title} is for {known} players, not {echo(players)}")
        return int(players)

    def rule_sets(self) -> list[dict[str, Any]]:
        """Every combination of players and options, as arguments for the class of the game."""
        found: list[dict[str, Any]] = [{"players": players} for players in self.players]
        for option in self.options:
            found = [{**chosen, option.name: choice} for chosen in found for choice in option.choices]
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        from tilewright.game.registry import find_spec

        return find_spec, (self.name,)


@cache
def _import_part(spec: GameSpec, name: str) -> ModuleType | None:
    """A part that the spec names; cached, so that a broken one is imported and reported only once."""
    try:
        module = import_module(spec.parts[name])
        return guarded_part(spec.title, name, module) if name in _CALLED else module
    except (Exception, SystemExit) as error:
        told = " ".join(str(error).split()) or type(error).__name__
        why = f"the part {name!r} of {spec.title} cannot be imported from {spec.parts[name]}: {told}"
        if name not in FOR_SHOW:
            raise TilewrightError(why) from error
    warnings.warn(f"{why}; the default is used instead", stacklevel=3)
    return None
