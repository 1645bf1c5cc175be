"""What is said about a game, in every language: one narrator for the terminal, the browser and replays.

A game's own part ``wording`` has ``heading(position, language)``, ``awaited(position, name, language)``,
``prompt(position, language)``, ``tell(position, move, effects, language)`` and
``preview(position, move, effects, language)``. What it tells of a move are views of the effects that the rules say it
has. Functions that a game's wording lacks are taken from
``default_wording``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.game.effects import Effect
from tilewright.game.errors import BadPosition, GameFault
from tilewright.game.game import Game
from tilewright.game.illegal_reason import NOT_ALLOWED, IllegalReason, TileCounts, TileName
from tilewright.game.moves import Draw, Move
from tilewright.game.outcome import Outcome
from tilewright.game.position import Position
from tilewright.game.record import unnamed_players
from tilewright.game.spec import GameSpec
from tilewright.game.validation import echo
from tilewright.view import default_wording
from tilewright.view.faults import shown_outcome, shown_tie_break, warn_of
from tilewright.view.grammar import listed
from tilewright.view.language import DEFAULT, find_key, say, texts
from tilewright.view.paint import printable
from tilewright.view.phrasing import Phrase, Told, labelled, signed, tile_name, tiles_listed

LONGEST_NAME = 16


def player_names(game: Game, names: Sequence[str] | None, language: str = DEFAULT) -> list[str]:
    """The names of the players for drawings; by their seats where there are none, as in a record without names."""
    by_seat = [say(language, "page.player", number=seat + 1) for seat in range(game.players)]
    if names is None:
        return by_seat
    if len(names) != game.players:
        raise ValueError(f"{game!r} needs {game.players} names, not {len(names)}")
    return [
        seat if name == unnamed else printable(name, LONGEST_NAME)
        for seat, name, unnamed in zip(by_seat, names, unnamed_players(game.players), strict=True)
    ]


def _asked(game: Game, function: str) -> Any:
    """A function of the game's wording, or the default."""
    return getattr(game.spec.part("wording"), function, None) or getattr(default_wording, function)


# The moment -------------------------------------------------------------------------------------------------


def heading(position: Position, language: str = DEFAULT) -> str:
    """Which game, which variant, which round."""
    return str(_asked(position.game, "heading")(position, language))


def prompt(position: Position, language: str = DEFAULT) -> str:
    """What the player to move has to do, in a sentence."""
    return str(_asked(position.game, "prompt")(position, language))


def awaited(position: Position, names: Sequence[str], language: str = DEFAULT) -> str:
    """Whose turn it is and what the game waits for; at the end, how it ended."""
    if position.is_over:
        return say(language, "narrator.game_over", result=final_result(position, names, language))
    name = names[position.turn] if position.turn is not None else ""
    return str(_asked(position.game, "awaited")(position, name, language))


# Moves and draws --------------------------------------------------------------------------------------------


Effects = Sequence[Effect] | None
"""The effects of a move, for callers that know them already."""


def tell(position: Position, move: Move, language: str = DEFAULT, effects: Effects = None) -> Told:
    """A legal move in words; ask before it is pushed."""
    effects = effects or position.game.spec.effects(position, move)
    told = _asked(position.game, "tell")(position, move, effects, language)
    if not isinstance(told, Told):
        raise GameFault(position.game.title, f"its wording.tell returned {echo(told)} instead of a Told")
    return told


def tell_anyhow(position: Position, move: Move, language: str, effects: Sequence[Effect]) -> Told:
    """A move that was played, as the game tells it; if its wording fails, as any game would."""
    try:
        return tell(position, move, language, effects)
    except GameFault as fault:
        warn_of(fault)
        return default_wording.tell(position, move, effects, language)


def preview(position: Position, move: Move, language: str = DEFAULT, effects: Effects = None) -> list[Phrase]:
    """What a legal move will score and cost, in short phrases."""
    effects = effects or position.game.spec.effects(position, move)
    lines = _asked(position.game, "preview")(position, move, effects, language)
    if not isinstance(lines, list | tuple) or not all(isinstance(line, Phrase) for line in lines):
        raise GameFault(position.game.title, f"its wording.preview returned {echo(lines)} instead of a list of Phrase")
    return list(lines)


def tell_draw(position: Position, draw: Draw, language: str = DEFAULT) -> str:
    """How many tiles are drawn, and for what where the game says so; ask before they are drawn."""
    own = find_key(position.game.spec, language, f"drawn.{position.phase}")
    return say(language, own or "narrator.drawn", n=len(draw.kinds))


def why_illegal(position: Position, move: Move, language: str = DEFAULT) -> str:
    """Which rule a move breaks; in English if the game does not say it in the language."""
    spec = position.game.spec
    reason = spec.notation.why_illegal(position, move)
    if isinstance(reason, str) or language == DEFAULT:
        return str(reason)
    key = find_key(spec, language, f"illegal.{reason.key}")
    if key is None:
        return say(language, "narrator.not_allowed") if reason.key == NOT_ALLOWED.key else str(reason)
    return _said(spec, reason, key, language)


def why_impossible(game: Game, error: BadPosition, language: str = DEFAULT) -> str:
    """Why a text is not a position that can occur; in English if the game does not say it in the language.

    Of a text that is not written as positions are, the details are for those who read English.
    """
    reason = error.reason
    if reason is None:
        told = say(language, "narrator.unreadable_position", game=game.title)
        return f"{told} ({error})" if language == DEFAULT else told
    shared = f"editor.flaw.{reason.key}"
    key = find_key(game.spec, language, f"impossible.{reason.key}") or (shared if shared in texts(language) else None)
    return str(reason) if key is None else _said(game.spec, reason, key, language)


def _said(spec: GameSpec, reason: IllegalReason, key: str, language: str) -> str:
    return say(language, key, **{name: _worded(spec, value, language) for name, value in reason.values.items()})


def _worded(spec: GameSpec, value: object, language: str) -> object:
    if isinstance(value, TileName):
        return tile_name(spec, value.letter, language)
    if isinstance(value, TileCounts):
        return tiles_listed(spec, value.numbers, language) or say(language, "narrator.no_tiles")
    return value


# Points -----------------------------------------------------------------------------------------------------


def score(points: int, language: str = DEFAULT) -> str:
    """A score."""
    return say(language, "narrator.points", n=points)


def source_name(spec: GameSpec, source: str, language: str = DEFAULT) -> str:
    """What a source of points is called."""
    own = find_key(spec, language, f"points.{source.replace(' ', '_')}")
    return say(language, own) if own else source


def tell_round(before: Position, after: Position, names: Sequence[str], language: str = DEFAULT) -> list[str]:
    """What each player won and lost between two positions, a line for each: the start of a round and its end."""
    longest = max(len(name) for name in names)
    return [
        f"{name.ljust(longest)}  {before.scores[seat]:3} -> {after.scores[seat]:3}   "
        + _points_between(before, after, seat, language)
        for seat, name in enumerate(names)
    ]


def _points_between(before: Position, after: Position, seat: int, language: str) -> str:
    spec = before.game.spec
    old, new = spec.points(before, seat), spec.points(after, seat)
    parts = [
        labelled(source_name(spec, source, language), signed(gain), language)
        for source in dict.fromkeys((*new, *old))
        if (gain := new.get(source, 0) - old.get(source, 0))
    ]
    return ", ".join(parts) or say(language, "narrator.no_points")


def result(outcome: Outcome, names: Sequence[str], language: str = DEFAULT) -> str:
    """Who won, and the scores: those of the winners first, then the others, the highest first.

    >>> result(Outcome((1,), (12, 30), ({}, {})), ["Anna", "Paul"])
    'Paul wins 30-12'
    """
    winners = [names[seat] for seat in outcome.winners]
    ranked = sorted(enumerate(outcome.scores), key=lambda one: (one[0] not in outcome.winners, -one[1]))
    scores = "-".join(str(score) for _, score in ranked)
    if len(winners) == 1:
        return say(language, "narrator.wins", name=winners[0], scores=scores)
    return say(language, "narrator.share", names=listed(winners, language), scores=scores)


def final_result(position: Position, names: Sequence[str], language: str = DEFAULT) -> str:
    """How a finished game ended: who won, the scores and, where players were tied, what decided."""
    outcome, decided = shown_outcome(position), shown_tie_break(position)
    assert outcome is not None
    told = result(outcome, names, language)
    if decided is None:
        return told
    return say(language, "narrator.tie_break", result=told, what=tie_break_name(position.game.spec, decided, language))


def tie_break_name(spec: GameSpec, tie_break: str, language: str = DEFAULT) -> str:
    """What the rules compare between players with equal points."""
    own = find_key(spec, language, f"tie_break.{tie_break.replace(' ', '_')}")
    return say(language, own) if own else tie_break
