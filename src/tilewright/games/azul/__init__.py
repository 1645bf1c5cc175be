"""Azul, with the coloured or the grey wall, with or without Joker tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.game.game import Game
from tilewright.game.spec import GameSpec, Option
from tilewright.games.azul import moves, rules
from tilewright.games.azul.effects import effects
from tilewright.games.azul.notation import TILES, AzulNotation
from tilewright.games.azul.position import AzulPosition
from tilewright.games.azul.scoring import points, tie_breaks
from tilewright.kernels.playing import Kernels

WALL = Option("wall", ("coloured", "grey"), "the side of the wall")
JOKERS = Option("jokers", (False, True), "with the Joker tiles")

SPEC = GameSpec(
    name="azul",
    title="Azul",
    tiles=TILES,
    phases=("fill", "draft", "tile", "over"),
    kernels=Kernels("azul", rules, moves),
    notation=AzulNotation(),
    options=(WALL, JOKERS),
    rule_set_fields=("players", "grey", "jokers"),
    effects=effects,
    points=points,
    tie_breaks=tie_breaks,
    parts={
        part: f"{__name__}.{part}"
        for part in (
            "action_features", "bounds", "coach", "editor", "evaluation", "lessons", "network_input", "observation",
            "picture", "priors", "puzzles", "reasons", "strength", "symmetry", "terminal", "translations",
            "weights", "wording",
        )
    },
)  # fmt: skip


class AzulGame(Game):
    """What Azul and Azul Mini have in common."""

    position_type = AzulPosition

    if TYPE_CHECKING:  # for readers and type checkers: which class the positions have

        def start(self, seed: int | None = None) -> AzulPosition: ...  # noqa: D102
        def set_up(self) -> AzulPosition: ...  # noqa: D102
        def position(self, text: str, seed: int | None = None) -> AzulPosition: ...  # noqa: D102

    @property
    def wall(self) -> str:
        """The side of the wall: ``coloured`` or ``grey``."""
        return str(self.options["wall"])


class Azul(AzulGame):
    """Azul, for 2 to 4 players: with the coloured or the grey wall, with or without Joker tiles.

    >>> Azul(players=4, wall="grey", jokers=True)
    Azul(players=4, wall='grey', jokers=True)
    """

    spec = SPEC

    def __init__(self, players: int = 2, wall: str = "coloured", jokers: bool = False) -> None:
        super().__init__(players, wall=wall, jokers=jokers)

    @property
    def jokers(self) -> bool:
        """Whether Joker tiles are in the bag."""
        return bool(self.options["jokers"])
