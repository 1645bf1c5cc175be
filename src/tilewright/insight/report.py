"""A review as one self-contained HTML page: summary, graph, totals, and every mistake with its picture."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

import tilewright
from tilewright.game.position import Position
from tilewright.insight import wording
from tilewright.insight.grades import MISTAKES, Grade
from tilewright.insight.graph import chance_graph
from tilewright.insight.review import MoveReview, Review, SeatReview
from tilewright.insight.wording import signed_percent
from tilewright.view import narrator
from tilewright.view.generated_page import generator_tag
from tilewright.view.grammar import percent
from tilewright.view.language import DEFAULT, say
from tilewright.view.phrasing import labelled
from tilewright.view.picture.compose import draw_svg

GENERATOR = "tilewright review"
"""Who made the page, as its head says."""
LEAST_MISTAKE = 0.05
"""What a mistake costs at least, for the sentence that there was none."""

STYLE = """
:root { color-scheme: light dark; --ink: #1d2530; --paper: #fbfaf7; --line: #c9c5ba; --soft: #5c6570;
  --seat0: #1f5fa8; --seat1: #b4471f; --seat2: #2e7d4f; --seat3: #7a3f9d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --paper: #16191d; --line: #454a52; --soft: #a5adb8;
  --seat0: #7db3f0; --seat1: #f0936b; --seat2: #7cc99a; --seat3: #c79be6; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.7rem; line-height: 1.25; } h2 { font-size: 1.3rem; margin-top: 2.2rem; }
h3 { font-size: 1.05rem; margin: 0 0 .4rem; }
.graph { width: 100%; height: auto; font-size: 12px; } .graph text { fill: var(--soft); }
.graph polyline { fill: none; stroke-width: 2; } .graph .grid { stroke: var(--line); stroke-width: .6; }
.graph .deal { stroke: var(--soft); stroke-width: .8; stroke-dasharray: 2 4; }
.graph circle { fill: var(--paper); stroke-width: 2; }
.seat0 { stroke: var(--seat0); } .seat1 { stroke: var(--seat1); } .seat2 { stroke: var(--seat2); }
.seat3 { stroke: var(--seat3); } circle.seat0 { fill: var(--seat0); }
.wide { overflow-x: auto; } table { border-collapse: collapse; }
th, td { text-align: right; padding: .3rem .8rem; border-bottom: 1px solid var(--line); }
td { white-space: nowrap; } th { overflow-wrap: anywhere; }
th[scope="row"] { text-align: left; font-weight: normal; }
article { border-top: 1px solid var(--line); padding: 1rem 0; } article img { max-width: 100%; height: auto; }
article p, article ul { margin: .3rem 0; } footer, .small { color: var(--soft); font-size: .9rem; }
"""


def write_report(review: Review, path: Path, language: str = DEFAULT) -> None:
    """Write the page to a file."""
    path.write_text(report_page(review, language), encoding="utf-8")


def report_page(review: Review, language: str = DEFAULT) -> str:
    """The page."""
    names = narrator.player_names(review.record.game, review.record.names, language)
    title = escape(labelled(_text(language, "title"), _result(review.record.replay(), names, language), language))
    sections = [
        f"<p>{escape(' '.join(wording.summary(review, names, language)))}</p>",
        f"<h2>{escape(_graph_title(names, language))}</h2>{chance_graph(review, names, language)}",
        _totals(review, names, language),
        f"<h2>{escape(_text(language, 'mistakes'))}</h2>",
        *_mistakes(review, names, language),
    ]
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n{generator_tag(GENERATOR)}\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        + "\n".join(sections)
        + f"\n<footer><p>{escape(_text(language, 'footnote'))}</p><p>tilewright {escape(tilewright.__version__)}</p>"
        "</footer>\n</main>\n</body>\n</html>\n"
    )


def _result(last: Position, names: Sequence[str], language: str) -> str:
    outcome = last.outcome()
    return narrator.awaited(last, names, language) if outcome is None else narrator.result(outcome, names, language)


def _text(language: str, key: str, **values: object) -> str:
    return say(language, f"insight.report.{key}", **values)


def _graph_title(names: Sequence[str], language: str) -> str:
    """With two players the graph shows the first; the other has the rest."""
    return _text(language, "chance_of", name=names[0]) if len(names) == 2 else _text(language, "win_chance")


# The totals ---------------------------------------------------------------------------------------------


def _totals(review: Review, names: Sequence[str], language: str) -> str:
    """One column for each player: the names of the grades are too long to stand side by side."""
    labels = [_text(language, key) for key in ("accuracy", "given_away", "luck")]
    labels += [wording.grade_name(grade, language) for grade in Grade]
    columns = [[*totals_of(seat, language), *(str(seat.grades[grade]) for grade in Grade)] for seat in review.seats]
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    body = "".join(
        f'<tr><th scope="row">{escape(label)}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
        for label, *cells in zip(labels, *columns, strict=True)
    )
    sums = "".join(
        f'<p class="small">{escape(sum_of(name, seat, language))}</p>'
        for name, seat in zip(names, review.seats, strict=True)
    )
    table = f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide">{table}</div>{sums}'


def totals_of(seat: SeatReview, language: str) -> list[str]:
    """Accuracy, what was given away and luck, with their errors."""
    accuracy = "–" if seat.accuracy is None else f"{seat.accuracy:.0f}"
    if seat.accuracy_error is not None:
        accuracy += f" ± {seat.accuracy_error:.0f}"
    return [
        accuracy,
        f"{percent(seat.given_away, language)} ± {percent(seat.given_away_error, language)}",
        f"{signed_percent(seat.luck, language)} ± {percent(seat.luck_error, language)}",
    ]


def sum_of(name: str, seat: SeatReview, language: str) -> str:
    """How start, skill and luck come to the result."""
    return _text(
        language,
        "adds_up",
        name=name,
        start=percent(seat.start, language),
        given_away=signed_percent(-seat.given_away, language),
        received=signed_percent(seat.received, language),
        luck=signed_percent(seat.luck, language),
        remainder=f"{signed_percent(seat.remainder, language)} ± {percent(seat.remainder_error, language)}",
        result=percent(seat.result, language),
    )


# Mistakes -----------------------------------------------------------------------------------------------


def _mistakes(review: Review, names: Sequence[str], language: str) -> Iterator[str]:
    mistakes = [move for move in review.moves if move.grade in MISTAKES]
    if not mistakes:
        yield f"<p>{escape(_text(language, 'no_mistakes', least=percent(LEAST_MISTAKE, language)))}</p>"
        return
    positions = list(review.record.positions())
    for move in mistakes:
        yield _mistake(positions[move.event], move, names, language)


def _mistake(position: Position, move: MoveReview, names: Sequence[str], language: str) -> str:
    heading = f"{_text(language, 'event', number=move.event + 1, round=move.round)}: {cost_of(move, language)}"
    picture = b64encode(draw_svg(position, names, language).encode()).decode()
    reasons = wording.tell_reasons(move.reasons, position.game, names, language)
    listed = "".join(f"<li>{escape(reason)}</li>" for reason in reasons)
    return (
        f"<article><h3>{escape(heading)}</h3>"
        + "".join(f"<p>{escape(line)}</p>" for line in both_moves(position, move, names, language))
        + (f"<ul>{listed}</ul>" if listed else "")
        + f'<img alt="" loading="lazy" src="data:image/svg+xml;base64,{picture}"></article>'
    )


def cost_of(move: MoveReview, language: str) -> str:
    """The grade of a mistake and what it cost."""
    assert move.grade is not None
    return _text(
        language,
        "cost",
        grade=wording.grade_name(move.grade, language),
        change=signed_percent(-move.loss, language),
        points=wording.signed_points(-move.points_lost, language),
    )


def both_moves(position: Position, move: MoveReview, names: Sequence[str], language: str) -> list[str]:
    """The move that was played and the better one."""
    played, better = (narrator.tell(position, one, language).with_text(one) for one in (move.move, move.best))
    return [
        _text(language, "played", name=names[move.seat], told=played),
        _text(language, "better", told=better),
    ]
