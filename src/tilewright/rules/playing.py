"""What can be done with any game's kernels: one event, random play, counting, batches.

These functions are written once and compiled for each game: ``bind`` gives them the names that a game's
files define (``apply_move``, ``count_moves``, ``deal`` and so on). They take arrays of positions, which
Numba recognises several times faster than single rows.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.rules.chance import below
from tilewright.rules.heap import KINDS, number_of, pick
from tilewright.rules.kernel import INTERPRETED, Cells, kernel

if TYPE_CHECKING:  # ``bind`` gives each game's own
    from tilewright.rules.azul import awaits_draw, beats, deal, draw, drawn_from, is_over, refresh
    from tilewright.rules.azul_moves import apply_move, count_actions, count_moves, is_legal, mark_moves, nth_move


# ------------------------------------------------------------------------------------------- One position


def draw_at(positions: Cells, i: int, kind: int) -> None:
    """One tile of a known kind is drawn."""
    draw(positions[i], kind)


def deal_at(positions: Cells, i: int, generator: Cells, drawn: Cells) -> int:
    """Draw by chance until a player must decide; note what was drawn and say how many tiles."""
    count = 0
    while awaits_draw(positions[i]):
        drawn[count] = pick(drawn_from(positions[i]), generator)
        draw(positions[i], drawn[count])
        count += 1
    return count


def drawn_from_at(positions: Cells, i: int) -> int:
    """The heap of tiles that the next draw is made from; empty if the next event is no draw."""
    return drawn_from(positions[i]) if awaits_draw(positions[i]) else 0


def push_at(positions: Cells, i: int, move: int) -> bool:
    """Play a move if it is legal, and say whether it was."""
    if not is_legal(positions[i], move):
        return False
    apply_move(positions[i], move)
    return True


def is_legal_at(positions: Cells, i: int, move: int) -> bool:
    """Whether a move is legal."""
    return is_legal(positions[i], move)


def count_moves_at(positions: Cells, i: int) -> int:
    """How many moves are legal."""
    return count_moves(positions[i])


def list_moves_at(positions: Cells, i: int, moves: Cells) -> int:
    """Note the legal moves and say how many there are."""
    count = count_moves(positions[i])
    for n in range(count):
        moves[n] = nth_move(positions[i], n)
    return count


def count_actions_at(positions: Cells, i: int) -> int:
    """The size of the action space."""
    return count_actions(positions[i])


def winners_at(positions: Cells, i: int) -> int:
    """The winners of a finished game, a bit for each seat: those whom nobody beats."""
    winners = 0
    for seat in range(positions[i].players):
        beaten = False
        for other in range(positions[i].players):
            beaten |= beats(positions[i], other, seat)
        if not beaten:
            winners |= 1 << seat
    return winners


def refresh_at(positions: Cells, i: int) -> None:
    """Work out the fields that follow from the others."""
    refresh(positions[i])


# --------------------------------------------------------------------------------------------- Many games


def finish_at_random(positions: Cells, i: int, generator: Cells) -> int:
    """Play a game to its end by uniformly random moves, and say how many."""
    moves = 0
    deal(positions[i], generator)
    while not is_over(positions[i]):
        apply_move(positions[i], nth_move(positions[i], below(generator, count_moves(positions[i]))))
        deal(positions[i], generator)
        moves += 1
    return moves


def play_games(table: Cells, start: Cells, generator: Cells, games: int, totals: Cells) -> None:
    """Play so many games at random from one start; ``totals`` gathers moves, rounds and points."""
    for _ in range(games):
        table[0] = start[0]
        totals[0] += finish_at_random(table, 0, generator)
        totals[1] += table[0].round_number
        for seat in range(table[0].players):
            totals[2] += table[0].score[seat]


def try_moves(table: Cells, start: Cells, generator: Cells, games: int, moves: Cells, margins: Cells) -> None:
    """For each move, the mover's lead over the best other player, summed over so many random games after it."""
    seat = start[0].turn
    for n in range(len(moves)):
        margins[n] = 0
        for _ in range(games):
            table[0] = start[0]
            apply_move(table[0], moves[n])
            finish_at_random(table, 0, generator)
            best_other = -1
            for other in range(table[0].players):
                if other != seat:
                    best_other = max(best_other, int(table[0].score[other]))
            margins[n] += int(table[0].score[seat]) - best_other


def count_sequences(stack: Cells, depth: int, level: int) -> int:
    """How many sequences of so many events begin at ``stack[level]``; each kind that may be drawn is one."""
    if depth == 0:
        return 1
    total = 0
    if awaits_draw(stack[level]):
        for kind in range(KINDS):
            if number_of(drawn_from(stack[level]), kind) > 0:
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


def push_each(positions: Cells, generators: Cells, moves: Cells) -> int:
    """Play a move in every unfinished position and deal; if one is illegal play none, and say which (else -1)."""
    for i in range(len(positions)):
        if not is_over(positions[i]) and not is_legal(positions[i], moves[i]):
            return i
    for i in range(len(positions)):
        if not is_over(positions[i]):
            apply_move(positions[i], moves[i])
            deal(positions[i], generators[i : i + 1])
    return -1


def deal_each(positions: Cells, generators: Cells) -> None:
    """Deal in every position that waits for tiles."""
    for i in range(len(positions)):
        deal(positions[i], generators[i : i + 1])


def choose_each(positions: Cells, generator: Cells, moves: Cells) -> None:
    """A random legal move for every position, -1 where the game is over."""
    for i in range(len(positions)):
        moves[i] = -1
        if not is_over(positions[i]):
            moves[i] = nth_move(positions[i], below(generator, count_moves(positions[i])))


def mark_each(positions: Cells, legal: Cells) -> None:
    """For every position, which numbers of the action space are legal."""
    for i in range(len(positions)):
        legal[i, :] = False
        mark_moves(positions[i], legal[i])


# ------------------------------------------------------------------------------------------------ Binding


def bind(function: Callable[..., Any], names: dict[str, Any]) -> Any:
    """Compile one of the functions above with a game's names in place of ours."""
    names = {**names, "__name__": __name__}
    bound = FunctionType(function.__code__, names, function.__name__)
    bound.__doc__ = function.__doc__
    names[function.__name__] = compiled = kernel(bound)
    return compiled


class Kernels:
    """The kernels of one game, each compiled (or fetched from the cache) when it is first used.

    >>> from tilewright.rules import azul, azul_moves
    >>> kernels = Kernels(azul, azul_moves)
    >>> table = kernels.new_table(1)
    >>> azul.set_up(table.view(np.recarray)[0], 2, 0, 0)
    >>> kernels.deal_at(table, 0, np.array([7], np.uint64), np.zeros(40, np.int64))
    20
    """

    def __init__(self, rules: ModuleType, moves: ModuleType) -> None:
        self.rules, self.moves = rules, moves
        self.dtype: np.dtype[np.void] = rules.POSITION
        self._names = {**globals(), **vars(rules), **vars(moves)}

    def new_table(self, size: int) -> Cells:
        """So many blank positions, as the kernels want them."""
        rows = np.zeros(size, dtype=self.dtype)
        return rows.view(np.recarray) if INTERPRETED else rows

    def __getattr__(self, name: str) -> Any:
        function = globals().get(name)
        if not callable(function) or name not in _FOR_EACH_GAME:
            raise AttributeError(f"no kernel is called {name!r}")
        if name in ("play_games", "try_moves"):
            self._names["finish_at_random"] = self.finish_at_random
        compiled = bind(function, self._names)
        setattr(self, name, compiled)
        return compiled


_FOR_EACH_GAME = frozenset(
    name for name, value in list(globals().items()) if isinstance(value, FunctionType) and value.__module__ == __name__
) - {"bind"}
