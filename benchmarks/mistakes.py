"""Does a review find the mistakes? Its grades against a long search, in games of level 2.

    python benchmarks/mistakes.py azul --games 3 --reference 30s --workers 16

For each decision the reference spends its time in three equal parts: on the position, to find the best move, and on the
positions after that move and after the one that was played; the review's favourite gets one, too. It uses the
champion's own settings, not the review's. Recall is the share of the reference's mistakes that the review names; false
alarms are the share of what the review names that the reference does not call a mistake. ``--out`` keeps every
decision.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from time import process_time
from typing import NamedTuple

import tilewright as tw
from reviewed_games import compile_reviews, play, rule_set, spread
from tilewright.game.registry import read_position
from tilewright.insight.network_evaluator import NetworkEvaluator
from tilewright.insight.review import Review
from tilewright.search.champion_workspace import CHAMPION_SETTINGS

THRESHOLD = 0.05
BOT = "level2"
TREE = 2_000_000
"""Nodes of the reference's tree, so that it does not fill up before the time is over."""


class Game(NamedTuple):
    """A game to play and to review."""

    rules: str
    seed: int
    budget: str | None


@dataclass(frozen=True)
class Decision:
    """A decision as the review sees it."""

    game: int
    event: int
    position: str
    played: str
    best: str
    loss: float
    error: float
    chance: float
    """After the best move."""


class Question(NamedTuple):
    """What the reference is asked."""

    decision: Decision
    budget: tw.Budget


def reviewed(game: Game) -> tuple[float, list[Decision]]:
    """The decisions of a game that were not forced, and the CPU seconds that the review took."""
    record = play(rule_set(game.rules), [BOT] * rule_set(game.rules).players, game.seed)
    compile_reviews(record.game)  # or rather, load what was compiled
    started = process_time()
    review = tw.review(record, game.budget)
    return process_time() - started, _decisions(review, game.seed)


def _decisions(review: Review, seed: int) -> list[Decision]:
    positions = list(review.record.positions())
    return [
        Decision(
            game=seed,
            event=move.event,
            position=positions[move.event].to_text(),
            played=str(move.move),
            best=str(move.best),
            loss=move.loss,
            error=move.error,
            chance=move.after_best.chances[move.seat],
        )
        for move in review.moves
        if move.grade is not None
    ]


@cache
def _reference(game: tw.Game) -> NetworkEvaluator:
    return NetworkEvaluator(game, settings=CHAMPION_SETTINGS, most_nodes=TREE)


def actual_loss(question: Question) -> tuple[float, str]:
    """What the move that was played gives away according to the reference, and the reference's best move."""
    decision, whole = question
    position = read_position(decision.position)
    game, seat = position.game, position.turn
    assert seat is not None
    third = tw.Budget(
        seconds=whole.seconds / 3 if whole.seconds else None,
        simulations=whole.simulations // 3 if whole.simulations else None,
    )
    best = _reference(game).evaluate(position, third, tw.Cancellation()).candidates[0].move
    played = game.move(decision.played)
    chances = {
        move: _reference(game).evaluate(_after(position, move), third, tw.Cancellation()).expectation.chances[seat]
        for move in {best, game.move(decision.best), played}
    }
    best = max(chances, key=chances.__getitem__)
    return chances[best] - chances[played], str(best)


def _after(position: tw.Position, move: tw.Move) -> tw.Position:
    after = position.without_dealer()
    after.push(move)
    return after


def row(losses: list[tuple[float, float]]) -> str:
    """The numbers of the table, from the losses that the review and the reference see."""
    true = [seen >= THRESHOLD for seen, actual in losses if actual >= THRESHOLD]
    named = [actual >= THRESHOLD for seen, actual in losses if seen >= THRESHOLD]
    recall, alarms = sum(true) / max(1, len(true)), 1 - sum(named) / max(1, len(named))
    difference = sum(abs(seen - actual) for seen, actual in losses) / max(1, len(losses))
    return f"{len(losses):9}  {len(true):8}  {len(named):5}  {recall:6.1%}  {alarms:12.1%}  {difference:15.2%}"


def main() -> None:
    """Review, evaluate again, and print the table; it grows decision by decision."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rules", help='a rule set, such as "azul" or "summer-pavilion side=grey"')
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first game")
    parser.add_argument("--budget", help="of the review (default: its own)")
    parser.add_argument("--reference", type=tw.Budget.read, default=tw.Budget(seconds=30))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write every decision to this file")
    arguments = parser.parse_args()
    compile_reviews(rule_set(arguments.rules))
    games = [Game(arguments.rules, arguments.first + n, arguments.budget) for n in range(arguments.games)]
    decisions = list[Decision]()
    for seconds, found in spread(reviewed, games, arguments.workers):
        decisions += found
        print(f"a review of {len(found)} decisions took {seconds:.1f} CPU seconds", flush=True)
    compare(decisions, arguments)


def compare(decisions: list[Decision], arguments: argparse.Namespace) -> None:
    """Ask the reference about every decision, tell the score, and where the two disagree."""
    questions = [Question(decision, arguments.reference) for decision in decisions]
    evaluated = list[tuple[Decision, float, str]]()
    print("decisions  mistakes  named  recall  false alarms  mean difference", flush=True)
    for decision, (actual, best) in zip(decisions, spread(actual_loss, questions, arguments.workers), strict=True):
        evaluated.append((decision, actual, best))
        if len(evaluated) % 20 == 0 or len(evaluated) == len(decisions):
            print(row([(one.loss, actual) for one, actual, _ in evaluated]), flush=True)
            if arguments.out:
                told = [{**asdict(one), "actual": actual, "reference": best} for one, actual, best in evaluated]
                arguments.out.write_text(json.dumps(told, indent=1), encoding="utf-8")
    for decision, actual, best in evaluated:
        if (decision.loss >= THRESHOLD) != (actual >= THRESHOLD):
            print(
                f"game {decision.game} event {decision.event}: {decision.played} lost {decision.loss:.1%} "
                f"± {decision.error:.1%} against {decision.best}; reference {actual:.1%} against {best}"
            )


if __name__ == "__main__":
    main()
