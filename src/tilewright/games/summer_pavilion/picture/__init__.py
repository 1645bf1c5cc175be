"""The picture of Summer Pavilion: its panels, its scene, the clicks for each move, the words that go with them."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.game import Game
from tilewright.games.family.factories import count_factories
from tilewright.games.summer_pavilion.board import CENTRE_STAR, SPACES, STAR_SPACES
from tilewright.games.summer_pavilion.effects import place_of
from tilewright.games.summer_pavilion.names import space_cost
from tilewright.games.summer_pavilion.notation import Keep, Pass, Place, Take, TakeBonus
from tilewright.games.summer_pavilion.picture.board import board_panel, brief_space_label
from tilewright.games.summer_pavilion.picture.market import market_panel
from tilewright.games.summer_pavilion.picture.scene import LETTERS, scene, spell
from tilewright.view.language import say
from tilewright.view.picture.scene import BAG, DISCARDS, Panel, Path
from tilewright.view.picture.tiles import MARKER, sheet

__all__ = ["buttons", "panels", "paths", "place_names", "scene", "symbols", "tile_names"]

AREA = "summer_pavilion."


def symbols(game: Game) -> str:
    """Tiles are rhombi."""
    return sheet(game, rhombi=True)


def panels(game: Game, names: Sequence[str], language: str) -> list[Panel]:
    """The market and a board for each player."""
    boards = [board_panel(game, seat, names[seat], language) for seat in range(game.players)]
    return [market_panel(game, language), *boards]


# ---------------------------------------------------------------------------------------------------- Moves


def paths(game: Game) -> list[Path]:
    """What to click for each move of the action space."""
    return [_path(game, move.fields) for move in game.moves]


def _path(game: Game, move: Take | Place | TakeBonus | Pass | Keep) -> Path:
    if isinstance(move, Take):
        return Path((f"{place_of(move.source)}-{LETTERS[move.kind]}",))
    if isinstance(move, Place):
        return _placement(game, move)
    if isinstance(move, TakeBonus):
        return _choice("supply", move.tiles, "button-take")
    return Path(("button-pass",)) if isinstance(move, Pass) else _choice("@-hand", move.tiles, "button-keep")


def _placement(game: Game, move: Place) -> Path:
    """The space, the colour where the star leaves it open, and how it is paid."""
    fixed = game.options["side"] == "coloured" and move.space // STAR_SPACES != CENTRE_STAR
    tile = [] if fixed else [f"button-colour-{LETTERS[move.kind]}"]
    return Path((f"@-space-{move.space}", *tile, f"button-jokers-{move.jokers}"))


def _choice(place: str, heap: int, button: str) -> Path:
    return Path((*(f"{place}-{letter}" for letter in spell(heap)), button), loose=True)


def buttons(game: Game, language: str) -> dict[str, str]:
    """The words on the buttons that moves may need, some also in short."""
    most = max(space_cost(str(game.options["side"]), space) for space in range(SPACES))
    labels: dict[str, str] = {}
    for letter in LETTERS:
        tile = say(language, f"{AREA}a_tile_{letter}")
        labels[f"button-colour-{letter}"] = say(language, AREA + "button.place", tile=tile)
        labels[f"short-colour-{letter}"] = say(language, f"{AREA}tile_{letter}")
    for n in range(most):
        with_jokers = "with_jokers" if n else "without_jokers"
        labels[f"button-jokers-{n}"] = say(language, f"{AREA}button.pay_{with_jokers}", n=n)
        labels[f"short-jokers-{n}"] = say(language, f"{AREA}button.short_{with_jokers}", n=n)
    return labels | {f"button-{what}": say(language, f"{AREA}button.{what}") for what in ("pass", "take", "keep")}


# ---------------------------------------------------------------------------------------------------- Names


def tile_names(language: str) -> dict[str, str]:
    """What each kind of tile is called."""
    return {kind: say(language, f"{AREA}tile_{kind}") for kind in (*LETTERS, MARKER)}


def place_names(game: Game, language: str) -> dict[str, str]:
    """What each place is called where tiles lie, and in short the spaces of one's own board (``@``)."""
    names = {f"factory-{n}": say(language, AREA + "factory", n=n) for n in range(1, count_factories(game.players) + 1)}
    names |= {place: say(language, AREA + place) for place in ("centre", "supply", BAG)}
    names[DISCARDS] = say(language, AREA + "tower")
    for seat in range(1, game.players + 1):
        names[f"p{seat}-hand"] = say(language, AREA + "hand")
        names[f"p{seat}-corner"] = say(language, AREA + "corners")
    return names | {f"@-space-{space}": brief_space_label(game, space, language) for space in range(SPACES)}
