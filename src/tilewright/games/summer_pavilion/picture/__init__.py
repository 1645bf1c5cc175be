"""The picture of Summer Pavilion: its panels, its scene, the clicks for each move, the words that go with them."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.game import Game
from tilewright.games.family.factories import count_factories
from tilewright.games.summer_pavilion.board import CENTRE_STAR, NUMBER, SPACES, STAR_SPACES
from tilewright.games.summer_pavilion.moves import BONUS_MOVES, PLACEMENTS, SMALL_HEAPS
from tilewright.games.summer_pavilion.names import SIDES
from tilewright.games.summer_pavilion.picture.board import board_panel, brief_space_label
from tilewright.games.summer_pavilion.picture.market import market_panel
from tilewright.games.summer_pavilion.picture.scene import LETTERS, scene, spell
from tilewright.games.summer_pavilion.picture.steps import preview, steps
from tilewright.view.language import say
from tilewright.view.picture.scene import BAG, DISCARDS, Panel, Path
from tilewright.view.picture.tiles import MARKER, sheet

__all__ = ["buttons", "panels", "paths", "place_names", "preview", "scene", "steps", "symbols", "tile_names"]

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
    side = SIDES.index(str(game.options["side"]))
    places = ["centre", *(f"factory-{n}" for n in range(1, count_factories(game.players) + 1))]
    takes = [Path((f"{place}-{letter}",)) for place in places for letter in LETTERS]
    placements = [_placement(side, *placement) for placement in PLACEMENTS[side]]
    bonuses = [_choice("supply", int(heap), "button-take") for heap in SMALL_HEAPS[1 : BONUS_MOVES + 1]]
    keeps = [_choice("@-hand", int(heap), "button-keep") for heap in SMALL_HEAPS]
    return [*takes, *placements, *bonuses, Path(("button-pass",)), *keeps]


def _placement(side: int, space: int, colour: int, jokers: int) -> Path:
    """The space, the colour where the star leaves it open, and how it is paid."""
    fixed = SIDES[side] == "coloured" and space // STAR_SPACES != CENTRE_STAR
    tile = [] if fixed else [f"button-colour-{LETTERS[colour]}"]
    return Path((f"@-space-{space}", *tile, f"button-jokers-{jokers}"))


def _choice(place: str, heap: int, button: str) -> Path:
    return Path((*(f"{place}-{letter}" for letter in spell(heap)), button), loose=True)


def buttons(game: Game, language: str) -> dict[str, str]:
    """The words on the buttons that moves may need, some also in short."""
    labels = {f"button-colour-{letter}": say(language, f"{AREA}place_{letter}") for letter in LETTERS}
    most = int(NUMBER[SIDES.index(str(game.options["side"]))].max())
    labels["button-jokers-0"] = say(language, AREA + "pay_without_jokers")
    labels |= {f"button-jokers-{n}": say(language, AREA + "pay_with_jokers", n=n) for n in range(1, most)}
    labels |= {f"short-colour-{letter}": say(language, f"{AREA}colour_{letter}") for letter in LETTERS}
    labels["short-jokers-0"] = say(language, AREA + "short_without_jokers")
    labels |= {f"short-jokers-{n}": say(language, AREA + "short_with_jokers", n=n) for n in range(1, most)}
    return labels | {f"button-{what}": say(language, AREA + what) for what in ("pass", "take", "keep")}


# ---------------------------------------------------------------------------------------------------- Names


def tile_names(language: str) -> dict[str, str]:
    """What each kind of tile is called."""
    return {letter: say(language, f"{AREA}colour_{letter}") for letter in LETTERS} | {
        MARKER: say(language, AREA + "marker")
    }


def place_names(game: Game, language: str) -> dict[str, str]:
    """What each place is called where tiles lie, and in short the spaces of one's own board (``@``)."""
    names = {f"factory-{n}": say(language, AREA + "factory", n=n) for n in range(1, count_factories(game.players) + 1)}
    names |= {place: say(language, AREA + place) for place in ("centre", "supply", BAG)}
    names[DISCARDS] = say(language, AREA + "tower")
    for seat in range(1, game.players + 1):
        names[f"p{seat}-hand"] = say(language, AREA + "hand")
        names[f"p{seat}-corner"] = say(language, AREA + "corners")
    return names | {f"@-space-{space}": brief_space_label(game, space, language) for space in range(SPACES)}
