"""The default picture: the fields of the position laid out in panels, and every move as buttons.

The market shows what belongs to nobody, a panel for each player what is theirs. What can be done is chosen step by
step with buttons: one for each field of a move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.view.fields import EMPTY, Choice, Content, Field, fields_of, move_choices, spaced
from tilewright.view.game_texts import GameTexts
from tilewright.view.language import say
from tilewright.view.phrasing import labelled, tile_name
from tilewright.view.picture.drawing import Drawing, Markup, joined, place_tile
from tilewright.view.picture.frame import frame
from tilewright.view.picture.lettering import fitted
from tilewright.view.picture.palette import var
from tilewright.view.picture.scene import BAG, DISCARDS, Panel, Path, Scene
from tilewright.view.picture.style import circle, lettering, mark, moved, named, rect, slot, stroke, text
from tilewright.view.picture.tiles import MARKER, cell

WIDTH = 452.0
_LEFT, _HEAD, _FOOT = 22.0, 62.0, 22.0
_TITLE, _ROOM, _GAP = 18.0, WIDTH - 2 * 22.0, 12.0
_PITCH, _SMALLEST = 42.0, 16.0
_LINE = 26.0
_LONG = 10_000
_USUAL_SCORE = 2
"""Bytes: such a score has at most five digits."""
_YES_NO = {True: "yes", False: "no"}


@dataclass(frozen=True)
class DefaultPicture:
    """How a game is drawn and clicked that says nothing about it."""

    game: Game

    # Panels ---------------------------------------------------------------------------------------------

    def panels(self, game: Game, names: Sequence[str], language: str) -> list[Panel]:
        """The market and a board for each player."""
        shared = [field for field in fields_of(game) if not field.of_seats]
        market = _panel(game, "market", shared, "", _market_head(language), say(language, "picture.market"), language)
        return [market, *(self._board(seat, name, language) for seat, name in enumerate(names))]

    def _board(self, seat: int, name: str, language: str) -> Panel:
        own, me = [field for field in fields_of(self.game) if field.of_seats], f"p{seat + 1}"
        label = say(language, "picture.board", name=name)
        wide = self.game.kernels.score_type.itemsize > _USUAL_SCORE
        head = _board_head(me, name, language, score_size=15 if wide else 21)
        return _panel(self.game, f"player-{seat + 1}", own, f"{me}-", head, label, language, turn=me)

    # Scenes ---------------------------------------------------------------------------------------------

    def scene(self, position: Position) -> Scene:
        """What every field holds."""
        now = Scene(texts={"round": str(position.round)})
        for field in fields_of(self.game):
            for seat in range(position.game.players if field.of_seats else 1):
                _lay(now, position, field, seat)
        now.texts |= {f"p{seat + 1}-score": str(score) for seat, score in enumerate(position.scores)}
        now.marks += [f"p{seat + 1}-winner" for seat in position.winners]
        if position.turn is not None:
            now.marks.append(f"p{position.turn + 1}-turn")
        return now

    # Moves ----------------------------------------------------------------------------------------------

    def paths(self, game: Game) -> list[Path]:
        """A button for each choice."""
        return [Path(tuple(spot for spot, _ in choices)) for choices in self._choices]

    def buttons(self, game: Game, language: str) -> dict[str, str]:
        """The labels of all buttons; the game's translations may name moves and fields, under ``moves``."""
        return {spot: _label(game, language, choice) for choices in self._choices for spot, choice in choices}

    @cached_property
    def _choices(self) -> list[list[tuple[str, Choice]]]:
        """For each move the buttons of its choices, with what they mean."""
        return [[(_spot(self.game, choice), choice) for choice in move_choices(move)] for move in self.game.moves]

    # Names ----------------------------------------------------------------------------------------------

    def tile_names(self, language: str) -> dict[str, str]:
        """What each kind of tile is called."""
        return {kind: tile_name(self.game.spec, kind, language) for kind in (*self.game.tiles.letters, MARKER)}

    def place_names(self, game: Game, language: str) -> dict[str, str]:
        """Nothing but buttons can be clicked."""
        return {}


def _spot(game: Game, choice: Choice) -> str:
    if choice.is_kind:
        return f"button-{choice.move}-kind-{game.tiles.letters[choice.value]}"  # so ends a button that shows a tile
    return f"button-{choice.move}-{choice.field}-is-{choice.value}"


def _label(game: Game, language: str, choice: Choice) -> str:
    """What is done, where that is the first choice, and what is chosen."""
    texts = GameTexts(game.spec, language)
    what = texts.own(f"moves.{choice.move}") or spaced(choice.move)
    if not choice.field:
        return what
    title = texts.own(f"moves.{choice.field}") or spaced(choice.field)
    if choice.is_kind:
        chosen = tile_name(game.spec, game.tiles.letters[choice.value], language)
    elif isinstance(choice.value, bool):
        chosen = labelled(title, say(language, f"page.{_YES_NO[choice.value]}"), language)
    else:
        chosen = f"{title} {'–' if choice.value is None else choice.value}"
    return labelled(what, chosen, language) if choice.is_first else chosen


# --------------------------------------------------------------------------------------------------- Scenes


def _lay(now: Scene, position: Position, field: Field, seat: int) -> None:
    """The numbers of a field in their cells."""
    letters = position.game.tiles.letters
    stem = f"p{seat + 1}-{field.name}" if field.of_seats else field.name
    for n, value in enumerate(number for row in field.values(position, seat) for number in row):
        if field.content is not Content.SPACES:
            now.texts[f"{stem}-{n}"] = _short(value) if field.shape else str(value)
        elif value != EMPTY and 0 <= value < len(letters):
            now.tiles[f"{stem}-{n}"] = letters[value]


def _short(value: int) -> str:
    """A number that fits in a cell: bit sets and the like are not for reading anyway.

    >>> _short(-1), _short(1234), _short(73283997965)
    ('-1', '1234', '7e10')
    """
    return str(value) if abs(value) < _LONG else f"{value:.0e}".replace("e+", "e")


# --------------------------------------------------------------------------------------------------- Panels


def _panel(
    game: Game, name: str, fields: Sequence[Field], stem: str, head: Markup, label: str, language: str, turn: str = ""
) -> Panel:
    """A heading, then every field: single numbers in lines, the others as grids of cells."""
    content, top = Drawing() + head, _HEAD
    for field in fields:
        drawn, height = _line(game, field, stem, language) if not field.shape else _grid(game, field, stem, language)
        content += moved(_LEFT, top, drawn)
        top += height
    height = top + _FOOT
    if turn:
        outline = rect(2.5, 2.5, WIDTH - 5, height - 5, 13, "none", stroke("turn", 5))
        content = mark(f"{turn}-turn", outline) + content
    return Panel(name, WIDTH, height, frame(game, WIDTH, height, content, label))


def _market_head(language: str) -> Drawing:
    """The round, and where tiles come from and go to that lie nowhere else."""
    round_number = lettering(_LEFT, 37, say(language, "picture.round"), size=15, fill="muted")
    figure = text(WIDTH - _LEFT, 40, "round", size=24, anchor="end", fill="accent", bold=True, serif=True)
    return round_number + figure + slot(BAG, "", WIDTH / 2, 6, 1) + slot(DISCARDS, "", WIDTH / 2, 6, 1)


def _board_head(me: str, name: str, language: str, score_size: float) -> Drawing:
    star = "M0-13L3.2-4.4L12.4-4L5.2 1.7L7.6 10.5L0 5.5L-7.6 10.5L-5.2 1.7L-12.4-4L-3.2-4.4Z"
    winner = mark(f"{me}-winner", moved(330, 33, f'<path d="{star}" fill="{var("gold")}"/>'))
    score = rect(358, 16, 74, 34, 17, "accent") + text(
        395, 33 + score_size / 3, f"{me}-score", size=score_size, anchor="middle", fill="on-accent", bold=True
    )
    called = lettering(_LEFT, 40, fitted(name, 270, 20), size=20, bold=True, serif=True)
    label = say(language, "picture.score_of", name=name)
    return named(name, called) + named(say(language, "picture.winner"), winner) + named(label, score)


def _line(game: Game, field: Field, stem: str, language: str) -> tuple[Drawing, float]:
    label = lettering(0, 16, field.title(game, language), size=14, fill="muted")
    return label + text(_ROOM, 16, f"{stem}{field.name}-0", size=16, anchor="end", bold=True), _LINE


def _grid(game: Game, field: Field, stem: str, language: str) -> tuple[Drawing, float]:
    rows, columns = field.rows_and_columns
    pitch = max(_SMALLEST, min(_PITCH, _ROOM / columns))
    title = field.title(game, language)
    cells = joined(
        _cell(game, field, f"{stem}{field.name}-{row * columns + column}", column, pitch, _TITLE + pitch * row)
        for row in range(rows)
        for column in range(columns)
    )
    label = lettering(0, 12, title, size=13, fill="muted")
    return named(title, label + cells), _TITLE + pitch * rows + _GAP


def _cell(game: Game, field: Field, name: str, column: int, pitch: float, top: float) -> Drawing:
    x, y, size = pitch * (column + 0.5), top + pitch / 2, pitch - 3
    if field.content is Content.SPACES:
        return cell(x, y, size) + slot(name, "", x, y, size)
    if field.content is Content.NUMBERS:
        return cell(x, y, size) + text(x, y + size * 0.14, name, size=size * 0.38, anchor="middle", bold=True)
    tile = f'<g transform="scale({size * 0.8 / 40:.4g})">{place_tile(game.tiles.letters[column])}</g>'
    corner = size * 0.3
    badge = circle(corner, corner, size * 0.27, "plaster", stroke("accent", 1.3))
    number = text(corner, corner * 1.45, name, size=size * 0.38, anchor="middle", fill="accent", bold=True)
    return moved(x, y, tile + badge + number)
