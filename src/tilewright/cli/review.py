"""``tilewright review``: what every move of a saved game gave away, and what the deals were worth."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from tilewright.cli.languages import chosen_language
from tilewright.cli.sources import find_record
from tilewright.cli.terminal import Terminal, compiling_notice
from tilewright.game.errors import BadOption
from tilewright.insight import report, wording
from tilewright.insight.evaluation import make_evaluator
from tilewright.insight.grades import MISTAKES, Grade
from tilewright.insight.review import Review
from tilewright.insight.reviewing import review
from tilewright.view import narrator
from tilewright.view.generated_page import is_made_by
from tilewright.view.grammar import percent
from tilewright.view.language import say
from tilewright.view.phrasing import labelled

_BARS = "▁▂▃▄▅▆▇█"


def run(arguments: Namespace) -> int:
    """Review the record and print the result, or write the page."""
    language = chosen_language(arguments.language, for_programs=arguments.json)
    page = Path(arguments.html) if arguments.html else None
    if page is not None and page.exists() and not is_made_by(report.GENERATOR, page):
        raise BadOption(f"{page} already exists and is not a review; choose another name for --html")
    if page is not None and not page.absolute().parent.is_dir():
        raise BadOption(f"there is no folder {page.absolute().parent} for --html")
    with compiling_notice(language):
        record = find_record(arguments.file)
        make_evaluator(record.game)
    with Terminal(colour=False, language=language).patience(say(language, "insight.report.reviewing")):
        found = review(record, arguments.budget, arguments.seed or 0)
    if page is not None:
        report.write_report(found, page, language)
    if arguments.json:
        print(json.dumps(found.to_dict()))
    elif page is not None:
        print(say(language, "insight.report.written", file=page))
    else:
        print("\n".join(_told(found, language)))
    return 0


def _told(found: Review, language: str) -> list[str]:
    """The whole review as lines."""
    names = narrator.player_names(found.record.game, found.record.names, language)
    lines = [*wording.summary(found, names, language), "", *_totals(found, names, language), ""]
    lines += [labelled(say(language, "insight.report.chance_of", name=names[0]), _bars(found), language), ""]
    return [*lines, *_mistakes(found, names, language), "", say(language, "insight.report.footnote")]


def _totals(found: Review, names: Sequence[str], language: str) -> list[str]:
    heads = [say(language, f"insight.report.{key}") for key in ("player", "accuracy", "given_away", "luck")]
    rows = [[*heads, *(wording.grade_name(grade, language) for grade in Grade)]]
    for name, seat in zip(names, found.seats, strict=True):
        rows.append([name, *report.totals_of(seat, language), *(str(seat.grades[grade]) for grade in Grade)])
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return lines + [report.sum_of(name, seat, language) for name, seat in zip(names, found.seats, strict=True)]


def _bars(found: Review) -> str:
    """The win chance of the first player after each event, as small bars."""
    chances = [one.chances[0] for one in found.expectations if one is not None]
    return "".join(_BARS[min(len(_BARS) - 1, int(chance * len(_BARS)))] for chance in chances)


def _mistakes(found: Review, names: Sequence[str], language: str) -> list[str]:
    mistakes = [move for move in found.moves if move.grade in MISTAKES]
    if not mistakes:
        least = percent(report.LEAST_MISTAKE, language)
        return [say(language, "insight.report.no_mistakes", least=least)]
    positions, lines = list(found.record.positions()), []
    for move in mistakes:
        event = say(language, "insight.report.event", number=move.event + 1, round=move.round)
        lines.append(labelled(event, report.cost_of(move, language), language))
        lines += [f"  {line}" for line in report.both_moves(positions[move.event], move, names, language)]
        reasons = wording.tell_reasons(move.reasons, found.record.game, names, language)
        lines += [f"  - {reason}" for reason in reasons] + [""]
    return lines[:-1]
