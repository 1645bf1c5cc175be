"""The messages to viewers: the whole state of a table, and what each move changed.

What is the same for all viewers is drawn once for each event and language, and kept for those who come next.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from tilewright.game.effects import Effect
from tilewright.game.errors import GameFault
from tilewright.game.game import Game
from tilewright.game.moves import Event, Move
from tilewright.game.position import Position
from tilewright.game.registry import every_rule_set
from tilewright.server.log import log_of
from tilewright.server.table import PlayedMove, Table
from tilewright.view import animation
from tilewright.view.faults import shown_effects, shown_outcome, warn_of
from tilewright.view.language import say
from tilewright.view.last_move import last_move
from tilewright.view.log_line import log_line
from tilewright.view.narrator import Effects, final_result, prompt, source_name
from tilewright.view.picture import compose, scenes
from tilewright.view.picture.fallback import shown_scene
from tilewright.view.picture.scene import Panel, Scene, Step, flown, moved_tiles
from tilewright.view.result_summary import result_summary

KEPT_MOMENTS = 256
"""How many moments of tables are kept as viewers see them: about 20 kB each."""
KEPT_DRAWINGS = 128
"""How many drawn tables are kept: about 60 kB each."""


def rules_of(game: Game) -> str:
    """The name of a rule set in URLs: the game, the number of players, and the options chosen."""
    parts = [game.name, str(game.players)]
    for option, value in game.options.items():
        parts += [value] if isinstance(value, str) else [option] if value else []
    return "-".join(parts)


def changes(before: Scene, after: Scene) -> dict[str, Any]:
    """The difference between two scenes, and the flights that lead from one to the other."""
    gone, come = moved_tiles(before, after)
    empty: dict[str, str | None] = {slot: None for slot in gone if slot not in after.tiles}
    return {
        "tiles": empty | come,
        "texts": {name: text for name, text in after.texts.items() if before.texts.get(name) != text},
        "marks": after.marks,
        "flights": [[flight.kind, flight.origin, flight.target] for flight in flown(gone, come)],
    }


def steps_of(played: PlayedMove) -> list[dict[str, Any]]:
    """A move as the steps in which it is shown."""
    return _steps(played.before, played.move, played.table.position, played.effects)


def _steps(before: Position, move: Move, after: Position, effects: Effects) -> list[dict[str, Any]]:
    scene = scenes.scene_of(before)
    shown: list[dict[str, Any]] = []
    for step in animation.steps(before, move, after, effects):
        message = changes(scene, step.scene)
        shown.append({**message, "points": _points(step) if step.points else None})
        scene = step.scene
    return shown


def _points(step: Step) -> dict[str, Any]:
    return {"seat": (step.seat or 0) + 1, "points": step.points, "at": step.at, "score": step.score}


def scene_of(table: Table, position: Position) -> dict[str, Any]:
    """Everything on the table. A game that is over is shown even if its picture fails."""
    return as_message(shown_scene(position) if table.position.is_over else scenes.scene_of(position))


def as_message(scene: Scene) -> dict[str, Any]:
    """A scene for JSON. Unlike ``dataclasses.asdict``, which takes longer than the drawing, it copies nothing."""
    return {"tiles": scene.tiles, "texts": scene.texts, "marks": scene.marks}


def prompt_of(table: Table, language: str) -> str | None:
    """A sentence that tells the player to move what to do."""
    if table.position.turn is None or table.waits_for_players:
        return None
    return prompt(table.position, language)


def legal_numbers(table: Table, seats: list[int]) -> list[int]:
    """The legal moves, for the holder of the seat to move; nobody else needs them."""
    turn = table.position.turn
    if turn is None or turn not in seats or table.waits_for_players:
        return []
    return [int(number) for number in table.position.legal_moves.numbers()]


def outcome_of(table: Table, language: str) -> dict[str, Any] | None:
    """How the game ended, each source of points by its name in the language."""
    outcome = shown_outcome(table.position)
    if outcome is None:
        return None
    names = table.names(language)
    return {
        "winners": [seat + 1 for seat in outcome.winners],
        "scores": list(outcome.scores),
        "points": [
            {source_name(table.game.spec, source, language): value for source, value in points.items()}
            for points in outcome.points
        ],
        "seed": table.told_secret,
        "helped": helped(table, language),
        "result": final_result(table.position, names, language),
        "summary": result_summary(table.position, names, language),
    }


def helped(table: Table, language: str) -> list[str]:
    """Who asked for hints, how often, and who looked at the evaluation bar, in words."""
    told = []
    for seat, name in enumerate(table.names(language)):
        if count := table.hints_of(seat):
            told.append(say(language, "review.helped", name=name, n=count))
        if table.had_bar(seat):
            told.append(say(language, "review.helped_by_bar", name=name))
    return told


def seats_of(
    table: Table,
    owned: list[int],
    present: set[int],
    replaceable: set[int],
    on_vacation: Mapping[int, float],
    language: str,
) -> list[dict[str, Any]]:
    """Who sits where, for the holder of the seats ``owned``."""
    names = table.names(language)
    described = []
    for number, seat in enumerate(table.stored.seats):
        by_bot = table.bot_of(number) is not None
        described.append(
            {
                "seat": number + 1,
                "name": names[number],
                "kind": "bot" if by_bot else seat.kind,
                "you": number in owned and not by_bot,
                "present": by_bot or number in present,
                "replaceable": number in replaceable,
                "substitute": seat.substitute is not None,
                "yours": number in owned,
                "timed_out": seat.timed_out,
                "vacation": on_vacation.get(number),
            }
        )
    return described


def table_state(table: Table, seats: list[int], language: str, after: int | None = None) -> dict[str, Any]:
    """The state of the game, for the holder of these seats, who may have seen the events up to ``after``."""
    return {
        **_shown_to_all(table, language),
        "legal": legal_numbers(table, seats),
        **log_of(table, language, after),
        "takeback": table.may_take_back(seats),
    }


@lru_cache(maxsize=KEPT_MOMENTS)
def _shown_to_all(table: Table, language: str) -> dict[str, Any]:
    """What every viewer of a moment sees."""
    turn = table.position.turn
    return {
        "event": table.event,
        "phase": "waiting" if table.waits_for_players else table.position.phase,
        "round": table.position.round,
        "turn": turn + 1 if turn is not None else None,
        "prompt": prompt_of(table, language),
        "scene": scene_of(table, table.position),
        "scores": list(table.position.scores),
        "last": _last_move(table),
        "over": outcome_of(table, language),
    }


def _last_move(table: Table) -> dict[str, Any] | None:
    """The last move that stands, as it stays visible."""
    found = table.last_move()
    if found is None:
        return None
    before, move = found
    return last_move(before, shown_effects(before, move), table.position)


def view_of(table: Table, language: str, **moment: Any) -> str:
    """Everything that a page needs to draw a table, as JSON: what does not change during a game, and the moment."""
    frame = {
        "id": table.id,
        "game": {
            "name": table.game.name,
            "title": table.game.title,
            "players": table.game.players,
            "options": dict(table.game.options),
        },
        "rules": rules_of(table.game),
        "paths": f"/api/paths/{rules_of(table.game)}",
        "seed_hash": table.commitment,
        "url": f"/t/{table.id}",
        "guided": table.stored.guided,
        "daily": table.stored.daily,
        "rated": table.stored.rated,
        "days": table.stored.days,
        "retry": None if (retry := table.retry) is None else retry._asdict(),
        "rematch": {"url": f"/t/{table.stored.rematch}"} if table.stored.rematch else None,
        **moment,
    }
    drawings = _drawings(table.game, tuple(table.names(language)), language)
    return f"{_to_json(frame)[:-1]},{drawings[1:]}"


@lru_cache(maxsize=KEPT_DRAWINGS)
def _drawings(game: Game, names: tuple[str, ...], language: str) -> str:
    """The drawings and words of a table as JSON, the same for every moment and viewer."""
    picture = compose.picture_of(game)
    return _to_json(
        {
            "panels": [_drawn(panel) for panel in picture.panels(game, list(names), language)],
            "symbols": compose.symbols(game),
            "buttons": picture.buttons(game, language),
            "tile_names": picture.tile_names(language),
            "place_names": picture.place_names(game, language),
        }
    )


def _drawn(panel: Panel) -> dict[str, Any]:
    drawn = {"name": panel.name, "width": panel.width, "height": panel.height, "svg": panel.body}
    return {**drawn, "compact": _drawn(panel.compact)} if panel.compact else drawn


def drawings_of(game: Game, names: list[str], language: str) -> dict[str, Any]:
    """The drawings and words of a table that is not played at, but looked at."""
    found: dict[str, Any] = json.loads(_drawings(game, tuple(names), language))
    return found


def _to_json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def game_of(rules: str) -> Game | None:
    """The game with a rule set's name, or None."""
    return _games_by_rules().get(rules)


@cache
def _games_by_rules() -> dict[str, Game]:
    return {rules_of(game): game for game in every_rule_set()}


@cache
def paths_of(game: Game) -> str:
    """The text of every move, and what to click for it, as JSON."""
    paths = compose.picture_of(game).paths(game)
    return _to_json(
        [
            {"text": str(move), "spots": list(path.spots), "loose": path.loose}
            for move, path in zip(game.moves, paths, strict=True)
        ]
    )


def _told(before: Position | None, event: Event | None, now: Position, language: str) -> dict[str, Any]:
    """Who moved and what they did, if the event is a move."""
    if before is None or before.turn is None or not isinstance(event, Move):
        return {"seat": None, "text": "", "round": (before or now).round, "last": None, "steps": []}
    effects = shown_effects(before, event)
    line = log_line(before, event, effects, language).described()
    steps = _scoring_steps(before, event, now, effects)
    return {"seat": before.turn + 1, **line, "last": last_move(before, effects, now), "steps": steps}


def _scoring_steps(before: Position, move: Move, after: Position, effects: Sequence[Effect]) -> list[dict[str, Any]]:
    """A move that scores, step by step; the page finds out by itself what any other move changed."""
    if not any(effect.points for effect in effects):
        return []
    try:
        return _steps(before, move, after, effects)
    except GameFault as fault:
        warn_of(fault)
        return []


def replay_of(table: Table, language: str) -> dict[str, Any]:
    """Every position of a game with its scene."""
    record = table.record(language)
    moments: list[dict[str, Any]] = []
    before: Position | None = None
    for n, position in enumerate(record.positions()):
        event = record.events[n - 1] if n else None
        moments.append(
            {
                "number": n,
                **_told(before, event, position, language),
                "scores": list(position.scores),
                "scene": scene_of(table, position),
            }
        )
        before = position
    over = table.position.is_over
    return {
        "events": moments,
        "seed_hash": table.commitment,
        "seed": table.told_secret,
        "checked": table.deals_are_honest() if over else None,
        "over": outcome_of(table, language),
    }
