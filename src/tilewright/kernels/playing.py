"""``Kernels``: the rules of one game, and what is compiled for it: single events, random play, counting, batches.

The functions are written once and compiled for each game (see ``compile.py``). They take arrays of positions, because
Numba determines the type of an array several times faster than that of a single row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.kernels import defaults
from tilewright.kernels.chance import below
from tilewright.kernels.compile import INTERPRETED, Cells, Specialiser, jit_options

if TYPE_CHECKING:  # defined by each game
    from tilewright.kernels.interface import (
        KINDS,
        apply_move,
        awaits_draw,
        beats,
        count_actions,
        count_moves,
        deal,
        draw,
        draw_weight,
        is_legal,
        is_over,
        mark_moves,
        nth_move,
        pick_kind,
        refresh,
    )

LEAST = -(1 << 31)
"""Below any score."""
TOTALS = np.dtype([("moves", np.int64), ("rounds", np.int64), ("points", np.int64)])
"""What is counted while random games are played; the points are those of all seats."""

# ------------------------------------------------------------------------------------------- One position


def awaits_draw_at(states: Cells, i: int) -> bool:
    """Whether the next event is a draw."""
    return awaits_draw(states[i])


def is_over_at(states: Cells, i: int) -> bool:
    """Whether the game has ended."""
    return is_over(states[i])


def draw_at(states: Cells, i: int, kind: int) -> None:
    """Draw one tile of a given kind."""
    draw(states[i], kind)


def deal_at(states: Cells, i: int, generator: Cells, drawn: Cells) -> int:
    """Draw at random until a player must decide; writes the kinds to ``drawn`` and returns their number.

    If ``drawn`` is full before that, call again. If a draw is due but nothing can be drawn, 0 is returned.
    """
    count = 0
    while awaits_draw(states[i]) and count < len(drawn) and can_draw_at(states, i):
        drawn[count] = pick_kind(states[i], generator)
        draw(states[i], drawn[count])
        count += 1
    return count


def can_draw_at(states: Cells, i: int) -> bool:
    """Whether there is anything to draw."""
    for kind in range(KINDS):
        if draw_weight(states[i], kind) > 0:
            return True
    return False


def draw_weights_at(states: Cells, i: int, weights: Cells) -> None:
    """How many tiles of each kind the next draw may be; zeros unless the next event is a draw."""
    for kind in range(len(weights)):
        weights[kind] = draw_weight(states[i], kind) if awaits_draw(states[i]) else 0


def push_at(states: Cells, i: int, move: int) -> bool:
    """Play a move if it is legal; returns whether it was."""
    if not is_legal(states[i], move):
        return False
    apply_move(states[i], move)
    return True


def is_legal_at(states: Cells, i: int, move: int) -> bool:
    """Whether a move is legal."""
    return is_legal(states[i], move)


def count_moves_at(states: Cells, i: int) -> int:
    """How many moves are legal."""
    return count_moves(states[i])


def list_moves_at(states: Cells, i: int, moves: Cells) -> int:
    """List the legal moves; returns how many there are, which is more than are listed if they do not fit."""
    count = count_moves(states[i])
    for n in range(min(count, len(moves))):
        moves[n] = nth_move(states[i], n)
    return count


def count_actions_at(states: Cells, i: int) -> int:
    """The size of the action space."""
    return count_actions(states[i])


def winners_at(states: Cells, i: int) -> int:
    """The winners of a finished game, a bit for each seat: those whom no other seat beats."""
    winners = 0
    for seat in range(states[i].players):
        beaten = False
        for other in range(states[i].players):
            beaten |= beats(states[i], other, seat)
        if not beaten:
            winners |= 1 << seat
    return winners


def refresh_at(states: Cells, i: int) -> None:
    """Recompute the fields that are derived from others."""
    refresh(states[i])


# --------------------------------------------------------------------------------------------- Many games


@jit_options(forceinline=True)
def finish_at_random(states: Cells, i: int, generator: Cells) -> int:
    """Play a game to its end with uniformly random moves; returns how many."""
    moves = 0
    deal(states[i], generator)
    while not is_over(states[i]):
        apply_move(states[i], nth_move(states[i], below(generator, count_moves(states[i]))))
        deal(states[i], generator)
        moves += 1
    return moves


def play_games(states: Cells, start: Cells, generator: Cells, games: int, totals: Cells) -> None:
    """Play random games from one starting position; adds what they count to ``totals``, one record."""
    for _ in range(games):
        states[0] = start[0]
        totals[0].moves += finish_at_random(states, 0, generator)
        totals[0].rounds += states[0].round_number
        for seat in range(states[0].players):
            totals[0].points += states[0].score[seat]


def try_moves(states: Cells, start: Cells, generator: Cells, games: int, moves: Cells, margins: Cells) -> None:
    """For each move, the mover's lead over the best other player, summed over random games that begin with it."""
    seat = start[0].turn
    for n in range(len(moves)):
        margins[n] = 0
        for _ in range(games):
            states[0] = start[0]
            apply_move(states[0], moves[n])
            finish_at_random(states, 0, generator)
            best_other = LEAST
            for other in range(states[0].players):
                if other != seat:
                    best_other = max(best_other, int(states[0].score[other]))
            margins[n] += int(states[0].score[seat]) - best_other


def count_sequences(stack: Cells, depth: int, level: int) -> int:
    """Perft: how many sequences of ``depth`` events begin at ``stack[level]``; each kind that can be drawn counts."""
    if depth == 0:
        return 1
    total = 0
    if awaits_draw(stack[level]):
        for kind in range(KINDS):
            if draw_weight(stack[level], kind) > 0:
                stack[level + 1] = stack[level]
                draw(stack[level + 1], kind)
                total += count_sequences(stack, depth - 1, level + 1)
        return total
    moves = count_moves(stack[level])
    if depth == 1:
        return moves
    for n in range(moves):
        stack[level + 1] = stack[level]
        apply_move(stack[level + 1], nth_move(stack[level], n))
        total += count_sequences(stack, depth - 1, level + 1)
    return total


# ------------------------------------------------------------------------------------------------ Batches


def push_each(states: Cells, generators: Cells, moves: Cells) -> int:
    """Play a move in every unfinished position and deal; returns -1.

    If any move is illegal, nothing is played and the index of the first such position is returned.
    """
    for i in range(len(states)):
        if not is_over(states[i]) and not is_legal(states[i], moves[i]):
            return i
    for i in range(len(states)):
        if not is_over(states[i]):
            apply_move(states[i], moves[i])
            deal(states[i], generators[i : i + 1])
    return -1


def deal_each(states: Cells, generators: Cells) -> None:
    """Deal in every position whose next event is a draw."""
    for i in range(len(states)):
        deal(states[i], generators[i : i + 1])


def choose_each(states: Cells, generator: Cells, moves: Cells) -> None:
    """A random legal move for every position, -1 where the game is over."""
    for i in range(len(states)):
        moves[i] = -1
        if not is_over(states[i]):
            moves[i] = nth_move(states[i], below(generator, count_moves(states[i])))


def note_over_each(states: Cells, over: Cells) -> None:
    """Which games have ended."""
    for i in range(len(states)):
        over[i] = is_over(states[i])


def mark_each(states: Cells, legal: Cells) -> None:
    """Mark the legal actions of every position."""
    for i in range(len(states)):
        legal[i, :] = False
        mark_moves(states[i], legal[i])


# -------------------------------------------------------------------------------------- One game's kernels


class Kernels:
    """The kernels of one game, and every function of this module compiled for it when it is first used.

    A game passes a name, which is part of the file names of its machine code, and the modules of its rules, which
    define the kernels by name (``interface.py`` lists them; the spec of the game checks that none is missing). Games
    that share their rules share this object, and with it all machine code.

    >>> import tilewright as tw
    >>> game = next(iter(tw.GAMES.values()))()
    >>> states = game.set_up().states
    >>> drawn = np.zeros(64, np.int64)
    >>> game.kernels.deal_at(states, 0, np.array([7], np.uint64), drawn) > 0
    True
    """

    def __init__(self, name: str, rules: ModuleType, *more: ModuleType) -> None:
        self.name = name
        self.rules = rules
        self.names = _names_of([rules, *more])
        self.dtype: np.dtype[np.void] = self.names.get("POSITION", np.dtype([]))
        self._specialisers: dict[tuple[Any, ...], Specialiser] = {}
        for default, value in vars(defaults).items():
            if default in defaults.OPTIONAL and default not in self.names:
                self.names[default] = self.compile(value) if isinstance(value, FunctionType) else value

    def specialiser(self, *parts: ModuleType, allocates: bool = True, **more: Any) -> Specialiser:
        """Compiles functions with the names of these rules, of further parts of the game, and any others given.

        Functions that never allocate need not count the references to the arrays that they pass on, which costs a
        search with many small functions more than half of its time.
        """
        key = (*parts, *more.items(), allocates)
        if key not in self._specialisers:
            names = self.names if len(key) == 1 else {**self.names, **_names_of(parts), **more}
            tag = ".".join([self.name, *(part.__name__.rpartition(".")[2] for part in parts)])
            options = {} if allocates else {"_nrt": False}
            self._specialisers[key] = Specialiser(names, tag + "-lean" * (not allocates), defaults.OPTIONAL, options)
        return self._specialisers[key]

    def compile(self, function: Callable[..., Any], *parts: ModuleType, allocates: bool = True) -> Any:
        """Compile a function that is written for any game; ``parts`` of the game define further names."""
        return self.specialiser(*parts, allocates=allocates).compile(function)

    @property
    def fields_by_seat(self) -> tuple[str, ...]:
        """The fields with an entry for each player: as the rules say, or else all that are as long as ``score``."""
        record: Any = self.dtype
        seats = record["score"].shape[:1]
        return self.names.get("BY_SEAT") or tuple(name for name in record.names if record[name].shape[:1] == seats)

    @property
    def score_type(self) -> np.dtype[np.integer[Any]]:
        """The type of a score, wide enough for those of this game."""
        record: Any = self.dtype
        score: np.dtype[np.integer[Any]] = record["score"].base
        return score

    def new_states(self, size: int) -> Cells:
        """An array of blank positions."""
        return new_rows(size, self.dtype)

    def new_totals(self) -> Cells:
        """The record, in an array, to which ``play_games`` adds moves, rounds and points."""
        return new_rows(1, TOTALS)

    def __getattr__(self, name: str) -> Any:
        if name not in _FOR_ANY_GAME:
            raise AttributeError(f"no kernel {name!r}; there are {', '.join(sorted(_FOR_ANY_GAME))}")
        compiled = self.compile(globals()[name])
        setattr(self, name, compiled)
        return compiled


def _names_of(modules: Iterable[ModuleType]) -> dict[str, Any]:
    """What the modules define; of several definitions the last one counts."""
    defined = [getattr(module, "__dict__", {}) for module in modules]
    return {name: value for names in defined for name, value in names.items() if not name.startswith("__")}


def new_rows(size: int, dtype: np.dtype[np.void]) -> Cells:
    """Blank rows: as records if kernels are interpreted, so that fields can be read as attributes."""
    rows = np.zeros(size, dtype=dtype)
    return rows.view(np.recarray) if INTERPRETED else rows


_FOR_ANY_GAME = frozenset(
    name for name, value in list(globals().items()) if isinstance(value, FunctionType) and value.__module__ == __name__
) - {"new_rows", "_names_of"}
