"""A move's description says what really happens when the move is played."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

import numpy as np
import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS, STYLES, choose
from tilewright.envs import Vector
from tilewright.envs.action_features import ActionDescriber
from tilewright.envs.symmetry import canonical
from tilewright.games.family.heap import counts_of, heap_of

JOKER = 5
FLOOR_COSTS = (1, 1, 2, 2, 2, 3, 3)
MOVES_CHECKED = 25

Parts = dict[str, object]


def one_of(count: int, chosen: int) -> list[bool]:
    return [n == chosen for n in range(count)]


def counts(heap: int) -> np.ndarray:
    return np.array(counts_of(int(heap)))


def changed(position: tw.Position, change: Callable[[np.recarray], None]) -> tw.Position:
    """A copy without a dealer, after some work on its row."""
    states = position.states.copy()
    change(states.view(np.recarray)[0])
    position.game.kernels.refresh_at(states, 0)
    return tw.Position(position.game, states)


def after(position: tw.Position, move: int) -> np.recarray:
    """The row after a move, before any tile is drawn."""
    twin = tw.Position(position.game, position.states.copy())
    twin.push(move)
    return twin.state


# ------------------------------------------------------------------------------------------------- Azul


def what_a_draft_does(position: tw.Position, move: int) -> Parts:
    """From the rows before and after, in a round that is not ended by the move."""
    place, text = int(move) // (141 if position.game.options.get("jokers") else 30), position.game.moves[move].text
    drafted = next(kind for kind in range(6) if "byrkwj"[kind] in text)

    def add_a_spare_tile(row: np.recarray) -> None:
        row.places[0] += heap_of([kind == (drafted + 1) % 5 for kind in range(6)])

    longer = changed(position, add_a_spare_tile)
    old, new, seat = longer.state, after(longer, move), position.turn
    taken = counts(old.places.sum() - new.places.sum())
    kind = next((colour for colour in range(5) if taken[colour]), JOKER)
    emptied = [factory for factory in range(1, 10) if old.places[factory] != new.places[factory]]
    assert emptied == ([place] if place else [])
    into_line = new.line_tiles[seat] - old.line_tiles[seat]
    line = next((row + 1 for row in range(5) if into_line[row]), 0)
    floor = [sum(counts(row.floor[seat])) + (row.marker == seat) for row in (old, new)]
    return {
        "kind": one_of(6, kind),
        "wall points": wall_points_of_line(position, move, place, taken, line),
        "from the centre": not emptied,
        "marker": old.marker != new.marker,
        "tiles": taken[kind] / 4,
        "jokers": taken[JOKER] / 4 if kind != JOKER else 0,
        "left to the centre": counts(new.places[0] - old.places[0]) / 3 if emptied else np.zeros(6),
        "destination": one_of(6, line),
        "into the line": sum(into_line) / 5,
        "jokers into the line": sum(new.line_jokers[seat] - old.line_jokers[seat]) / 5,
        "line completed": line > 0 and new.line_tiles[seat, line - 1] == line,
        "fallen": sum(counts(new.floor[seat] + new.lid - old.floor[seat] - old.lid)) / 7,
        "floor points": sum(FLOOR_COSTS[floor[0] : floor[1]]) / 14,
        "wall cell": 0,
        "row": one_of(5, -1),
        "column": one_of(5, -1),
    }


def empty_full_lines(row: np.recarray, besides: tuple[int, int] | None = None) -> None:
    for seat, line in np.argwhere(row.line_tiles > np.arange(5)):
        if (seat, line) != besides:
            row.line_colour[seat, line], row.line_tiles[seat, line], row.line_jokers[seat, line] = -1, 0, 0


def wall_points_of_line(position: tw.Position, move: int, place: int, taken: np.ndarray, line: int) -> float:
    """What the tile scores if these are the last tiles of a round in which no other line is full."""
    if line == 0 or position.game.options["wall"] == "grey":
        return 0

    def leave_nothing_else(row: np.recarray) -> None:
        empty_full_lines(row)
        row.places[:] = 0
        row.places[place] = heap_of(list(taken))

    last = changed(position, leave_nothing_else)
    return float(after(last, move).wall_points[position.turn] - last.state.wall_points[position.turn]) / 10


def what_a_cell_does(position: tw.Position, move: int) -> Parts:
    seat = position.turn
    full = next(line for line in range(5) if position.state.line_tiles[seat, line] == line + 1)
    alone = changed(position, lambda row: empty_full_lines(row, besides=(seat, full)))
    old, new = alone.state, after(alone, move)
    [[row, column]] = np.argwhere(old.wall[seat] != new.wall[seat])
    return {
        "kind": one_of(6, new.wall[seat, row, column]),
        "wall points": (new.wall_points[seat] - old.wall_points[seat]) / 10,
        "wall cell": 1,
        "row": one_of(5, row),
        "column": one_of(5, column),
    }


def what_happens_in_azul(position: tw.Position, move: int) -> Parts:
    return (what_a_cell_does if position.phase == "tile" else what_a_draft_does)(position, move)


# --------------------------------------------------------------------------------------- Summer Pavilion


def what_a_take_does(position: tw.Position, move: int) -> Parts:
    old, new, seat, joker = position.state, after(position, move), position.turn, position.round - 1
    taken = counts(new.hand[seat] - old.hand[seat])
    colour = next((other for other in range(6) if taken[other] and other != joker), joker)
    from_centre = (old.places[1:] == new.places[1:]).all()
    lost = new.marker_loss[seat] - old.marker_loss[seat]
    assert lost == old.score[seat] - new.score[seat]
    return {
        "decision": one_of(5, 0),
        "colour": one_of(6, colour),
        "points lost": lost / 10,
        "from the centre": from_centre,
        "marker": old.marker != new.marker,
        "tiles": taken[colour] / 4,
        "joker": taken[joker] if colour != joker else 0,
        "left to the centre": np.zeros(6) if from_centre else counts(new.places[0] - old.places[0]) / 3,
    }


def with_another_who_goes_on(position: tw.Position) -> tw.Position:
    """Somebody else has not passed yet, so that no move ends the round or the game and takes tiles away."""

    def let_another_go_on(row: np.recarray) -> None:
        row.passed &= ~(1 << (position.turn + 1) % position.game.players)

    return changed(position, let_another_go_on)


def what_a_placement_does(position: tw.Position, move: int) -> Parts:
    longer = with_another_who_goes_on(position)
    old, new, seat, joker = longer.state, after(longer, move), position.turn, position.round - 1
    if new.passed != old.passed:
        assert new.passed - old.passed == 1 << seat
        return {"decision": one_of(5, 2)}
    [[space]] = np.argwhere(old.board[seat] != new.board[seat])
    colour = new.board[seat, space]
    paid = counts(old.hand[seat] - new.hand[seat])
    points = new.placing_points[seat] - old.placing_points[seat]
    assert points == new.score[seat] - old.score[seat]
    return {
        "decision": one_of(5, 1),
        "colour": one_of(6, colour),
        "star": one_of(7, space // 6),
        "space": one_of(6, space % 6),
        "number": sum(paid) / 6,
        "colour paid": paid[colour] / 6,
        "jokers paid": paid[joker] / 6 if colour != joker else 0,
        "points": points / 6,
        "bonus tiles": new.owed / 3,
    }


def what_a_choice_does(position: tw.Position, move: int) -> Parts:
    longer = with_another_who_goes_on(position)
    old, new, seat = longer.state, after(longer, move), position.turn
    if position.phase == "bonus":
        return {"decision": one_of(5, 3), "tiles chosen": counts(new.hand[seat] - old.hand[seat]) / 4}
    lost = old.score[seat] - new.score[seat]
    assert lost == new.passing_loss[seat] - old.passing_loss[seat]
    return {"decision": one_of(5, 4), "points lost": lost / 10, "tiles chosen": counts(new.hand[seat]) / 4}


def what_happens_in_summer_pavilion(position: tw.Position, move: int) -> Parts:
    kinds = {"draft": what_a_take_does, "place": what_a_placement_does}
    return kinds.get(position.phase, what_a_choice_does)(position, move)


# ------------------------------------------------------------------------------------------------ Tests


def positions_of(game: tw.Game, seed: int, share: float) -> Iterator[tw.Position]:
    """A number of positions of random games in every style, with more of the rare ones."""
    for style in STYLES:
        chooser, position = Random(seed), game.start(seed=seed)
        while not position.is_over:
            if chooser.random() < share * (5 if position.phase in {"tile", "bonus", "keep"} else 1):
                yield position.copy()
            position.push(choose(position, chooser, style))


def all_factories_alike(game: tw.Game) -> tw.Position:
    position = game.set_up()
    supply, four = ("pgoybrpgoy", "ppgo") if game.name == "summer-pavilion" else ("", "bbyr")
    position.draw(supply + four * (2 * game.players + 1))
    return position


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_every_number_is_what_happens(game: tw.Game):
    describer, chooser = ActionDescriber(game), Random(1)
    what_happens = what_happens_in_summer_pavilion if game.name == "summer-pavilion" else what_happens_in_azul
    filled = set()
    for position in positions_of(game, seed=3, share=0.08):
        described = describer.describe(position.states, 0)
        legal = [int(move) for move in position.legal_moves]
        assert not np.delete(described, legal, axis=0).any()
        assert (described >= 0).all()
        assert (described <= describer.high).all()
        filled |= {part.name for part in describer.parts if describer.part(described, part.name).any()}
        for move in chooser.sample(legal, min(len(legal), MOVES_CHECKED)):
            expected = what_happens(position, move)
            for part in describer.parts:
                seen = describer.part(described[move], part.name)
                wanted = np.ravel(expected.get(part.name, np.zeros(part.shape)))[: part.size]
                assert seen.ravel() == pytest.approx(np.asarray(wanted, np.float32)), (part.name, repr(position), move)
    assert filled == {part.name for part in describer.parts}


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_moves_that_are_described_alike_lead_to_the_same_state(game: tw.Game):
    describer, alike = ActionDescriber(game), 0
    for position in [all_factories_alike(game), *positions_of(game, seed=4, share=0.02)]:
        described = describer.describe(position.states, 0)
        known: dict[bytes, bytes] = {}
        for move in position.legal_moves:
            twin = tw.Position(game, position.states.copy())
            twin.push(move)
            reached = canonical(twin)[0].states.tobytes()
            key = described[move].tobytes()
            alike += key in known
            assert known.setdefault(key, reached) == reached, (repr(position), move)
    assert alike > 0


def test_no_more_bonus_tiles_than_the_supply_holds():
    game = tw.SummerPavilion(players=2)
    describer, checked = ActionDescriber(game), 0

    def leave_one_tile(row: np.recarray) -> None:
        row.supply = heap_of([1, 0, 0, 0, 0, 0])

    for position in positions_of(game, seed=3, share=0.3):
        short = changed(position, leave_one_tile)
        described = describer.part(describer.describe(position.states, 0), "bonus tiles")[:, 0]
        for move in np.flatnonzero(described > 0.5):
            told = describer.part(describer.describe(short.states, 0)[move], "bonus tiles")
            assert after(short, int(move)).owed == 1
            assert told == pytest.approx([1 / 3])
            checked += 1
    assert checked > 0


def test_many_positions_at_once_and_none_is_changed():
    for game in (tw.Azul(3, jokers=True), tw.SummerPavilion(3)):
        describer, vector = ActionDescriber(game), Vector(game, 30, seed=2)
        out = np.full((30, game.actions, describer.size), 7, np.float32)
        for _ in range(80):
            vector.step(vector.random_moves())
        before = np.asarray(vector.states).tobytes()
        describer.write_each(vector.states, out)
        assert np.asarray(vector.states).tobytes() == before
        for i in range(30):
            assert (out[i] == describer.describe(vector.states, i)).all()
            assert (out[i].any(axis=-1) == vector.masks[i]).all()


def test_the_parts_cover_a_description_once():
    for game in RULE_SETS:
        describer = ActionDescriber(game)
        covered = np.zeros(describer.size, np.int64)
        for part in describer.parts:
            describer.part(covered, part.name)[...] += 1
        assert (covered == 1).all()


def test_wrong_arrays_are_refused():
    game = tw.Azul(players=2)
    describer, states = ActionDescriber(game), game.start(seed=1).states
    with pytest.raises(
        tw.BadOption, match=r"is written to an array of float32 \(180, 24\), not of float64 \(180, 24\)"
    ):
        describer.write(states, 0, np.zeros((180, 24)))
    with pytest.raises(tw.BadOption, match=r"float32 \(1, 180, 24\), not of float32 \(180, 24\)"):
        describer.write_each(states, np.zeros((180, 24), np.float32))
    with pytest.raises(tw.BadOption, match="positions from 0 to 0, not 1"):
        describer.describe(states, 1)
    with pytest.raises(KeyError, match="no part 'colours'; it has kind, wall points"):
        describer.part(describer.describe(states, 0), "colours")


def digest(lines: list[str]) -> str:
    """All descriptions in positions that were written down, in one word."""
    seen = sha256()
    for line in lines:
        number, text = line.split(" ", 1)
        position = RULE_SETS[int(number)].position(text)
        described = ActionDescriber(position.game).describe(position.states, 0)
        twin, moves = canonical(position)
        for array in (described, twin.states, moves):
            seen.update(array.tobytes())
    return seen.hexdigest()


def test_interpreted_kernels_say_the_same():
    """Every warning is an error there: small integers of a row must not overflow where Python does not widen them."""
    lines = []
    for number, game in enumerate(RULE_SETS):
        positions = list(positions_of(game, seed=6, share=0.05))
        lines += [f"{number} {position.to_text()}" for position in Random(6).sample(positions, min(8, len(positions)))]
    program = "import sys, test_action_features as test; print(test.digest(sys.stdin.read().splitlines()))"
    here = Path(__file__).parent
    path = os.pathsep.join(map(str, (here, here.parent, *sys.path)))
    said = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        input="\n".join(lines), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.stdout.strip() == digest(lines), said.stderr
