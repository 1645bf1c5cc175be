"""A position of Azul as one line of text, and the checks that it can occur."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from tilewright.game.errors import BadPosition
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
    game, row, tiles = position.game, position.row, heap_tiles(position.game)
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
    steps = (partial(step, game) for step in (_read_moment, _read_table, _read_player, _check))
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
            raise BadPosition(
                f"{section.where}: line {line + 1} is {echo(part)}; it should be '-', or up to {line + 1} letters of"
                " one colour, jokers (j) after them"
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
        check(row.bag or row.lid, "no tile is left to draw, so the phase is draft, or over")
    elif row.phase == rules.DRAFT:
        check(offered, "somebody must take a tile, but there is none")
    else:
        check(not offered, f"tiles are still on offer, but the phase is {game.phases[row.phase]}")
    if row.phase in (rules.FILL, rules.OVER):
        check(not any(row.floor), "floor lines are emptied at the end of a round")
    if row.phase in (rules.FILL, rules.DRAFT):
        check(not full_rows, "a row of a wall is full, so the game is over")
        full_lines = any(rules.full_line(row, seat) < LINES for seat in range(game.players))
        check(not full_lines or row.phase == rules.DRAFT, "a full pattern line was not emptied")
    check(row.tiled == 0 or row.phase == rules.TILE, "tiled=yes belongs to the phase tile")
    if row.phase == rules.TILE:
        check(row.tiled or not full_rows, "a row of a wall is full, so a tile was put on a wall in this round")
        line = int(rules.full_line(row, int(row.turn)))
        check(line < LINES, f"player {row.turn + 1} has no full line to choose a cell for")
        earlier = [(row.starter + step) % game.players for step in range((row.turn - row.starter) % game.players)]
        untiled = [seat + 1 for seat in earlier if rules.full_line(row, seat) < LINES]
        check(not untiled, f"player {untiled and untiled[0]} has a full line and chooses before player {row.turn + 1}")
        check(rules.has_choice(row, int(row.turn), line), f"line {line + 1} leaves no choice of a cell")
        check(rules.valid_columns(row, int(row.turn), line), f"line {line + 1} has no valid cell")
    if row.phase == rules.OVER:
        _check_end(game, row, full_rows)
    check(row.barren < rules.BARREN_ROUNDS or row.phase == rules.OVER, "after three barren rounds the game is over")
    _check_round(game, row)


def _check_end(game: Game, row: Row, full_rows: bool) -> None:
    """A game that is over has a reason to be, and its scores follow from the walls."""
    full_lines = any(rules.full_line(row, seat) < LINES for seat in range(game.players))
    check(not full_lines, "a full pattern line was not emptied")
    ended = full_rows or row.barren == rules.BARREN_ROUNDS or not (row.bag or row.lid)
    check(ended, "the game is not over: no row of a wall is full, and there are tiles for another round")
    check(not (full_rows and row.barren), "a row was filled in the last round, so that round was not barren")
    for seat in range(game.players):
        points = sources_of(row, seat)
        score, lost = int(row.score[seat]), -points.pop("floor line")
        bonuses = sum(points.values()) - int(row.wall_points[seat])
        check(lost >= 0, f"player {seat + 1} has {score} points, {-lost} more than wall and bonuses have brought")
        check(score >= bonuses, f"player {seat + 1} has {score} points, but the bonuses alone make {bonuses}")


def _check_round(game: Game, row: Row) -> None:
    """The game ends after three barren rounds, so the tiles on the walls limit how many rounds there were."""
    on_walls = sum(count_bits(int(row.covered[seat])) for seat in range(game.players))
    most = rules.BARREN_ROUNDS * on_walls
    if not row.tiled:
        most += int(row.barren) + (row.phase != rules.OVER)
    check(
        row.round_number <= most,
        f"with {on_walls} tiles on the walls this is at most round {most}, not {row.round_number},"
        " as three barren rounds end the game",
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
    for kind, name in enumerate(game.tiles.names):
        check(counts[kind] == wanted[kind], f"there are {counts[kind]} {name} tiles, not {wanted[kind]}")
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
    who = f"player {seat + 1}"
    floor = sum(counts_of(row.floor[seat]))
    check(floor <= FLOOR_SPACES, f"the floor line of {who} has {floor} tiles, more than {FLOOR_SPACES}")
    score, gained = int(row.score[seat]), int(row.wall_points[seat])
    tiles, most = count_bits(int(row.covered[seat])), _most_wall_points(row, seat)
    check(gained <= most, f"{who} has {gained} points from a wall of {tiles} tiles, more than {most}")
    if row.phase != rules.OVER:
        check(score <= gained, f"{who} has {score} points, but only {gained} came from the wall")
    for line in range(LINES):
        full = row.line_tiles[seat, line] and row_pattern(row, seat, line) == FULL_ROW
        check(not full, f"line {line + 1} of {who} holds tiles, but its wall row is full and has no cell for one")
        colour = int(row.line_colour[seat, line])
        if colour != EMPTY:
            name = game.tiles.names[colour]
            barred = rules.row_bars(row, seat, line, colour)
            check(not barred, f"line {line + 1} of {who} holds {name}, which its wall row already has")
    for line in range(LINES):
        cells = [int(kind) for kind in row.wall[seat, line] if kind not in (EMPTY, JOKER)]
        check(len(set(cells)) == len(cells), f"row {line + 1} of the wall of {who} has a colour twice")
        column = [int(kind) for kind in row.wall[seat, :, line] if kind not in (EMPTY, JOKER)]
        check(len(set(column)) == len(column), f"column {line + 1} of the wall of {who} has a colour twice")
        if game.options["wall"] == "coloured":
            for place, kind in enumerate(row.wall[seat, line]):
                fits = kind in (EMPTY, JOKER) or kind == wall_colour(line, place)
                check(fits, f"row {line + 1}, column {place + 1} of the wall of {who} has the wrong colour")
