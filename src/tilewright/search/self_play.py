"""Games of quick choices against each other, noted board by board: what the weights are found from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.kernels.compile import Cells
from tilewright.search.rollouts import play_on
from tilewright.search.workspace import Knowledge, Pads

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import deal, is_over
    from tilewright.search.interface import note_features, stage_of, weigh

STAGE, ROUND, SEAT, NOTED_SCORE, FINAL_SCORE, FIRST_FEATURE = range(6)
"""What a row of notes holds; the features follow."""
MOST_ROUNDS = 50


def note_boards(table: Cells, pads: Pads, notes: Cells, count: int) -> int:
    """A row of notes for each seat; returns how many rows there are now."""
    for seat in range(table[0].players):
        note_features(table[0], seat, pads.features)
        notes[count, STAGE] = stage_of(table[0])
        notes[count, ROUND] = table[0].round_number
        notes[count, SEAT] = seat
        notes[count, NOTED_SCORE] = table[0].score[seat]
        notes[count, FIRST_FEATURE:] = pads.features
        count += 1
    return count


def note_boards_at(table: Cells, pads: Pads, notes: Cells, count: int) -> int:
    """For the games of the search itself."""
    return note_boards(table, pads, notes, count)


def self_play(
    table: Cells, start: Cells, knowledge: Knowledge, pads: Pads, settings: Cells, generator: Cells, notes: Cells
) -> int:
    """Play games until the notes are nearly full; returns the rows that were written.

    Boards are noted between two rounds; when a game ends, the rows of it get the final scores.
    """
    players = start[0].players
    count = 0
    while count + MOST_ROUNDS * players < len(notes):
        table[0] = start[0]
        begun = count
        while not is_over(table[0]):
            deal(table[0], generator)
            weigh(table[0], knowledge, pads)
            play_on(table, 0, knowledge, pads, settings, generator)
            if not is_over(table[0]) and count - begun < (MOST_ROUNDS - 1) * players:
                count = note_boards(table, pads, notes, count)
        for row in range(begun, count):
            notes[row, FINAL_SCORE] = table[0].score[int(notes[row, SEAT])]
    return count
