"""What the analysis board is sent: the tree of a study, single moments, drafts of positions, and the engine's lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from tilewright.game.errors import BadDraw, BadPosition, TilewrightError
from tilewright.game.game import Game
from tilewright.game.moves import Draw, Event, Move
from tilewright.game.position import Position
from tilewright.game.position_text import heading
from tilewright.game.record import Record
from tilewright.game.registry import GAMES, game_of_position, make_game
from tilewright.game.study import Node, Study
from tilewright.insight.analysis import Analysis
from tilewright.insight.evaluation import Candidate
from tilewright.server import messages
from tilewright.server.errors import RequestError
from tilewright.server.event_lines import DRAW, tiles_drawn
from tilewright.server.move_preview import move_preview
from tilewright.view import narrator
from tilewright.view.editing import cleared, editor_of, flaw_of, read_draft
from tilewright.view.faults import shown_effects
from tilewright.view.language import say
from tilewright.view.picture import compose
from tilewright.view.slots import spot_of

MOST_EVENTS = 1500
"""Of a study on the board."""
LONGEST_LINE = 6
"""Moves of a principal variation that are shown."""


# Positions and events ---------------------------------------------------------------------------------------


def position_of(text: object) -> Position:
    """A position from a request, or an error that says what is wrong with it in the reader's language."""
    game = None
    try:
        if not isinstance(text, str):
            raise BadPosition("the text of a position is needed")
        game = game_of_position(text)
        return game.position(text)
    except BadPosition as error:
        raise _bad_position(game, error) from None


def _bad_position(game: Game | None, error: BadPosition) -> RequestError:
    def why(language: str) -> str:
        if game is None:
            return say(language, "errors.position_of_no_game", example=heading(make_game(next(iter(GAMES)))))
        return narrator.why_impossible(game, error, language).rstrip(".")

    return RequestError("bad_position", exactly=str(error), why=why)


def play(position: Position, event: str) -> Event:
    """Play an event as records write it, without the number of the player: ``3b2``, or ``draw bbyr``."""
    tiles = tiles_drawn(event)
    if tiles is None:
        return position.push(event)
    try:
        return position.draw(tiles)
    except BadDraw as error:
        raise RequestError("bad_draw", exactly=str(error), number=_first_bad_tile(position, tiles)) from None


def _first_bad_tile(position: Position, text: str) -> int:
    """The number of the first tile of a draw that cannot be drawn; all of them are drawn or none."""
    letters = "".join(text.split())
    for count in range(1, len(letters) + 1):
        try:
            position.copy().draw(letters[:count])
        except BadDraw:
            return count
    return 1


def written(event: Event) -> str:
    """An event as ``play`` reads it."""
    return f"{DRAW} {event}" if isinstance(event, Draw) else str(event)


# The board --------------------------------------------------------------------------------------------------


def board_message(study: Study, language: str) -> dict[str, Any]:
    """The drawings of a game and the whole tree of a study; the moments follow one by one."""
    game = study.record.game
    names = narrator.player_names(game, study.record.names, language)
    nodes = _nodes(study, language)
    return {
        "game": {"name": game.name, "title": game.title, "players": game.players},
        "paths": f"/api/paths/{messages.rules_of(game)}",
        "names": names,
        "start": study.record.beginning().to_text(),
        "edits": editor_of(game) is not None,
        "kinds": _kinds(game),
        "nodes": nodes,
        **messages.drawings_of(game, names, language),
    }


def _kinds(game: Game) -> str:
    """The letters of the tiles that a rule set is played with: some variants leave kinds out."""
    drawn = zip(game.tiles.letters, game.set_up().draw_weights(), strict=True)
    return "".join(letter for letter, n in drawn if n) or game.tiles.letters


def _nodes(study: Study, language: str) -> list[dict[str, Any]]:
    """Every event of a study, each after the one that it follows; number 0 is the beginning."""
    start = study.record.beginning()
    found = [{"parent": None, "comment": study.root.comment, "position": start.to_text(), "round": start.round}]
    pending: list[tuple[int, Node, Position]] = [(0, node, start) for node in reversed(study.root.children)]
    while pending:
        parent, node, before = pending.pop()
        if len(found) > MOST_EVENTS:
            raise RequestError("study_too_long", most=MOST_EVENTS)
        assert node.event is not None
        position = before.copy()
        message = node_message(position, node.event, language)
        pending += [(len(found), child, position) for child in reversed(node.children)]
        found.append({"parent": parent, "comment": node.comment, **message})
    return found


def node_message(position: Position, event: Event, language: str) -> dict[str, Any]:
    """Play an event, and say what it was."""
    seat = None if position.turn is None else position.turn + 1
    if isinstance(event, Move):
        told = narrator.tell_anyhow(position, event, language, shown_effects(position, event)).sentence
        position.push(event)
    else:
        told = narrator.tell_draw(position, event, language)
        position.draw(str(event))
    position.forget_past()
    return {
        "event": written(event),
        "seat": seat,
        "told": told,
        "position": position.to_text(),
        "round": position.round,
    }


def moment_message(position: Position, names: Sequence[str], language: str) -> dict[str, Any]:
    """A position as the board shows it, and what can be done there."""
    turn = position.turn
    return {
        "position": position.to_text(),
        "scene": messages.as_message(compose.picture_of(position.game).scene(position)),
        "turn": None if turn is None else turn + 1,
        "round": position.round,
        "scores": list(position.scores),
        "legal": [] if turn is None else [int(number) for number in position.legal_moves.numbers()],
        "prompt": None if turn is None else narrator.prompt(position, language),
        "awaited": narrator.awaited(position, list(names), language),
        "draw": _draw_message(position) if position.awaits_draw else None,
        "over": position.is_over,
    }


def _draw_message(position: Position) -> dict[str, Any]:
    """What can be drawn next, and how many tiles the deal still needs."""
    weights = zip(position.game.tiles.letters, position.draw_weights(), strict=True)
    return {"tiles": {letter: n for letter, n in weights if n}, "wanted": len(position.copy().deal(seed=0).kinds)}


def about_move(position: Position, number: int, language: str) -> dict[str, Any]:
    """What a legal move would bring, or which rule forbids another."""
    move = position.game.move(number)
    if move not in position.legal_moves:
        return {"said": narrator.why_illegal(position, move, language)}
    return move_preview(position, move, language)


def moves_from(position: Position, spot: str) -> list[int]:
    """The legal moves that begin with a click on a spot."""
    paths = compose.picture_of(position.game).paths(position.game)
    mover = position.turn or 0
    legal = [] if position.turn is None else [int(number) for number in position.legal_moves.numbers()]
    found = [move for move in legal if spot_of(mover, paths[move].spots[0]) == spot]
    if not found:
        raise RequestError("illegal_move")
    return found


# Saving -----------------------------------------------------------------------------------------------------


def study_of(start: str, names: list[str], comment: str, nodes: Sequence[Sequence[Any]]) -> Study:
    """The study that a page sends: its beginning, and for each event its parent, its text and its comment."""
    beginning = position_of(start)
    game = beginning.game
    if len(nodes) > MOST_EVENTS:
        raise RequestError("study_too_long", most=MOST_EVENTS)
    if len(names) != game.players:
        raise RequestError("bad_study", exactly=f"a study needs {game.players} names, not {len(names)}")
    record = Record.of(game.set_up(), names)
    record.start = None if beginning == game.set_up() else beginning
    study = Study(record)
    study.root.comment = comment
    found: list[tuple[Node, Position]] = [(study.root, beginning)]
    for number, (parent, event, said) in enumerate(nodes, start=1):
        if not 0 <= parent < number:
            raise RequestError("bad_study", exactly=f"event {number} follows event {parent}, which comes later")
        position = found[parent][1].copy()
        try:
            node = found[parent][0].child(play(position, event))
        except TilewrightError as error:
            raise RequestError("bad_study", exactly=f"event {number}, {event[:40]}: {error}") from None
        node.comment = said
        found.append((node, position))
    return study


# Drafts -----------------------------------------------------------------------------------------------------


def draft_message(
    game: Game, text: str | None, change: Sequence[str], names: list[str], language: str
) -> dict[str, Any]:
    """A draft after a change: ``("put", slot, kind)``, ``("change", control, value)`` or none; no text, no tiles."""
    editor = editor_of(game)
    try:
        draft = cleared(game) if text is None else read_draft(game, text)
        if editor is not None and change:
            act, name, value = change
            (editor.put if act == "put" else editor.change)(draft, name, value)
    except BadPosition as error:
        raise _bad_position(game, error) from None
    controls = [] if editor is None else editor.controls(draft, names, language)
    return {
        "text": draft.to_text(),
        "scene": messages.as_message(compose.picture_of(game).scene(draft)),
        "controls": [asdict(control) for control in controls],
        "flaw": flaw_of(draft, language),
    }


# The engine -------------------------------------------------------------------------------------------------


def lines_message(analysis: Analysis, language: str) -> dict[str, Any]:
    """The best lines of an analysis, in words where people read them."""
    best = analysis.candidates[: analysis.lines]
    return {
        "chances": list(analysis.expectation.chances),
        "margins": list(analysis.expectation.margins),
        "simulations": analysis.simulations,
        "lines": [_line(analysis, candidate, language) for candidate in best],
    }


def _line(analysis: Analysis, candidate: Candidate, language: str) -> dict[str, Any]:
    position = analysis.position.copy()
    moves = []
    for move in candidate.line[:LONGEST_LINE]:
        if position.turn is None:
            break
        told = narrator.tell_anyhow(position, move, language, shown_effects(position, move)).sentence
        moves.append({"seat": position.turn + 1, "event": str(move), "told": told})
        position.push(move)
    return {
        "move": int(candidate.move),
        "chance": analysis.chance(candidate),
        "margin": analysis.margin(candidate),
        "visits": candidate.visits,
        "moves": moves,
    }
