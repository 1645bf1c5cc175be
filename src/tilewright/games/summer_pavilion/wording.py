"""What is said about Summer Pavilion, in every language: views of the effects of moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tilewright.game.effects import Effect
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.games.family.heap import counts_of
from tilewright.games.summer_pavilion.board import CENTRE_STAR, STAR_SPACES
from tilewright.games.summer_pavilion.effects import (
    BONUS,
    FEATURE,
    KEEP,
    NUMBERS,
    PASS,
    PLACE,
    STAR,
    TAKE,
    TAKE_MARKER,
)
from tilewright.games.summer_pavilion.names import TILES, space_number, star_number
from tilewright.games.summer_pavilion.rules import CORNERS, ROUNDS, joker_colour
from tilewright.view.grammar import listed
from tilewright.view.language import say
from tilewright.view.phrasing import Phrase, Told, signed

AREA = "summer_pavilion."

# The moment -------------------------------------------------------------------------------------------------


def heading(position: Position, language: str) -> str:
    """Which game, which variant, which round, which joker."""
    parts = [position.game.title]
    if position.game.options["side"] == "grey":
        parts.append(say(language, AREA + "heading.grey"))
    if position.round == 0:
        return ", ".join([*parts, say(language, AREA + "heading.set_up")])
    parts.append(say(language, AREA + "heading.round", number=position.round, rounds=ROUNDS))
    return ", ".join([*parts, say(language, AREA + "heading.joker", colour=joker_name(position, language))])


def awaited(position: Position, name: str, language: str) -> str:
    """Whose turn it is and what the game waits for."""
    return say(language, f"{AREA}awaited.{position.phase}", name=name, n=int(position.state.owed))


def prompt(position: Position, language: str) -> str:
    """What the player to move has to do, in a sentence."""
    last = position.phase == "keep" and position.round == ROUNDS
    return say(language, f"{AREA}prompt.keep_last" if last else f"{AREA}prompt.{position.phase}")


# Names ------------------------------------------------------------------------------------------------------


def joker_name(position: Position, language: str) -> str:
    """The joker colour of the round."""
    return say(language, f"{AREA}tile_{TILES.letters[int(joker_colour(position.state))]}")


def star_text(game: Game, star: int, language: str) -> str:
    """A star by itself, as in "blue star"."""
    if star == CENTRE_STAR:
        return say(language, AREA + "star_centre")
    if game.options["side"] == "grey":
        return say(language, AREA + "star_grey", n=star_number(star))
    return say(language, f"{AREA}star_{TILES.letters[star]}")


def say_of_star(game: Game, star: int, language: str, key: str, grey_key: str, **values: object) -> str:
    """A text about a star; the outer stars of the grey side, which have numbers, are spoken of differently."""
    if game.options["side"] == "grey" and star != CENTRE_STAR:
        return say(language, AREA + grey_key, n=star_number(star), **values)
    return say(language, AREA + key, star=star_text(game, star, language), **values)


def tiles_text(position: Position, heap: int, jokers: int, language: str) -> str:
    """Tiles by colour, and last those that serve as jokers: "2 × red and 1 × joker (purple)"."""
    counts = counts_of(heap)
    counts[int(joker_colour(position.state))] -= jokers
    parts = [
        f"{number} × {say(language, f'{AREA}tile_{letter}')}"
        for letter, number in zip(TILES.letters, counts, strict=True)
        if number
    ]
    if jokers:
        parts.append(say(language, AREA + "told.jokers", n=jokers, colour=joker_name(position, language)))
    return listed(parts, language)


def _cost(points: int) -> str:
    """Points lost, which may be none: no score falls below 1."""
    return signed(points) if points else "0"


def _count(heap: int) -> int:
    return sum(counts_of(heap))


# Moves ------------------------------------------------------------------------------------------------------


def tell(position: Position, move: Move, effects: Sequence[Effect], language: str) -> Told:
    """A move in words; what moves share is the place, the star, or what is being chosen."""
    told = {
        TAKE: _tell_take,
        PLACE: _tell_placement,
        BONUS: _tell_bonus,
        PASS: _tell_pass,
        KEEP: _tell_keep,
    }
    return told[effects[0].what](position, effects, language)


def _tell_take(position: Position, effects: Sequence[Effect], language: str) -> Told:
    values: Any = effects[0].values
    tiles = tiles_text(position, values["tiles"], values["jokers"], language)
    _, _, factory = values["source"].partition("factory-")
    source = say(language, AREA + ("told.factory" if factory else "told.centre"), n=factory)
    marker = "".join(
        say(language, AREA + "told.with_marker", points=_cost(effect.points))
        for effect in effects
        if effect.what == TAKE_MARKER
    )
    told, advice = _both(language, "take", tiles=tiles, source=source)
    return Told(told + marker, source, tiles + marker, advice=advice + marker)


def _tell_placement(position: Position, effects: Sequence[Effect], language: str) -> Told:
    game, values = position.game, dict[str, Any](effects[0].values)
    star = values["space"] // STAR_SPACES
    facts = {
        "tile": say(language, f"{AREA}a_tile_{values['kind']}"),
        "number": space_number(str(game.options["side"]), values["space"]),
        "of_star": say_of_star(game, star, language, "of_star", "of_grey_star"),
        "paid": tiles_text(position, values["paid"], values["jokers"], language),
        "n": effects[0].points,
    }
    completed = listed(list(_completed(game, effects, language)), language)
    more = say(language, AREA + "told.completes", things=completed) if completed else ""
    told, advice = _both(language, "place", **facts)
    detail = say(language, AREA + "told.place_detail", **facts) + more
    return Told(told + more, star_text(game, star, language), detail, advice=advice + more)


def _completed(game: Game, effects: Sequence[Effect], language: str) -> Iterator[str]:
    """What a placement completes: features, a star, a number."""
    features = [str(effect.values["name"]) for effect in effects if effect.what == FEATURE]
    if features == ["pillar", "pillar"]:
        features = ["two_pillars"]
    for feature in features:
        yield say(language, f"{AREA}told.{feature}")
    for effect in effects:
        values: Any = effect.values
        if effect.what == STAR:
            yield say_of_star(game, values["star"], language, "told.star", "told.grey_star")
        elif effect.what == NUMBERS:
            yield say(language, AREA + "told.number", number=values["number"])


def _tell_bonus(position: Position, effects: Sequence[Effect], language: str) -> Told:
    values: Any = effects[0].values
    tiles = tiles_text(position, values["tiles"], values["jokers"], language)
    told, advice = _both(language, "bonus", tiles=tiles)
    return Told(told, say(language, AREA + "told.bonus_heading"), tiles, advice=advice)


def _tell_pass(position: Position, effects: Sequence[Effect], language: str) -> Told:
    values: Any = effects[0].values
    number = _count(values["tiles"])
    held = say(language, AREA + ("told.holding" if number else "told.holding_nothing"), n=number)
    told, advice = _both(language, "pass", held=held)
    return Told(told, say(language, AREA + "told.pass_heading"), held, advice=advice)


def _tell_keep(position: Position, effects: Sequence[Effect], language: str) -> Told:
    values: Any = effects[0].values
    tiles = tiles_text(position, values["tiles"], 0, language)  # for the next round, which has another joker colour
    discarded = _count(values["discarded"])
    cost = _cost(effects[0].points)
    told, advice = _both(language, "keep" if tiles else "keep_nothing", tiles=tiles)
    rest, advised = _both(language, "discards", n=discarded, points=cost) if discarded else ("", "")
    detail = (tiles or say(language, AREA + "told.nothing")) + rest
    return Told(told + rest, say(language, AREA + "told.keep_heading"), detail, advice=advice + advised)


def _both(language: str, key: str, **facts: object) -> tuple[str, str]:
    """What a player does, and the same as advice."""
    return say(language, f"{AREA}told.{key}", **facts), say(language, f"{AREA}advised.{key}", **facts)


# Before a move is made --------------------------------------------------------------------------------------


def preview(position: Position, move: Move, effects: Sequence[Effect], language: str) -> list[Phrase]:
    """Short phrases about what a legal move brings and costs."""
    return [phrase for effect in effects for phrase in _phrases(effect, language)]


def _phrases(effect: Effect, language: str) -> Iterator[Phrase]:
    """What one effect means to a player who considers the move; bonuses at the end of the game are not foretold."""
    values: Any = effect.values
    key = AREA + "preview."
    if effect.what in (TAKE, BONUS):
        yield from _taking(_count(values["tiles"]), values["jokers"], language)
    elif effect.what == TAKE_MARKER:
        yield Phrase(say(language, key + "takes_marker", points=_cost(effect.points)), effect.points)
    elif effect.what == PLACE:
        yield Phrase(say(language, key + "scores", n=effect.points), effect.points)
        if values["jokers"]:
            yield Phrase(say(language, key + "uses_jokers", n=values["jokers"]))
    elif effect.what == FEATURE:
        yield Phrase(say(language, f"{key}completes_{values['name']}", n=values["tiles"]))
    elif effect.what == STAR:
        keys = ("preview.completes_star", "preview.completes_grey_star")
        said = say_of_star(effect.after.game, values["star"], language, *keys, bonus=values["bonus"])
        yield Phrase(said, values["bonus"])
    elif effect.what == NUMBERS:
        said = say(language, key + "completes_number", number=values["number"], bonus=values["bonus"])
        yield Phrase(said, values["bonus"])
    elif effect.what == PASS:
        yield Phrase(say(language, key + "passes"))
        held = _count(values["tiles"])
        if held and effect.after.round == ROUNDS:
            yield _left_over(effect, held, language)
        elif held > CORNERS:
            yield Phrase(say(language, key + "must_discard", n=held - CORNERS))
    elif effect.what == KEEP:
        yield from _keeping(effect, language)


def _taking(number: int, jokers: int, language: str) -> Iterator[Phrase]:
    if jokers == number:
        yield Phrase(say(language, AREA + "preview.takes_jokers", n=jokers))
        return
    yield Phrase(say(language, AREA + "preview.takes", n=number))
    if jokers:
        yield Phrase(say(language, AREA + "preview.with_jokers", n=jokers))


def _keeping(effect: Effect, language: str) -> Iterator[Phrase]:
    values: Any = effect.values
    kept, discarded = _count(values["tiles"]), _count(values["discarded"])
    if effect.after.round == ROUNDS:
        yield _left_over(effect, kept, language)
        return
    yield Phrase(say(language, AREA + ("preview.keeps" if kept else "preview.keeps_nothing"), n=kept))
    if discarded:
        said = say(language, AREA + "preview.discards", n=discarded, points=_cost(effect.points))
        yield Phrase(said, effect.points)


def _left_over(effect: Effect, number: int, language: str) -> Phrase:
    """After the last round every tile costs a point, in a corner or not; but no score falls below 1."""
    assert effect.seat is not None
    lost = min(number, effect.after.scores[effect.seat] - 1)
    discarded = _count(dict[str, Any](effect.values).get("discarded", 0))
    points = effect.points - lost
    return Phrase(say(language, AREA + "preview.left_over", n=number + discarded, points=_cost(points)), points)
