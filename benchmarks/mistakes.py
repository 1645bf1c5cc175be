"""Does a review find the mistakes? Its grades against a long search, in games of level 2.

    python benchmarks/mistakes.py azul --games 2 --reference 30s

For each decision the reference spends its time in three equal parts: on the position, to find the best move, and on the
positions after that move and after the one that was played. It uses the champion's own settings, not the review's.
Recall is the share of the reference's mistakes that the review names; false alarms are the share of what the review
names that the reference does not call a mistake.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from time import process_time

import tilewright as tw
from tilewright.bots.registry import make_bot
from tilewright.insight.network_judge import NetworkJudge
from tilewright.insight.review import MoveReview, Review
from tilewright.search.champion_workspace import CHAMPION_SETTINGS

THRESHOLD = 0.05


def play(game: tw.Game, seed: int) -> tw.Record:
    """A game between two bots of level 2."""
    bots = [make_bot("level2", seed=seed * game.players + seat) for seat in range(game.players)]
    position = game.start(seed=seed)
    while not position.is_over:
        assert position.turn is not None
        position.push(bots[position.turn].choose(position))
    return position.record()


class Reference:
    """A long search."""

    def __init__(self, game: tw.Game, budget: tw.Budget) -> None:
        self._judge = NetworkJudge(game, settings=CHAMPION_SETTINGS)
        seconds, simulations = budget.seconds, budget.simulations
        self._third = tw.Budget(seconds / 3 if seconds else None, simulations // 3 if simulations else None)

    def loss(self, position: tw.Position, move: MoveReview) -> float:
        """What the move that was played gives away."""
        best = self._judge.judge(position, self._third, tw.Cancellation()).candidates[0].move
        chances = {one: self._chance(position, one, move.seat) for one in {best, move.best, move.move}}
        return max(chances.values()) - chances[move.move]

    def _chance(self, position: tw.Position, move: tw.Move, seat: int) -> float:
        after = position.without_dealer()
        after.push(move)
        return self._judge.judge(after, self._third, tw.Cancellation()).expectation.chances[seat]


def compare(review: Review, reference: Reference) -> Iterator[tuple[float, float]]:
    """For each decision the losses that the review and the reference see."""
    positions = list(review.record.positions())
    for move in review.moves:
        if move.grade is not None:
            yield move.loss, reference.loss(positions[move.event], move)


def main() -> None:
    """Review, judge again, and print the table; it grows game by game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=list(tw.GAMES))
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first game")
    parser.add_argument("--budget", help="of the review (default: its own)")
    parser.add_argument("--reference", type=tw.Budget.read, default=tw.Budget(seconds=30))
    arguments = parser.parse_args()
    game = tw.make_game(arguments.game, players=arguments.players)
    reference, losses = Reference(game, arguments.reference), list[tuple[float, float]]()
    print("games  decisions  mistakes  named  recall  false alarms  mean difference  CPU seconds of the review")
    for n in range(arguments.games):
        started = process_time()
        review = tw.review(play(game, arguments.first + n), arguments.budget)
        seconds = process_time() - started
        losses += compare(review, reference)
        print(f"{n + 1:5}  {row(losses)}  {seconds:.1f}", flush=True)


def row(losses: list[tuple[float, float]]) -> str:
    """The numbers of the table."""
    true = [seen >= THRESHOLD for seen, actual in losses if actual >= THRESHOLD]
    named = [actual >= THRESHOLD for seen, actual in losses if seen >= THRESHOLD]
    recall, alarms = sum(true) / max(1, len(true)), 1 - sum(named) / max(1, len(named))
    difference = sum(abs(seen - actual) for seen, actual in losses) / max(1, len(losses))
    return f"{len(losses):9}  {len(true):8}  {len(named):5}  {recall:6.1%}  {alarms:12.1%}  {difference:15.2%}"


if __name__ == "__main__":
    main()
