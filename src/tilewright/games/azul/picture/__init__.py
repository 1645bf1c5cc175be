"""The picture of Azul and Azul Mini: what the server asks of a game's picture, gathered; clicks and names are here."""

from __future__ import annotations

from tilewright.game.game import Game
from tilewright.games.azul.notation import TILES, ChooseCell, Take
from tilewright.games.azul.picture.joker import PALETTE
from tilewright.games.azul.picture.panels import panels, symbols
from tilewright.games.azul.picture.scene import scene
from tilewright.games.azul.rules import FLOOR, JOKER, LINES
from tilewright.games.family.factories import CENTRE, count_factories
from tilewright.view.language import say
from tilewright.view.picture.scene import BAG, DISCARDS, Path
from tilewright.view.picture.tiles import MARKER

__all__ = ["PALETTE", "buttons", "panels", "paths", "place_names", "scene", "symbols", "tile_names"]


def paths(game: Game) -> list[Path]:
    """The clicks of every move of the action space, by number."""
    return [_path(move.fields) for move in game.moves]


def _path(move: Take | ChooseCell) -> Path:
    """The tiles that are taken, where they go, and where that is in doubt the number of jokers that stay."""
    if isinstance(move, ChooseCell):
        return Path((f"@-wall-{move.row}-{move.column}",))
    place = "centre" if move.source == CENTRE else f"factory-{move.source}"
    spots = [f"{place}-{TILES.letters[kind]}" for kind in ([move.kind, JOKER] if move.with_jokers else [move.kind])]
    spots.append("@-floor" if move.line == FLOOR else f"@-line-{move.line}")
    if move.jokers_kept is not None:
        spots.append(f"button-jokers-{move.jokers_kept}")
    return Path(tuple(spots))


def buttons(game: Game, language: str) -> dict[str, str]:
    """How many jokers of a take stay in its line, where that is the player's choice."""
    if not game.options.get("jokers"):
        return {}
    return {f"button-jokers-{n}": say(language, "azul.jokers_stay", n=n) for n in range(LINES + 1)}


def tile_names(language: str) -> dict[str, str]:
    """What each kind of tile is called, by its letter."""
    return {kind: say(language, f"azul.tile_{kind}") for kind in (*TILES.letters, MARKER)}


def place_names(game: Game, language: str) -> dict[str, str]:
    """What the places are called that tiles are taken from, and those on one's own board (``@``) where they go."""
    names = {f"factory-{n}": say(language, "azul.factory", n=n) for n in range(1, count_factories(game.players) + 1)}
    names["centre"] = say(language, "azul.centre")
    names |= {f"@-line-{n}": say(language, "azul.line", n=n) for n in range(1, LINES + 1)}
    cells = ((row, column) for row in range(1, LINES + 1) for column in range(1, LINES + 1))
    names |= {f"@-wall-{row}-{column}": say(language, "azul.cell", row=row, column=column) for row, column in cells}
    names["@-floor"] = say(language, "azul.floor")
    return names | {BAG: say(language, "azul.bag"), DISCARDS: say(language, "azul.lid")}
