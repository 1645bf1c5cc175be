"""What can be done with any game's kernels: random play, counting, batches.

These functions are written once and compiled for each game: ``bind`` gives them the names that a game's
files define (``apply_move``, ``count_moves``, ``deal`` and so on). They take arrays of positions.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from tilewright.rules.chance import below
from tilewright.rules.kernel import Cells, kernel

if TYPE_CHECKING:  # given by ``bind``
    from tilewright.rules.azul import awaits_draw, deal, draw, drawn_from, is_over
    from tilewright.rules.azul_moves import apply_move, count_moves, is_legal, nth_move

from tilewright.rules.heap import KINDS, number_of, pick


def deal_and_note(positions: Cells, generator: Cells, drawn: Cells) -> int:
    """Draw by chance until a player must decide; write down what was drawn and say how many."""
    position = positions[0]
    count = 0
    while awaits_draw(position):
        drawn[count] = pick(drawn_from(position), generator)
        draw(position, drawn[count])
        count += 1
    return count


def list_moves(positions: Cells, moves: Cells) -> int:
    """Write down the legal moves and say how many there are."""
    position = positions[0]
    count = count_moves(position)
    for n in range(count):
        moves[n] = nth_move(position, n)
    return count


def play_games(positions: Cells, start: Cells, generator: Cells, games: int, totals: Cells) -> None:
    """Play so many games at random from one start; ``totals`` gathers moves, rounds and points."""
    for _ in range(games):
        positions[0] = start[0]
        position = positions[0]
        deal(position, generator)
        while not is_over(position):
            apply_move(position, nth_move(position, below(generator, count_moves(position))))
            deal(position, generator)
            totals[0] += 1
        totals[1] += position.round
        for seat in range(position.players):
            totals[2] += position.score[seat]


def count_sequences(stack: Cells, depth: int, level: int) -> int:
    """How many sequences of so many events begin at ``stack[level]``; each tile that may be drawn is one."""
    position = stack[level]
    if depth == 0 or is_over(position):
        return 1 if depth == 0 else 0
    total = 0
    if awaits_draw(position):
        heap = drawn_from(position)
        for kind in range(KINDS):
            if number_of(heap, kind) > 0:
                stack[level + 1] = stack[level]
                draw(stack[level + 1], kind)
                total += count_sequences(stack, depth - 1, level + 1)
        return total
    moves = count_moves(position)
    if depth == 1:
        return moves
    for n in range(moves):
        stack[level + 1] = stack[level]
        apply_move(stack[level + 1], nth_move(position, n))
        total += count_sequences(stack, depth - 1, level + 1)
    return total


def push_each(positions: Cells, generators: Cells, moves: Cells) -> int:
    """Play one move in every unfinished position and deal; where one is illegal, play none and tell which."""
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


def choose_each(positions: Cells, generators: Cells, moves: Cells) -> None:
    """A random legal move for every position, -1 where the game is over."""
    for i in range(len(positions)):
        moves[i] = -1
        if not is_over(positions[i]):
            moves[i] = nth_move(positions[i], below(generators[i : i + 1], count_moves(positions[i])))


def mark_each(positions: Cells, legal: Cells) -> None:
    """For every position, which numbers of the action space are legal."""
    for i in range(len(positions)):
        legal[i, :] = False
        for n in range(count_moves(positions[i])):
            legal[i, nth_move(positions[i], n)] = True


def bind(function: Callable[..., Any], *files: ModuleType) -> Callable[..., Any]:
    """Compile one of the functions above for the game that these files hold."""
    names: dict[str, Any] = dict(globals())
    for file in files:
        names.update(vars(file))
    bound = FunctionType(function.__code__, names, function.__name__)
    bound.__doc__ = function.__doc__
    names[function.__name__] = compiled = kernel(bound)
    return compiled
