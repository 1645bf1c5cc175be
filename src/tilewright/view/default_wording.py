"""The wording of a game that has none of its own: its moves as they are written, and their effects.

A game's translations may name what the effects are called: ``[effect]`` with a text for each ``Effect.what``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tilewright.game.effects import MOVE, Effect
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.spec import GameSpec
from tilewright.view.language import find_key, say
from tilewright.view.phrasing import Phrase, Told, labelled, signed, tiles_listed


def heading(position: Position, language: str) -> str:
    """Which game, which variant, which round."""
    spec, options = position.game.spec, position.game.options
    parts = [spec.title]
    for option in spec.options:
        value = options[option.name]
        if value != option.default:
            parts.append(value if isinstance(value, str) else option.name)
    if position.round > 0:
        parts.append(say(language, "narrator.round", number=position.round))
    return ", ".join(parts)


def awaited(position: Position, name: str, language: str) -> str:
    """Whom or what the game waits for."""
    if position.turn is None:
        return say(language, "narrator.draw_awaited")
    return say(language, "narrator.to_move", name=name)


def prompt(position: Position, language: str) -> str:
    """What the player to move has to do."""
    own = find_key(position.game.spec, language, f"prompt.{position.phase}")
    return say(language, own or "narrator.prompt")


def tell(position: Position, move: Move, effects: Sequence[Effect], language: str) -> Told:
    """The move as it is written, then the tiles that its first effect moves and the points of the mover."""
    spec, seat = position.game.spec, position.turn
    plays, play = (say(language, f"narrator.{key}", move=move.text) for key in ("plays", "play"))
    told = _tiles_moved(spec, effects[0], language) if effects else []
    points = sum(effect.points for effect in effects if effect.seat == seat)
    if points:
        told.append(say(language, "narrator.scores", n=abs(points), points=signed(points)))
    detail = ", ".join(told)
    sentence, advice = (labelled(verb, detail, language) if detail else verb for verb in (plays, play))
    return Told(sentence, say(language, "narrator.moves"), detail, has_text=True, advice=advice)


def _tiles_moved(spec: GameSpec, effect: Effect, language: str) -> list[str]:
    """Tiles by where they go, all that go there together."""
    ways: dict[tuple[str, str], Counter[str]] = {}
    for moved in effect.tiles:
        ways.setdefault((moved.origin, moved.target), Counter())[moved.kind] += moved.number
    return [
        say(
            language,
            "narrator.tiles_move",
            tiles=tiles_listed(spec, numbers, language),
            origin=_place_name(spec, origin, language),
            target=_place_name(spec, target, language),
        )
        for (origin, target), numbers in ways.items()
    ]


def _place_name(spec: GameSpec, place: str, language: str) -> str:
    """A place by its name in the game's translations (``[place]``), else by the words that it is made of."""
    key = find_key(spec, language, f"place.{place}")
    return place.replace("-", " ") if key is None else say(language, key)


def preview(position: Position, move: Move, effects: Sequence[Effect], language: str) -> list[Phrase]:
    """What the mover wins and loses, each effect with what it is for."""
    return [
        Phrase(_scored(position.game.spec, effect, language), effect.points)
        for effect in effects
        if effect.seat == position.turn and effect.points
    ]


def _scored(spec: GameSpec, effect: Effect, language: str) -> str:
    points = signed(effect.points)
    if what := _effect_name(spec, effect, language):
        return say(language, "narrator.scores_for", points=points, what=what)
    return say(language, "narrator.scores", n=abs(effect.points), points=points)


def _effect_name(spec: GameSpec, effect: Effect, language: str) -> str:
    """What the game calls an effect; nothing for a whole move."""
    if effect.what == MOVE:
        return ""
    key = find_key(spec, language, f"effect.{effect.what}")
    return effect.what.replace("_", " ") if key is None else say(language, key)
