"""The report of a match: a self-contained HTML page with every number of the result, and plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from math import isnan
from pathlib import Path

import tilewright
from tilewright.arena.plots import NOBODY, Series, grouped_bars, histograms, intervals, standing_bars, walk
from tilewright.arena.report_style import STYLE
from tilewright.arena.summary import MatchResult, Quantity, Standing
from tilewright.view.generated_page import generator_tag

GENERATOR = "tilewright arena"
"""Who made the page, as its head says."""
_MOST_ROWS = 16
"""The number of bots in a plot; the tables have all of them."""


def write_report(result: MatchResult, path: Path) -> None:
    """Write the page to a file."""
    path.write_text(report_page(result), encoding="utf-8")


def report_page(result: MatchResult) -> str:
    """The page."""
    title = escape(_title(result))
    sections = (_headline, _standings, _crosstable, _plots)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{generator_tag(GENERATOR)}\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<header><h1>{title}</h1>{_subtitle(result)}</header>\n"
        + "\n".join(section(result) for section in sections)
        + f"\n<footer>Made by tilewright {escape(tilewright.__version__)}. Errors (±) are standard errors from the "
        "spread between sets of games with the same deal; intervals hold the true value in 95 of 100 matches."
        "</footer>\n</main>\n</body>\n</html>\n"
    )


def _title(result: MatchResult) -> str:
    names = result.match.names
    return f"{names[0]} against {names[1]}" if len(names) == 2 else f"League of {len(names)} bots"


def _subtitle(result: MatchResult) -> str:
    match = result.match
    game = match.game
    options = "".join(f", {option.name}: {option.write(game.options[option.name])}" for option in game.spec.options)
    return (
        f"<p>{escape(game.title)}, {game.players} players{escape(options)}. {result.told_games}. Seed {match.seed}.</p>"
    )


def _headline(result: MatchResult) -> str:
    """The numbers of the first bot, large; a league has its table instead."""
    if len(result.match.bots) > 2:
        return ""
    first, elo = result.first, result.elo
    facts = [
        ("games won", f"{first.win_rate.value:.1%}", f"± {first.win_rate.error:.1%}, fair {_fair(result):.0%}"),
        ("Elo", f"{elo.value:+.0f}", f"{elo.low:+.0f} to {elo.high:+.0f}"),
        ("margin in points", f"{first.margin.value:+.1f}", f"± {first.margin.error:.1f}"),
    ]
    if result.sprt is not None:
        test = result.sprt.test
        question = f"{test.elo0:g} or {test.elo1:g} Elo? LLR {result.sprt.llr:+.2f}"
        facts.append(("sequential test", result.sprt.decision, question))
    cards = (
        f"<li><span>{name}</span><strong>{value}</strong><small>{more}</small></li>" for name, value, more in facts
    )
    return f'<ul class="facts" aria-label="{escape(first.name)}">{"".join(cards)}</ul>'


def _fair(result: MatchResult) -> float:
    return 1 / result.match.game.players


def _standings(result: MatchResult) -> str:
    head = ("bot", "games", "won", "points", "margin", "Elo", "95 %", "OpenSkill", "ms a move")
    rows = (_standing_cells(result.standings[bot]) for bot in result.order)
    return _section("Standings", _table(head, rows), wide=True)


def _standing_cells(standing: Standing) -> list[str]:
    return [
        standing.name,
        f"{standing.games:,}",
        f"{standing.win_rate.value:.1%} ± {standing.win_rate.error:.1%}",
        f"{standing.score.value:.1f} ± {standing.score.error:.1f}",
        f"{standing.margin.value:+.1f} ± {standing.margin.error:.1f}",
        f"{standing.elo.value:+.0f}",
        f"{standing.elo.low:+.0f} to {standing.elo.high:+.0f}",
        f"{standing.skill.mu:.1f} ± {standing.skill.sigma:.1f}",
        f"{standing.seconds_per_move * 1000:.2f}",
    ]


def _crosstable(result: MatchResult) -> str:
    """Who finished ahead of whom, for leagues."""
    bots = len(result.match.bots)
    if bots == 2:
        return ""
    order = result.order
    rows = []
    for rank, bot in enumerate(order):
        parts = [result.crosstable[bot, other] for other in order]
        rows.append(
            [f"{rank + 1}. {result.match.names[bot]}", *("·" if isnan(part) else f"{part:.0%}" for part in parts)]
        )
    table = _table(["", *(str(rank + 1) for rank in range(bots))], rows)
    told = "<p>How often the bot of the row won against, or finished ahead of, the bot of the column.</p>"
    return _section("Crosstable", told + table, wide=True)


def _plots(result: MatchResult) -> str:
    drawn = [
        _ratings_plot(result),
        _sprt_plot(result),
        _pairs_plot(result),
        _section("Points at the end", histograms(_series(result, "scores"), "Points at the end, for each bot")),
        _margin_plot(result),
        _seats_plot(result),
        _sources_plot(result),
        _length_plots(result),
    ]
    return f'<div class="plots">{"".join(drawn)}</div>'


def _series(result: MatchResult, what: Quantity) -> list[Series]:
    bots = result.order[:_MOST_ROWS]
    series = [Series(result.match.names[bot], result.of_bot(bot, what), bot) for bot in bots]
    return [one for one in series if one.values]


def _ratings_plot(result: MatchResult) -> str:
    if len(result.match.bots) == 2:
        return ""
    standings = [result.standings[bot] for bot in result.order[:_MOST_ROWS]]
    rows = [(one.name, one.elo.value, one.elo.low, one.elo.high) for one in standings]
    return _section("Ratings", intervals(rows, "Elo of each bot with its interval, 0 on average"))


def _sprt_plot(result: MatchResult) -> str:
    if result.sprt is None:
        return ""
    test = result.sprt.test
    told = (
        f"<p>Is the first bot stronger by {test.elo0:g} (H0) or by {test.elo1:g} Elo (H1)? After each set of games:</p>"
    )
    picture = walk(result.sprt.curve, test.lower, test.upper, "Log-likelihood ratio after each set")
    return _section("Sequential test", told + picture)


def _pairs_plot(result: MatchResult) -> str:
    if result.pairs is None:
        return ""
    told = f"<p>Points of {escape(result.match.names[0])} from the two games of a deal.</p>"
    labels = ("0", "½", "1", "1½", "2")
    return _section("Pairs", told + standing_bars(labels, result.pairs, "How often each result of a pair came"))


def _margin_plot(result: MatchResult) -> str:
    series = _series(result, "margins")
    if len(result.match.bots) == 2 and result.match.game.players == 2:
        series = [one for one in series if one.colour == 0]  # the other's are the same with the sign turned
    told = "<p>A bot's points minus those of the best other player.</p>"
    return _section("Margin", told + histograms(series, "Margins"))


def _seats_plot(result: MatchResult) -> str:
    seats = range(result.match.game.players)
    series = [
        Series(result.match.names[bot], [100 * rate for rate in result.standings[bot].win_rate_by_seat], bot)
        for bot in result.order[:_MOST_ROWS]
    ]
    everybody = [100 * sum(game.shares[seat] for game in result.games) / len(result.games) for seat in seats]
    series.append(Series("all together", everybody, NOBODY))
    groups = [f"player {seat + 1}{', who begins' if seat == 0 else ''}" for seat in seats]
    picture = grouped_bars(groups, series, "Games won from each seat", "{:.1f} %", 100 * _fair(result))
    return _section("Games won by seat", picture)


def _sources_plot(result: MatchResult) -> str:
    points = {bot: result.standings[bot].points for bot in result.order[:_MOST_ROWS]}
    sources = list(next(filter(None, points.values())))
    series = [
        Series(result.match.names[bot], [own[source] for source in sources], bot) for bot, own in points.items() if own
    ]
    return _section("Where the points come from", grouped_bars(sources, series, "Mean points by source"))


def _length_plots(result: MatchResult) -> str:
    rounds = Counter(game.rounds for game in result.games)
    span = range(min(rounds), max(rounds) + 1)
    moves = [Series("moves of a game", [float(sum(game.moves)) for game in result.games], NOBODY)]
    pictures = _section("Length in moves", histograms(moves, "Moves of the games"))
    if len(span) == 1:
        return pictures
    bars = standing_bars([str(n) for n in span], [rounds[n] for n in span], "Rounds of the games", "neutral")
    return pictures + _section("Length in rounds", bars)


def _section(title: str, body: str, wide: bool = False) -> str:
    return f"<section{' class=wide' if wide else ''}><h2>{title}</h2>{body}</section>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    return f'<div class="scroll" tabindex="0"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
