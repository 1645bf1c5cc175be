"""Every English word of the pictures and of the stories about moves that both games share.

What only one game says is in ``azul_words`` and ``summer_pavilion_words``; nothing else in this layer holds
words, so a language is three files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.game.game import Game
from tilewright.game.moves import Draw, Move
from tilewright.game.outcome import Outcome
from tilewright.game.position import Position
from tilewright.view.paint import printable
from tilewright.view.phrases import Told, count_of, listed

LONGEST_NAME = 16

FACTORIES, CENTRE, BAG, LID, TOWER, SUPPLY = "Factories", "Centre", "Bag", "Lid", "Tower", "Supply"
TOTAL = "total"
_LABELS_WIDTH = 10


def player_names(game: Game, names: Sequence[str] | None) -> list[str]:
    """The names of the players for drawings; without any, by their seats."""
    if names is None:
        return [f"Player {seat + 1}" for seat in range(game.players)]
    if len(names) != game.players:
        raise ValueError(f"{game!r} needs {game.players} names, not {len(names)}")
    return [printable(name, LONGEST_NAME) for name in names]


def label(text: str) -> str:
    """The name of a line of the table, filled up so that what follows stands in one column."""
    return text.ljust(_LABELS_WIDTH)


def score_of(points: int) -> str:
    """A score."""
    return count_of(points, "point")


def heading(position: Position) -> str:
    """Which game, which variant, which round."""
    return str(_wording(position.game).heading(position))


def awaited(position: Position, names: Sequence[str]) -> str:
    """Whose turn it is and what the game waits for."""
    outcome = position.outcome()
    if outcome is not None:
        return f"Game over: {result(outcome, names)}"
    return str(_wording(position.game).awaited(position, names))


def result(outcome: Outcome, names: Sequence[str]) -> str:
    """Who won, and the scores."""
    winners = [names[seat] for seat in outcome.winners]
    scores = "-".join(str(score) for score in outcome.scores)
    if len(winners) == 1:
        return f"{winners[0]} wins {scores}"
    if len(winners) == len(names) > 2:
        return f"all share the win {scores}"
    return f"{listed(winners)} share the win {scores}"


def describe_move(position: Position, move: Move) -> str:
    """What a move does, in plain English; ask before it is pushed."""
    return tell_move(position, move).sentence


def tell_move(position: Position, move: Move) -> Told:
    """A move in words, also in the two parts that a list of moves shows."""
    told: Told = _wording(position.game).tell(position, move)
    return told


def describe_draw(position: Position, draw: Draw) -> str:
    """Tiles drawn, and for what; ask before they are drawn."""
    if position.phase == "supply":
        return f"{count_of(len(draw.kinds), 'tile')} drawn for the supply and the factories"
    return f"{count_of(len(draw.kinds), 'tile')} drawn for the factories"


def describe_round(before: Position, after: Position, names: Sequence[str]) -> list[str]:
    """What each player won and lost between two positions, a line for each: the start of a round and its end."""
    tell = _wording(before.game).points_between
    longest = max(len(name) for name in names)
    return [
        f"{name.ljust(longest)}  {before.scores[seat]:3} -> {after.scores[seat]:3}   {tell(before, after, seat)}"
        for seat, name in enumerate(names)
    ]


def _wording(game: Game) -> Any:
    return game.spec.part("wording")


def prompt(position: Position, language: str) -> str:
    """What the player to move has to do, in a sentence."""
    return str(_wording(position.game).prompt(position, language))
