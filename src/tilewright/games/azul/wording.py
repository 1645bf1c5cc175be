"""What is said about Azul and Azul Mini, in every language: views of the effects of moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tilewright.game.effects import DISCARDS, MARKER, Effect
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.games.azul.effects import LINE_FALLS, TAKE, tiling_ahead
from tilewright.games.azul.rules import FLOOR, full_line
from tilewright.view.grammar import listed
from tilewright.view.language import say
from tilewright.view.phrasing import Phrase, Told, signed, tile_name, tiles_counted, tiles_listed


def heading(position: Position, language: str) -> str:
    """Which game, which variant, which round."""
    options = position.game.options
    parts = [position.game.title]
    if options["wall"] == "grey":
        parts.append(say(language, "azul.heading.grey"))
    if options.get("jokers"):
        parts.append(say(language, "azul.heading.jokers"))
    return ", ".join([*parts, say(language, "narrator.round", number=position.round)])


def awaited(position: Position, name: str, language: str) -> str:
    """Whose turn it is and what the game waits for."""
    line = int(full_line(position.state, int(position.state.turn))) + 1
    return say(language, f"azul.awaited.{position.phase}", name=name, line=line)


def prompt(position: Position, language: str) -> str:
    """What the player to move has to do, in a sentence."""
    return say(language, f"azul.prompt.{position.phase}")


# Moves ------------------------------------------------------------------------------------------------------


def tell(position: Position, move: Move, effects: Sequence[Effect], language: str) -> Told:
    """What is taken from where and where it goes, or which cell a tile is put on."""
    return _tell_take(effects[0], language) if effects[0].what == TAKE else _tell_cell(effects[0], language)


def _tell_take(take: Effect, language: str) -> Told:
    values: Any = take.values
    spec, line = take.after.game.spec, values["line"]
    fallen, lost = _arriving(take, "floor"), _arriving(take, DISCARDS)
    taken = tiles_counted(spec, _arriving(take, "line") + fallen + lost, language)
    if values["marker"]:
        taken.append(say(language, "azul.told.marker"))
    tiles = listed(taken, language)
    _, _, factory = values["source"].partition("factory-")
    source = say(language, "azul.told.factory" if factory else "azul.told.centre", n=factory)
    rest = say(language, "azul.told.full") if values["full"] else ""
    if fallen and line != FLOOR:
        rest += say(language, "azul.told.falls", n=fallen.total(), tiles=tiles_listed(spec, fallen, language))
    if lost:
        rest += say(language, "azul.told.lost", n=lost.total(), tiles=tiles_listed(spec, lost, language))
    target = "floor" if line == FLOOR else "line"
    facts = {"tiles": tiles, "source": source, "line": line}
    return Told(
        say(language, f"azul.told.to_{target}", **facts) + rest,
        say(language, "azul.told.source", **facts),
        say(language, f"azul.told.{target}", **facts) + rest,
        advice=say(language, f"azul.advised.to_{target}", **facts) + rest,
    )


def _arriving(effect: Effect, target: str) -> Counter[str]:
    """The tiles that come to a place of the mover's board, or to the lid, by kind."""
    places = (target, f"p{(effect.seat or 0) + 1}-{target}")
    numbers: Counter[str] = Counter()
    for moved in effect.tiles:
        if moved.target.startswith(places) and moved.kind != MARKER:
            numbers[moved.kind] += moved.number
    return numbers


def _tell_cell(put: Effect, language: str) -> Told:
    values: Any = put.values
    facts = {
        "tile": tile_name(put.after.game.spec, values["kind"], language),
        "line": values["row"],
        "column": values["column"],
        "n": put.points,
    }
    return Told(
        say(language, "azul.told.to_wall", **facts),
        say(language, "azul.told.cell_heading", **facts),
        say(language, "azul.told.cell", **facts),
        advice=say(language, "azul.advised.to_wall", **facts),
    )


# Before a move is made --------------------------------------------------------------------------------------


def preview(position: Position, move: Move, effects: Sequence[Effect], language: str) -> list[Phrase]:
    """Short phrases about what a legal move brings: what it scores, then what it costs."""
    done = effects[0]
    if done.what != TAKE:
        scored = Phrase(say(language, "azul.preview.scores", n=done.points), done.points)
        return [scored, *_completed(done, language)]
    return _gains(done, language) + _costs(done, language)


def _gains(take: Effect, language: str) -> list[Phrase]:
    """How far the line is, and if it is full what its tile will bring after those of the full lines above it."""
    values: Any = take.values
    line = values["line"]
    if line == FLOOR:
        return []
    assert take.seat is not None
    if not values["full"]:
        held = int(take.after.state.line_tiles[take.seat, line - 1])
        return [Phrase(say(language, "azul.preview.line_has", line=line, n=held))]
    ahead = next(effect for effect in tiling_ahead(take.after, take.seat) if effect.values["row"] == line)
    if ahead.what == LINE_FALLS:
        return [Phrase(say(language, "azul.preview.line_blocked", line=line, n=line))]
    fills = Phrase(say(language, "azul.preview.line_fills", line=line, n=ahead.points), ahead.points)
    return [fills, *_completed(ahead, language)]


def _completed(put: Effect, language: str) -> list[Phrase]:
    """The bonuses that a tile on the wall makes sure of."""
    values: Any = put.values
    colour = tile_name(put.after.game.spec, values["kind"], language)
    return [
        Phrase(say(language, f"azul.preview.{what}", points=points, colour=colour), points)
        for what, points in values["completed"].items()
    ]


def _costs(take: Effect, language: str) -> list[Phrase]:
    """The marker, which comes first, and the tiles that fall."""
    values: Any = take.values
    phrases = []
    if values["marker"]:
        phrases.append(_costing("takes_marker", 1, values["marker_cost"], language))
    if values["fallen"]:
        phrases.append(_costing("falls", values["fallen"], values["fallen_cost"], language))
    return phrases


def _costing(key: str, number: int, cost: int, language: str) -> Phrase:
    """What something on the floor line costs; nothing once it is full."""
    if cost == 0:
        return Phrase(say(language, f"azul.preview.{key}_free", n=number))
    return Phrase(say(language, f"azul.preview.{key}", n=number, points=signed(-cost)), -cost)
