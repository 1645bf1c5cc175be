"""``tilewright replay``: describe a saved game, event by event."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from tilewright.cli.described import game_object, outcome_object
from tilewright.cli.languages import chosen_language
from tilewright.cli.sources import find_record
from tilewright.cli.terminal import compiling_notice, screen_width, wants_colour
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.record import UNFINISHED, Record
from tilewright.view import narrator
from tilewright.view.language import say
from tilewright.view.phrasing import labelled
from tilewright.view.text_drawing import draw_text


def run(arguments: Namespace) -> int:
    """Check the record and describe it."""
    language = chosen_language(arguments.language, for_programs=arguments.json)
    with compiling_notice(language):
        record = find_record(arguments.file)
        if arguments.json:
            print(json.dumps(_record_object(record, language)))
        else:
            _tell(record, arguments.tables, wants_colour(arguments.colour), language)
    return 0


def _record_object(record: Record, language: str) -> dict[str, Any]:
    outcome = record.replay().outcome()
    return {
        **game_object(record.game),
        "names": record.names,
        "seed": record.seed,
        "events": [_event_object(number, before, after, language) for number, before, after in _steps(record)],
        "result": str(outcome or UNFINISHED),
        "outcome": outcome_object(outcome),
    }


def _steps(record: Record) -> Iterator[tuple[int, Position, Position]]:
    """The events with the positions before and after each."""
    positions = record.positions()
    before = next(positions)
    for number, after in enumerate(positions, start=1):
        yield number, before, after
        before = after


def _event_object(number: int, before: Position, after: Position, language: str) -> dict[str, Any]:
    event = after.events[-1]
    if isinstance(event, Move):
        assert before.turn is not None
        kind, player, description = "move", before.turn + 1, narrator.tell(before, event, language).sentence
    else:
        kind, player, description = "draw", None, narrator.tell_draw(before, event, language)
    return {
        "number": number,
        "kind": kind,
        "player": player,
        "text": str(event),
        "description": description,
        "round": after.round,
        "scores": list(after.scores),
    }


def _tell(record: Record, tables: bool, colour: bool, language: str) -> None:
    names = narrator.player_names(record.game, record.names, language)
    longest = max(len(name) for name in names)
    round_start = record.beginning()
    for number, before, after in _steps(record):
        event = after.events[-1]
        if isinstance(event, Move):
            assert before.turn is not None
            told = narrator.tell(before, event, language).with_text(event)
            print(f"{number:4}  {names[before.turn].ljust(longest)}  {told}")
        else:
            print(f"{number:4}  {labelled(narrator.tell_draw(before, event, language), str(event), language)}")
        if tables:
            print(f"\n{draw_text(after, names, colour, screen_width(), language)}\n")
        if after.is_over or (after.round != before.round and before.round > 0):
            won = narrator.tell_round(round_start, after, names, language)
            print("\n".join(["", say(language, "terminal.after_round", number=before.round), *won, ""]))
        if after.round != before.round:
            round_start = after
    if not tables or not record.events:
        print(f"\n{draw_text(record.replay(), names, colour, screen_width(), language)}")
