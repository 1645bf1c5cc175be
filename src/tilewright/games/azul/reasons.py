"""Why one move of Azul is better than another: lines, walls, the floor line, the marker, the next player, the end.

What a move does is certain, and its reasons say it plainly. What will have happened by the end of the round is expected
if everybody plays well; the texts of such reasons say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from tilewright.game.effects import Effect
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.games.azul import rules
from tilewright.games.azul.effects import FLOOR_LINE, GAME_ENDS, LINE_FALLS, ROUND_ENDS, TAKE, WALL, tiling_ahead
from tilewright.games.azul.notation import TILES, Take
from tilewright.games.azul.rules import FLOOR, FLOOR_PENALTY, FLOOR_SPACES
from tilewright.games.azul.wall import COLOURS, EMPTY, JOKER, LINES, column_pattern
from tilewright.games.family.heap import counts_of, number_of
from tilewright.insight.comparison import Comparison, Course
from tilewright.insight.reason import Reason, text_key

_STUCK, _MARKER, _ENDS_GAME, _WINS = 2.0, 1.5, 8.0, 10.0
"""What these are worth, in points, to compare them with other reasons."""
_WALL_TILE, _LINE_TILE = 1.5, 0.7
"""The same for a tile that reaches the wall, or waits in a line for the next round."""
_LINE_FALLS = 1.5
"""The same for each tile of a line that finds no cell."""
_COLUMN_TILES = {3: 1.0, 4: 3.0, 5: 7.0}
_COLOUR_TILES = {3: 1.5, 4: 4.0, 5: 10.0}
"""The same for the third, fourth and fifth tile of a column or colour."""
_CLEAR = 2
"""The smallest difference, in expected points, that is mentioned."""


def reasons(comparison: Comparison) -> list[Reason]:
    """All that hold."""
    return list(_reasons(comparison))


def _reasons(comparison: Comparison) -> Iterator[Reason]:
    played, better = (_Seen(course, comparison.seat) for course in (comparison.played, comparison.better))
    yield from _ending_the_game(comparison, played, better)
    yield from _columns_and_colours(played, better, is_last=comparison.better.end.is_over)
    yield from _falling_lines(played, better)
    if played.take is None or better.take is None:
        yield from _cell_points(played, better)
        return
    yield from _filling_lines(played, better)
    yield from _tiles_at_once(played, better)
    yield from _stuck_line(played, better)
    yield from _floor_line(played, better)
    yield from _marker(comparison, played, better)
    yield from _left_for_the_next(comparison)
    if comparison.is_whole:
        yield from _floor_lines_by_the_end(comparison, played, better)
        yield from _boards_by_the_end(comparison)


class _Seen:
    """A course as the mover sees it."""

    def __init__(self, course: Course, seat: int) -> None:
        self.course, self.seat = course, seat

    @cached_property
    def take(self) -> Any:
        """The facts of a take: its line, what fell, the marker; None where a cell is chosen."""
        first = self.course.effects[0]
        return first.values if first.what == TAKE else None

    @cached_property
    def tiling(self) -> list[Effect]:
        """What becomes of the lines that are full after the move."""
        return _tiling(self.course.effects, self.course.after, self.seat)

    @property
    def points(self) -> int:
        """What the tiles of these lines will score."""
        return sum(effect.points for effect in self.tiling)

    @property
    def wall(self) -> Position:
        """A position with the wall as it will be then, as far as the player has no choice of cells."""
        now = self.course.after
        if _ends_round(self.course.effects):
            return now
        for effect in tiling_ahead(self.course.after, self.seat):
            if rules.has_choice(self.course.after.state, self.seat, int(str(effect.values["row"])) - 1):
                break
            now = effect.after
        return now

    def line(self, number: int) -> Effect | None:
        """What becomes of one full line."""
        return next((effect for effect in self.tiling if effect.values["row"] == number), None)

    def completed_row(self) -> int | None:
        """A row of the wall that will be full, which ends the game."""
        rows = (int(str(effect.values["row"])) for effect in self.tiling if "row" in _completed(effect))
        return next(rows, None)


def _tiling(effects: Sequence[Effect], after: Position, seat: int) -> list[Effect]:
    """Tiles of a seat that a move put on the wall, and those that will follow from its full lines."""
    done = [effect for effect in effects if effect.seat == seat and effect.what in (WALL, LINE_FALLS)]
    return done if _ends_round(effects) else done + tiling_ahead(after, seat)


def _ends_round(effects: Sequence[Effect]) -> bool:
    return effects[-1].what in (ROUND_ENDS, GAME_ENDS)


def _completed(effect: Effect) -> Any:
    return effect.values.get("completed", {})


def _colour(kind: int) -> str:
    return text_key(f"tile_{TILES.letters[kind]}")


# Lines and walls ----------------------------------------------------------------------------------------


def _filling_lines(played: _Seen, better: _Seen) -> Iterator[Reason]:
    """The better move fills a line, and that brings more than what the other fills, if anything."""
    filled = better.line(better.take["line"])
    gain = better.points - played.points
    if not better.take["full"] or filled is None or filled.what != WALL or gain <= 0:
        return
    facts: dict[str, int | str] = {"line": better.take["line"], "n": filled.points}
    other = played.line(played.take["line"]) if played.take["full"] else None
    if other is None or not other.points:
        yield Reason("fills_line", facts, gain)
    elif other.points < filled.points:
        yield Reason("fills_line_for_more", {**facts, "other": other.points}, gain)


def _tiles_at_once(played: _Seen, better: _Seen) -> Iterator[Reason]:
    """Several tiles more for a line: fewer turns until it is full."""
    theirs, ours = (_tiles_for_line(seen) for seen in (played, better))
    if ours - theirs >= _CLEAR:
        yield Reason("tiles_at_once", {"n": ours, "other": theirs}, _LINE_TILE * (ours - theirs))


def _tiles_for_line(seen: _Seen) -> int:
    """Tiles that a take puts in its line."""
    if seen.take["line"] == FLOOR:
        return 0
    return int(seen.course.effects[0].moved(target=f"p{seen.seat + 1}-line"))


def _stuck_line(played: _Seen, better: _Seen) -> Iterator[Reason]:
    """The move played leaves a line that cannot be filled with the tiles on offer; the better one does not."""
    missing, left, kind = _missing(played)
    if missing > left and not _is_stuck(better):
        facts = {"line": played.take["line"], "n": missing, "colour": _colour(kind)}
        if left:
            yield Reason("stuck", {**facts, "left": left}, _STUCK)
        else:
            yield Reason("stuck_none", facts, _STUCK)


def _is_stuck(seen: _Seen) -> bool:
    missing, left, _ = _missing(seen)
    return missing > left


def _missing(seen: _Seen) -> tuple[int, int, int]:
    """Of the line that a take went to: tiles that it still needs, such tiles on offer, and its colour."""
    row, line = seen.course.after.state, seen.take["line"]
    if line == FLOOR or seen.take["full"] or not row.offered:
        return 0, 0, EMPTY
    kind = int(row.line_colour[seen.seat, line - 1])
    if kind == EMPTY:
        return 0, 0, EMPTY
    offered = counts_of(sum(row.places.tolist()))
    return int(rules.room_in_line(row, seen.seat, line)), offered[kind] + offered[JOKER], kind


def _falling_lines(played: _Seen, better: _Seen) -> Iterator[Reason]:
    """On the grey wall a full line may find no cell."""
    fine = {effect.values["row"] for effect in better.tiling if effect.what == LINE_FALLS}
    for effect in played.tiling:
        if effect.what == LINE_FALLS and effect.values["row"] not in fine:
            tiles = int(str(effect.values["fallen"]))
            yield Reason("line_falls", {"line": int(str(effect.values["row"])), "n": tiles}, _LINE_FALLS * tiles)


def _cell_points(played: _Seen, better: _Seen) -> Iterator[Reason]:
    """A choice between cells of the wall."""
    here, there = better.course.effects[0].points, played.course.effects[0].points
    if here > there:
        yield Reason("cell_points", {"n": here, "other": there}, here - there)


def _columns_and_colours(played: _Seen, better: _Seen, is_last: bool) -> Iterator[Reason]:
    """Columns and colours that come nearer to their bonus with the better move alone; in the last round, full ones."""
    rows, seat = (played.wall.state, better.wall.state), better.seat
    for column in range(LINES):
        before, now = (int(column_pattern(row, seat, column)).bit_count() for row in rows)
        if now > before and now in _COLUMN_TILES and not (is_last and now < LINES):
            yield Reason("column_full" if now == LINES else "column", _progress(now, column=column + 1),
                         _COLUMN_TILES[now])  # fmt: skip
    for kind in range(COLOURS):
        before, now = (row.wall[seat].ravel().tolist().count(kind) for row in rows)
        if now > before and now in _COLOUR_TILES and not (is_last and now < LINES):
            yield Reason("colour_full" if now == LINES else "colour", _progress(now, colour=_colour(kind)),
                         _COLOUR_TILES[now])  # fmt: skip


def _progress(tiles: int, **which: int | str) -> dict[str, int | str]:
    return {**which, "n": LINES - tiles}


# The floor line and the marker --------------------------------------------------------------------------


def _floor_line(played: _Seen, better: _Seen) -> Iterator[Reason]:
    """Tiles that fall with the move played, unless the score is too low to pay for them."""
    cost, other = int(played.take["fallen_cost"]), int(better.take["fallen_cost"])
    if cost <= other or not _can_pay(played):
        return
    facts: dict[str, int | str] = {"n": int(played.take["fallen"]), "cost": cost}
    if other:
        yield Reason("drops_more", {**facts, "other": other}, cost - other)
    else:
        yield Reason("drops", facts, cost)


def _can_pay(seen: _Seen) -> bool:
    """Whether the score at the end of the round will cover the whole floor line: no score falls below 0."""
    row = seen.course.position.state
    taken = int(rules.floor_spaces_taken(row, seen.seat)) + int(seen.take["fallen"]) + int(seen.take["marker"])
    return int(row.score[seen.seat]) + seen.points >= int(FLOOR_PENALTY[min(taken, FLOOR_SPACES)])


def _floor_lines_by_the_end(comparison: Comparison, played: _Seen, better: _Seen) -> Iterator[Reason]:
    """What the floor lines will cost on the expected courses: less for the mover, more for somebody else."""
    theirs, ours = _floor_costs(comparison.played), _floor_costs(comparison.better)
    at_once = _cost_at_once(played) - _cost_at_once(better)
    seat = comparison.seat
    saved = theirs[seat] - ours[seat]
    worth = min(saved - at_once, _not_offset(saved, _points_gained(comparison, seat)))
    if worth >= _CLEAR and ours[seat]:
        facts: dict[str, int | str] = {"seat": seat, "n": ours[seat], "other": theirs[seat]}
        yield Reason("floor_later", facts, worth, is_expected=True, round_points=saved)
    elif worth >= _CLEAR:
        facts = {"seat": seat, "n": theirs[seat]}
        yield Reason("floor_clean", facts, worth, is_expected=True, round_points=saved)
    for other in comparison.others:
        more = ours[other] - theirs[other]
        worth = _not_offset(more, -_points_gained(comparison, other))
        if worth >= _CLEAR:
            facts = {"seat": other, "n": ours[other], "other": theirs[other]}
            yield Reason("floor_of_other", facts, worth, is_expected=True, round_points=more)


def _points_gained(comparison: Comparison, seat: int) -> int:
    """What a seat scores more by the end of the round with the better move, on the wall and on the floor line."""
    return comparison.better.points_by_end(seat) - comparison.played.points_by_end(seat)


def _not_offset(difference: int, in_all: int) -> int:
    """What remains of a difference on the floor line; nothing if the wall makes up for most of it."""
    return min(difference, in_all) if 2 * in_all >= difference else 0


def _boards_by_the_end(comparison: Comparison) -> Iterator[Reason]:
    """Tiles on the wall and in the lines when the next round begins, on the expected courses."""
    seat, ends = comparison.seat, (comparison.played.end, comparison.better.end)
    if any(end.is_over for end in ends):
        return
    before = int(comparison.position.state.covered[seat]).bit_count()
    theirs, ours = (int(end.state.covered[seat]).bit_count() - before for end in ends)
    if ours > theirs:
        facts: dict[str, int | str] = {"seat": seat, "n": ours, "other": theirs}
        yield Reason("more_on_wall", facts, _WALL_TILE * (ours - theirs), is_expected=True)
    theirs, ours = (int(end.state.line_tiles[seat].sum()) for end in ends)
    if ours - theirs >= _CLEAR:
        facts = {"seat": seat, "n": ours, "other": theirs}
        yield Reason("tiles_in_lines", facts, _LINE_TILE * (ours - theirs), is_expected=True)


def _cost_at_once(seen: _Seen) -> int:
    return int(seen.take["fallen_cost"]) + int(seen.take["marker_cost"])


def _floor_costs(course: Course) -> list[int]:
    """By seat, what the floor lines cost by the end of a course."""
    costs = [0] * course.position.game.players
    for n, (position, move) in enumerate(course.steps):
        following = course.steps[n + 1][0] if n + 1 < len(course.steps) else course.end
        if not following.state.offered:  # floor lines are only scored when all tiles have been taken
            for effect in position.effects(move):
                if effect.what == FLOOR_LINE and effect.seat is not None:
                    costs[effect.seat] -= effect.points
    return costs


def _marker(comparison: Comparison, played: _Seen, better: _Seen) -> Iterator[Reason]:
    """Who takes the marker: it gives the first choice in the next round, if there is one, and costs something."""
    if bool(better.take["marker"]) == bool(played.take["marker"]):
        return
    ends = [course.end for course in (comparison.played, comparison.better)]
    if better.take["marker"]:
        goes_on = comparison.is_whole and not any(end.is_over for end in ends)
        if goes_on and int(ends[0].state.starter) != comparison.seat:
            yield Reason("marker", {}, _MARKER)
        return
    cost = int(played.take["marker_cost"])
    if not cost or not _can_pay(played):
        return
    if comparison.is_whole and all(end.is_over for end in ends):
        yield Reason("marker_useless", {"n": cost}, cost)
    elif cost >= _CLEAR:
        yield Reason("marker_cost", {"n": cost}, cost - 1)


# The next player, and the end ---------------------------------------------------------------------------


class _Reply(NamedTuple):
    """A take of the next player that fills a line."""

    net: int
    """Points that it brings, less what it costs on the floor line."""
    points: int = 0
    tiles: int = 0
    jokers: int = 0
    kind: int = EMPTY
    line: int = FLOOR


def _left_for_the_next(comparison: Comparison) -> Iterator[Reason]:
    """The move played leaves tiles that fill a line of the next player; after the better move none brings as much."""
    after, otherwise = comparison.played.after, comparison.better.after
    if after.phase != "draft" or otherwise.phase != "draft" or after.turn in (None, comparison.seat):
        return
    reply, best = _best_reply(after), _best_reply(otherwise)
    if reply.net - best.net >= _CLEAR:
        facts: dict[str, int | str] = {"seat": int(after.state.turn), "colour": _colour(reply.kind), "line": reply.line}
        facts |= {"tiles": reply.tiles, "n": reply.points}
        if reply.jokers:
            facts |= {"jokers": reply.jokers, "joker": _colour(JOKER)}
        yield Reason("leaves_jokers" if reply.jokers else "leaves", facts, reply.net - best.net)


def _best_reply(position: Position) -> _Reply:
    """The filling of a line that brings the player to move most."""
    seat = int(position.state.turn)
    so_far = sum(effect.points for effect in tiling_ahead(position, seat))
    found = (_reply(position, move, seat, so_far) for move in position.legal_moves if _fills_line(position, move))
    return max(found, default=_Reply(0))


def _reply(position: Position, move: Move, seat: int, so_far: int) -> _Reply:
    effects = position.effects(move)
    values: Any = effects[0].values
    points = sum(effect.points for effect in _tiling(effects, effects[-1].after, seat)) - so_far
    tiles, jokers = _taken(position, move.fields)
    net = points - int(values["fallen_cost"]) - int(values["marker_cost"])
    return _Reply(net, points, tiles, jokers, move.fields.kind, move.fields.line)


def _fills_line(position: Position, move: Move) -> bool:
    take = move.fields
    if not isinstance(take, Take) or take.line == FLOOR:
        return False
    return sum(_taken(position, take)) >= int(rules.room_in_line(position.state, int(position.state.turn), take.line))


def _taken(position: Position, take: Take) -> tuple[int, int]:
    """Tiles of the colour of a take, and the jokers that come with them."""
    place = position.state.places[take.source]
    return int(number_of(place, take.kind)), int(number_of(place, JOKER)) if take.with_jokers else 0


def _ending_the_game(comparison: Comparison, played: _Seen, better: _Seen) -> Iterator[Reason]:
    """A full row ends the game: well for the winner."""
    theirs, ours = played.completed_row(), better.completed_row()
    lost, won = _winner(comparison.played), _winner(comparison.better)
    if theirs is not None and ours is None and lost not in (None, comparison.seat):
        yield Reason("ends_game", {"row": theirs, "seat": int(lost or 0)}, _ENDS_GAME)
    if ours is not None and theirs is None and won == comparison.seat != lost:
        yield Reason("wins_now", {"row": ours}, _WINS)


def _winner(course: Course) -> int | None:
    """Who wins alone if the game ends with this round on the expected course."""
    outcome = course.end.outcome()
    return outcome.winners[0] if outcome is not None and len(outcome.winners) == 1 else None
