"""The part of self-play that uses the rules, for one game: start it, observe the root, expand a node, play a move.

These functions run in one thread per game, which copies the position into a row of its own. Real draws come from the
generator of the game and draws in the tree from another one, so no search can foresee what will be drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.kernels.chance import scramble
from tilewright.kernels.compile import Cells
from tilewright.learn.store import (
    AFTERSTATE,
    AFTERSTATE_SAMPLE,
    DIVERTED_SAMPLE,
    FINISHED,
    ONGOING,
    Store,
    inlined,
)
from tilewright.learn.tree import nodes_of, players_of
from tilewright.search.settling import advance, write_result

if TYPE_CHECKING:  # defined by each game, or for a CPU and for a GPU
    from tilewright.envs.interface import observe
    from tilewright.kernels.interface import awaits_draw, canonicalise, deal, is_over, mark_moves
    from tilewright.learn.rows import read_word_on_cpu as read_word
    from tilewright.learn.rows import write_word_on_cpu as write_word
    from tilewright.search.interface import is_horizon


_40 = np.uint64(40)
_UNIT = np.float32(1 / (1 << 24))


@inlined
def load_position(own: Cells, words: Cells, i: int) -> None:
    """Copy a position out of the store."""
    for word in range(words.shape[0]):
        write_word(own, word, words[word, i])


@inlined
def store_position(own: Cells, words: Cells, i: int) -> None:
    """Copy a position into the store."""
    for word in range(words.shape[0]):
        words[word, i] = read_word(own, word)


@inlined
def load_opening(g: int, own: Cells, store: Store) -> None:
    """Copy the position before the first deal, or one of the other openings."""
    opening, others = 0, store.openings.shape[1] - 1
    if others > 0:
        word = scramble(~store.deal_generators[g])  # no other draw depends on this
        if np.float32(word >> _40) * _UNIT < store.settings[0].opening_share:
            opening = 1 + int(scramble(word) % np.uint64(others))
    load_position(own, store.openings, opening)


@inlined
def next_round(own: Cells, generator: Cells) -> None:
    """Deal, and make the position canonical."""
    deal(own[0], generator)
    canonicalise(own[0])


@inlined
def start_game(g: int, own: Cells, store: Store) -> None:
    """Begin a new game."""
    load_opening(g, own, store)
    next_round(own, store.deal_generators[g : g + 1])
    store_position(own, store.words, g)


@inlined
def prepare_evaluation(g: int, node: int, own: Cells, store: Store) -> None:
    """Write what the network needs to evaluate a position, and record what kind of node it is."""
    at = g * nodes_of(store) + node
    state = ONGOING
    if is_over(own[0]):
        state = FINISHED
        write_result(own[0], store.node_values, at * 2 * players_of(store))
    elif is_horizon(own[0]):
        state = AFTERSTATE
    store.node_state[at] = state
    store.node_mover[at] = own[0].turn
    if state != FINISHED:
        observe(own[0], own[0].turn, store.observations[:, g])
    if state == ONGOING:
        mark_moves(own[0], store.legal[g])


@inlined
def observe_root(g: int, own: Cells, store: Store) -> None:
    """Write what the network needs to evaluate the root."""
    load_position(own, store.words, g)
    prepare_evaluation(g, 0, own, store)


@inlined
def expand(g: int, own: Cells, store: Store) -> None:
    """Play the move that the descent ended with, into a new node."""
    if store.chosen[g] < 0:
        return
    games = store.played.shape[0]
    load_position(own, store.words, store.leaf[g] * games + g)
    advance(own[0], store.chosen[g], store.tree_generators[g : g + 1])
    node = store.nodes_used[g]
    store.nodes_used[g] = node + 1
    store_position(own, store.words, node * games + g)
    store.leaf[g] = node
    prepare_evaluation(g, node, own, store)


@inlined
def store_afterstate(g: int, own: Cells, store: Store) -> None:
    """The end of a round, before the deal, is a sample of its own: it has a value but no policy."""
    slot = store.written[g] % store.buffer_kind.shape[0]
    store.buffer_kind[slot, g] = AFTERSTATE_SAMPLE
    store.buffer_mover[slot, g] = own[0].turn
    observe(own[0], own[0].turn, store.buffer_observations[slot, g, ::1])  # strided: compiled for the root already
    store.written[g] += 1


@inlined
def assign_targets(g: int, own: Cells, store: Store) -> None:
    """Give the samples of a finished game their value targets: TD(lambda) over the result and the later searches.

    Where a random move was played, what came of it says nothing about the position before: only its search counts.
    """
    players, slots = players_of(store), store.buffer_kind.shape[0]
    returns = store.returns[g]
    write_result(own[0], returns, 0)
    td_lambda = store.settings[0].td_lambda
    written = store.written[g]
    for n in range(written - max(store.started[g], written - slots)):
        slot = (written - 1 - n) % slots
        kind = store.buffer_kind[slot, g]
        if kind != AFTERSTATE_SAMPLE:
            kept = np.float32(0) if kind == DIVERTED_SAMPLE else td_lambda
            for k in range(2 * players):
                returns[k] = kept * returns[k] + (np.float32(1) - kept) * store.buffer_search[slot, g, k]
        mover = int(store.buffer_mover[slot, g])
        for step in range(players):
            seat = (mover + step) % players
            store.buffer_target[slot, g, step] = returns[seat]
            store.buffer_target[slot, g, players + step] = returns[players + seat]
    store.finished[g] = written


@inlined
def count_game(g: int, own: Cells, store: Store) -> None:
    """Add a finished game to the statistics of the log."""
    store.totals[g].games += 1
    store.totals[g].rounds += own[0].round_number
    for seat in range(players_of(store)):
        store.totals[g].points += own[0].score[seat]


@inlined
def play(g: int, own: Cells, store: Store) -> None:
    """Play the chosen move with the real draws; when the game is over, begin another one."""
    generator = store.deal_generators[g : g + 1]
    load_position(own, store.words, g)
    advance(own[0], store.played[g], generator)
    store.totals[g].decisions += 1
    if is_over(own[0]):
        assign_targets(g, own, store)
        count_game(g, own, store)
        store.started[g] = store.written[g]
        load_opening(g, own, store)
    elif is_horizon(own[0]):
        store_afterstate(g, own, store)
    if awaits_draw(own[0]):
        next_round(own, generator)
    store_position(own, store.words, g)
