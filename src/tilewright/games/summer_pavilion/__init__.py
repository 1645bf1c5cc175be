"""Azul: Summer Pavilion, on the coloured or the grey side of the boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.game.game import Game
from tilewright.game.spec import GameSpec, Option
from tilewright.games.summer_pavilion import moves, names, rules
from tilewright.games.summer_pavilion.effects import effects
from tilewright.games.summer_pavilion.names import SIDES, TILES
from tilewright.games.summer_pavilion.notation import SummerPavilionNotation
from tilewright.games.summer_pavilion.position import SummerPavilionPosition
from tilewright.games.summer_pavilion.scoring import points
from tilewright.kernels.playing import Kernels

SPEC = GameSpec(
    name="summer-pavilion",
    title="Summer Pavilion",
    tiles=TILES,
    phases=("supply", "factories", "draft", "place", "bonus", "keep", "over"),
    kernels=Kernels("summer_pavilion", rules, moves),
    notation=SummerPavilionNotation(),
    options=(Option("side", SIDES, "the side of the boards"),),
    rule_set_fields=("players", "grey"),
    effects=effects,
    points=points,
    parts={
        part: f"{__name__}.{part}"
        for part in (
            "action_features", "bounds", "coach", "editor", "evaluation", "lessons", "observation", "picture",
            "priors", "puzzles", "reasons", "strength", "symmetry", "terminal", "translations",
            "weights", "wording",
        )
    },
)  # fmt: skip


class SummerPavilion(Game):
    """Azul: Summer Pavilion, for 2 to 4 players, on the coloured or the grey side of the boards.

    >>> SummerPavilion(players=3, side="grey")
    SummerPavilion(players=3, side='grey')
    """

    spec = SPEC
    position_type = SummerPavilionPosition

    if TYPE_CHECKING:  # for readers and type checkers: which class the positions have

        def start(self, seed: int | None = None) -> SummerPavilionPosition: ...  # noqa: D102
        def set_up(self) -> SummerPavilionPosition: ...  # noqa: D102
        def position(self, text: str, seed: int | None = None) -> SummerPavilionPosition: ...  # noqa: D102

    def __init__(self, players: int = 2, side: str = "coloured") -> None:
        super().__init__(players, side=side)

    @property
    def side(self) -> str:
        """The side of the boards: ``coloured`` or ``grey``."""
        return str(self.options["side"])

    def star_name(self, star: int) -> str:
        """A star as in the text of a move: by its colour, or ``s1`` to ``s6`` on the grey side; ``c`` is the centre.

        >>> SummerPavilion().star_name(5), SummerPavilion(side="grey").star_name(5)
        ('r', 's1')
        """
        return names.star_name(self.side, star)

    def space_name(self, space: int) -> str:
        """A space as in the text of a move: its star and the number on it.

        >>> SummerPavilion().space_name(33), SummerPavilion(side="grey").space_name(32)
        ('r4', 's11')
        """
        return names.space_name(self.side, space)
