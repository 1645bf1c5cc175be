"""A match in words and tables for the terminal."""

from __future__ import annotations

from math import isnan

from tilewright.arena.sprt import SprtRun
from tilewright.arena.statistics import Estimate
from tilewright.arena.summary import MatchResult, Standing

_MOST_COLUMNS = 12
"""A crosstable of more bots than this is too wide for a terminal; the report has it."""


def tell_match(result: MatchResult) -> str:
    """The whole result, the headline first."""
    return "\n\n".join(part for part in (_heading(result), _table(result), _crosstable(result), _rest(result)) if part)


def _heading(result: MatchResult) -> str:
    match = result.match
    lines = [f"{match.game!r}, seed {match.seed}", result.told_games]
    if len(match.bots) == 2:
        lines += ["", headline(result)]
    return "\n".join(lines)


def headline(result: MatchResult) -> str:
    """Which of two bots is stronger, if the match shows it."""
    first, second = result.match.names[:2]
    elo, share = result.elo, result.first.win_rate.value
    told = f"{first} wins {share:.1%} against {second}"
    if elo.low > 0 or elo.high < 0:
        return f"{told}: {'stronger' if elo.low > 0 else 'weaker'} by {abs(elo.value):.0f} Elo ({interval(elo)})"
    if share in (0, 1):  # the spread of the results cannot be estimated, and neither can a difference in Elo
        return f"{told}: {'every' if share == 1 else 'no'} game won, but too few to estimate the difference in Elo"
    return f"{told}: no significant difference yet ({elo.value:+.0f} Elo, {interval(elo)})"


def interval(elo: Estimate) -> str:
    """The confidence interval in words."""
    return f"95 % interval {elo.low:+.0f} to {elo.high:+.0f}"


def _table(result: MatchResult) -> str:
    standings = [result.standings[bot] for bot in result.order]
    width = max(3, *(len(standing.name) for standing in standings))
    head = (
        f"{'bot':{width}} {'games':>7} {'won':>7} {'±':>5} {'points':>7} {'margin':>7} {'±':>5}"
        f" {'Elo':>6} {'95 %':>15} {'OpenSkill':>12} {'ms/move':>9}"
    )
    return "\n".join([head, *(_row(standing, width) for standing in standings)])


def _row(standing: Standing, width: int) -> str:
    elo, skill = standing.elo, standing.skill
    between = f"{elo.low:+.0f} to {elo.high:+.0f}"
    return (
        f"{standing.name:{width}} {standing.games:7,} {standing.win_rate.value:7.1%} {standing.win_rate.error:5.1%}"
        f" {standing.score.value:7.1f} {standing.margin.value:+7.1f} {standing.margin.error:5.1f}"
        f" {elo.value:+6.0f} {between:>15} {f'{skill.mu:.1f} ± {skill.sigma:.1f}':>12}"
        f" {standing.seconds_per_move * 1000:9.2f}"
    )


def _crosstable(result: MatchResult) -> str:
    """How often each bot finished ahead of each other one, in per cent; for leagues only."""
    bots = len(result.match.bots)
    if not 2 < bots <= _MOST_COLUMNS:
        return ""
    order = result.order
    width = max(len(name) for name in result.match.names)
    lines = [
        "won against, or finished ahead of:",
        " " * (width + 3) + "".join(f"{rank + 1:6}" for rank in range(bots)),
    ]
    for rank, bot in enumerate(order):
        parts = [result.crosstable[bot, other] for other in order]
        cells = "".join("     ." if isnan(part) else f"{part:6.0%}" for part in parts)
        lines.append(f"{rank + 1:2} {result.match.names[bot]:{width}}{cells}")
    return "\n".join(lines)


def _rest(result: MatchResult) -> str:
    moves = sum(sum(game.moves) for game in result.games) / len(result.games)
    rounds = sum(game.rounds for game in result.games) / len(result.games)
    lines = []
    if result.pairs is not None:
        lines.append("pairs of games won 0, ½, 1, 1½, 2: " + ", ".join(str(count) for count in result.pairs))
    if result.sprt is not None:
        lines.append(tell_sprt(result.sprt))
    lines.append(
        f"{rounds:.1f} rounds and {moves:.1f} moves per game, {result.moves_per_second:,.0f} moves/s per worker"
    )
    return "\n".join(lines)


def tell_sprt(run: SprtRun) -> str:
    """The sequential test in a line."""
    test = run.test
    meaning = {
        "H1": f"H1 accepted, {test.elo1:g} Elo rather than {test.elo0:g}",
        "H0": f"H0 accepted, {test.elo0:g} Elo rather than {test.elo1:g}",
        "undecided": "undecided, more games are needed",
    }
    llr = f"LLR {run.llr:+.2f} of {test.lower:.2f} to {test.upper:.2f} after {len(run.curve):,} sets"
    return f"SPRT: {meaning[run.decision]} ({llr})"
