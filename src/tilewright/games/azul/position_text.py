"""A position of Azul as one line of text, and the checks that it can occur."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from tilewright.game.errors import BadPosition
from tilewright.game.illegal_reason import TileName
from tilewright.game.position_text import check, heading
from tilewright.game.validation import echo
from tilewright.games.azul import rules
from tilewright.games.azul.rules import COLOURS, EMPTY, FLOOR_SPACES, JOKER, LINES
from tilewright.games.azul.scoring import sources_of
from tilewright.games.azul.wall import FULL_ROW, row_pattern, wall_colour
from tilewright.games.family.factories import NOBODY
from tilewright.games.family.heap import counts_of, heap_of
from tilewright.games.family.position_text import (
    HIGHEST_NUMBER,
    POINTS_FOR_STUDY,
    HeapSection,
    Readers,
    check_factories,
    check_filling,
    heap_tiles,
    read_row,
    write_places,
)
from tilewright.kernels.chance import count_bits
from tilewright.kernels.compile import Cells, Row

if TYPE_CHECKING:
    from tilewright.game.game import Game
    from tilewright.game.position import Position

YES_NO = ("no", "yes")


def write(position: Position) -> str:
    """The whole row, but for what follows from the rest."""
    game, row, tiles = position.game, position.state, heap_tiles(position.game)
    marker = "centre" if row.marker == NOBODY else str(row.marker + 1)
    sections = [
        heading(game),
        f"round={row.round_number} phase={game.phases[row.phase]} turn={row.turn + 1} first={row.starter + 1}"
        f" marker={marker} tiled={YES_NO[row.tiled]} barren={row.barren}",
        f"bag={tiles.tally(row.bag)} lid={tiles.tally(row.lid)} {write_places(game, row)}",
    ]
    for seat in range(game.players):
        lines = ",".join(_write_line(game, row, seat, line) for line in range(LINES))
        wall = "/".join("".join((tiles.letters + ".")[kind] for kind in wall_row) for wall_row in row.wall[seat])
        sections.append(
            f"player={seat + 1} score={row.score[seat]} wall-points={row.wall_points[seat]}"
            f" lines={lines} wall={wall} floor={tiles.spell(row.floor[seat])}"
        )
    return "; ".join(sections)


def _write_line(game: Game, row: Row, seat: int, line: int) -> str:
    counts = [0] * 6
    jokers = int(row.line_jokers[seat, line])
    counts[JOKER] = jokers
    if row.line_colour[seat, line] != EMPTY:
        counts[row.line_colour[seat, line]] = int(row.line_tiles[seat, line]) - jokers
    return heap_tiles(game).spell(heap_of(counts))


def read(game: Game, text: str) -> Cells:
    """A row from its text; rejects whatever cannot occur."""
    states = read_draft(game, text)
    _check(game, states.view(np.recarray)[0])
    return states


def read_draft(game: Game, text: str) -> Cells:
    """A row from its text, whether or not it can occur."""
    steps = (partial(step, game) for step in (_read_moment, _read_table, _read_player))
    return read_row(game, text, Readers(rules.FILL, *steps))


def _read_moment(game: Game, row: Row, section: HeapSection) -> None:
    seats = [str(seat + 1) for seat in range(game.players)]
    row.round_number = section.number("round", 1, 9999)
    row.phase = section.choice("phase", game.phases)
    row.turn = section.choice("turn", seats)
    row.starter = section.choice("first", seats)
    row.marker = section.choice("marker", ["centre", *seats]) - 1
    row.tiled = section.choice("tiled", YES_NO)
    row.barren = section.number("barren", 0, rules.BARREN_ROUNDS)


def _read_table(game: Game, row: Row, section: HeapSection) -> None:
    row.bag = section.heap("bag", heap_tiles(game))
    row.lid = section.heap("lid", heap_tiles(game))


def _read_player(game: Game, row: Row, seat: int, section: HeapSection) -> None:
    section.choice("player", [str(seat + 1)])
    row.score[seat] = section.number("score", 0, HIGHEST_NUMBER)
    row.wall_points[seat] = section.number("wall-points", 0, HIGHEST_NUMBER)
    for line, part in enumerate(section.parts("lines", ",", LINES)):
        found = re.fullmatch(rf"-|(([{game.tiles.letters[:COLOURS]}])\2*)?(j*)", part)
        if not part or not found or len(part) > line + 1:
            jokers = ", then jokers (j)" if game.options.get("jokers") else ""
            raise BadPosition(
                f"{section.where}: line {line + 1} is {echo(part)}; it should be '-' or one colour's letter{jokers},"
                f" at most {line + 1} in all"
            )
        if "j" in part and not game.options.get("jokers"):
            raise BadPosition(f"{section.where}: line {line + 1} has a joker, and this game is played without them")
        if part != "-":
            row.line_colour[seat, line] = game.tiles.letters.index(part[0]) if part[0] != "j" else EMPTY
            row.line_tiles[seat, line] = len(part)
            row.line_jokers[seat, line] = part.count("j")
    row.wall[seat] = section.cells("wall", "/", LINES, LINES, game.tiles.letters)
    row.floor[seat] = section.heap("floor", heap_tiles(game))


def _check(game: Game, row: Row) -> None:
    _check_tiles(game, row)
    for seat in range(game.players):
        _check_player(game, row, seat)
    offered = any(row.places)
    full_rows = any(rules.count_rows(row, seat) for seat in range(game.players))
    if row.phase == rules.FILL:
        check_filling(game, row)
        check(row.bag or row.lid, "nothing_to_draw", "no tile is left to draw, so the phase is draft, or over")
    elif row.phase == rules.DRAFT:
        check(offered, "nothing_to_take", "somebody must take a tile, but there is none")
    else:
        told = "tiles are still on offer, but the phase is {phase}"
        check(not offered, "still_on_offer", told, phase=game.phases[row.phase])
    if row.phase in (rules.FILL, rules.OVER):
        check(not any(row.floor), "floor_emptied", "floor lines are emptied at the end of a round")
    if row.phase in (rules.FILL, rules.DRAFT):
        check(not full_rows, "row_full", "a row of a wall is full, so the game is over")
        full_lines = any(rules.full_line(row, seat) < LINES for seat in range(game.players))
        check(not full_lines or row.phase == rules.DRAFT, "line_not_emptied", "a full pattern line was not emptied")
    check(row.tiled == 0 or row.phase == rules.TILE, "tiled_later", "tiled=yes belongs to the phase tile")
    if row.phase == rules.TILE:
        told = "a row of a wall is full, so a tile was put on a wall in this round"
        check(row.tiled or not full_rows, "row_tiled", told)
        line, who = int(rules.full_line(row, int(row.turn))), int(row.turn) + 1
        check(line < LINES, "no_full_line", "player {player} has no full line to choose a cell for", player=who)
        earlier = [(row.starter + step) % game.players for step in range((row.turn - row.starter) % game.players)]
        untiled = [seat + 1 for seat in earlier if rules.full_line(row, seat) < LINES]
        told = "player {player} has a full line and chooses before player {other}"
        check(not untiled, "chooses_first", told, player=untiled and untiled[0], other=who)
        choice, told = rules.has_choice(row, int(row.turn), line), "line {line} leaves no choice of a cell"
        check(choice, "no_choice", told, line=line + 1)
        columns = rules.valid_columns(row, int(row.turn), line)
        check(columns, "no_cell", "line {line} has no valid cell", line=line + 1)
    if row.phase == rules.OVER:
        _check_end(game, row, full_rows)
    barren = row.barren < rules.BARREN_ROUNDS or row.phase == rules.OVER
    check(barren, "barren", "after three barren rounds the game is over")
    _check_round(game, row)


def _check_end(game: Game, row: Row, full_rows: bool) -> None:
    """A game that is over has a reason to be, and its scores follow from the walls."""
    full_lines = any(rules.full_line(row, seat) < LINES for seat in range(game.players))
    check(not full_lines, "line_not_emptied", "a full pattern line was not emptied")
    ended = full_rows or row.barren == rules.BARREN_ROUNDS or not (row.bag or row.lid)
    told = "the game is not over: no row of a wall is full, and there are tiles for another round"
    check(ended, "not_over", told)
    told = "a row was filled in the last round, so that round was not barren"
    check(not (full_rows and row.barren), "not_barren", told)
    for seat in range(game.players):
        points = sources_of(row, seat)
        score, lost = int(row.score[seat]), -points.pop("floor line")
        bonuses = sum(points.values()) - int(row.wall_points[seat])
        told = "player {player} has {score} points, {more} more than wall and bonuses have brought"
        check(lost >= 0, "score_too_high", told, player=seat + 1, score=score, more=-lost)
        told = "player {player} has {score} points, but the bonuses alone make {bonuses}"
        check(score >= bonuses, "score_too_low", told, player=seat + 1, score=score, bonuses=bonuses)


def _check_round(game: Game, row: Row) -> None:
    """The game ends after three barren rounds, so the tiles on the walls limit how many rounds there were."""
    on_walls = sum(count_bits(int(row.covered[seat])) for seat in range(game.players))
    most = rules.BARREN_ROUNDS * on_walls
    if not row.tiled:
        most += int(row.barren) + (row.phase != rules.OVER)
    check(
        row.round_number <= most,
        "round_too_late",
        "with {tiles} tiles on the walls this is at most round {most}, not {round},"
        " as three barren rounds end the game",
        tiles=on_walls,
        most=most,
        round=int(row.round_number),
    )


def _check_tiles(game: Game, row: Row) -> None:
    replaced = (1 if game.players == 2 else 2) if game.options.get("jokers") else 0
    wanted = [rules.COLOUR_TILES - replaced] * COLOURS + [COLOURS * replaced]
    counts = [0] * 6
    for heap in [row.bag, row.lid, *row.places, *row.floor]:
        counts = [a + b for a, b in zip(counts, counts_of(heap), strict=True)]
    for seat in range(game.players):
        for line in range(LINES):
            jokers = int(row.line_jokers[seat, line])
            counts[JOKER] += jokers
            if row.line_colour[seat, line] != EMPTY:
                counts[row.line_colour[seat, line]] += int(row.line_tiles[seat, line]) - jokers
        for kind in row.wall[seat].flat:
            if kind != EMPTY:
                counts[kind] += 1
    for kind in range(len(game.tiles.names)):
        told, name = "there are {tiles} {tile} tiles, not {wanted}", TileName.of(game.tiles, kind)
        right = counts[kind] == wanted[kind]
        check(right, "tile_count", told, tiles=counts[kind], tile=name, wanted=wanted[kind])
    check_factories(row)


def _most_wall_points(row: Row, seat: int) -> int:
    """What the tiles of a wall can have scored, each at most as many points as its row and its column had tiles then.

    A tile that is alone in its column scores nothing for it.
    """
    covered = row.wall[seat] != EMPTY
    across, down = (covered.sum(axis=axis).tolist() for axis in (1, 0))
    return sum(map(_sum_up_to, across)) + sum(_sum_up_to(tiles) - 1 for tiles in down if tiles) + POINTS_FOR_STUDY


def _sum_up_to(number: int) -> int:
    return number * (number + 1) // 2


def _check_player(game: Game, row: Row, seat: int) -> None:
    who = seat + 1
    floor = sum(counts_of(row.floor[seat]))
    told = "the floor line of player {player} has {tiles} tiles, more than {most}"
    check(floor <= FLOOR_SPACES, "floor_size", told, player=who, tiles=floor, most=FLOOR_SPACES)
    score, gained = int(row.score[seat]), int(row.wall_points[seat])
    tiles, most = count_bits(int(row.covered[seat])), _most_wall_points(row, seat)
    told = "player {player} has {points} points from a wall of {tiles} tiles, more than {most}"
    check(gained <= most, "wall_points", told, player=who, points=gained, tiles=tiles, most=most)
    if row.phase != rules.OVER:
        told = "player {player} has {score} points, but only {points} came from the wall"
        check(score <= gained, "score_from_wall", told, player=who, score=score, points=gained)
    for line in range(LINES):
        full = row.line_tiles[seat, line] and row_pattern(row, seat, line) == FULL_ROW
        told = "line {line} of player {player} holds tiles, but its wall row is full and has no cell for one"
        check(not full, "line_without_cell", told, line=line + 1, player=who)
        colour = int(row.line_colour[seat, line])
        if colour != EMPTY:
            name, barred = TileName.of(game.tiles, colour), rules.row_bars(row, seat, line, colour)
            told = "line {line} of player {player} holds {tile}, which its wall row already has"
            check(not barred, "line_barred", told, line=line + 1, player=who, tile=name)
    for line in range(LINES):
        cells = [int(kind) for kind in row.wall[seat, line] if kind not in (EMPTY, JOKER)]
        told = "row {row} of the wall of player {player} has a colour twice"
        check(len(set(cells)) == len(cells), "row_twice", told, row=line + 1, player=who)
        cells = [int(kind) for kind in row.wall[seat, :, line] if kind not in (EMPTY, JOKER)]
        told = "column {column} of the wall of player {player} has a colour twice"
        check(len(set(cells)) == len(cells), "column_twice", told, column=line + 1, player=who)
        if game.options["wall"] == "coloured":
            for column, kind in enumerate(row.wall[seat, line]):
                fits = kind in (EMPTY, JOKER) or kind == wall_colour(line, column)
                told = "row {row}, column {column} of the wall of player {player} has the wrong colour"
                check(fits, "wrong_colour", told, row=line + 1, column=column + 1, player=who)
