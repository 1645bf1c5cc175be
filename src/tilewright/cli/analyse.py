"""``tilewright analyse``: the best moves of a position with their win chances and lines."""

from __future__ import annotations

import json
from argparse import Namespace

from tilewright.cli.languages import chosen_language
from tilewright.cli.sources import find_position
from tilewright.cli.terminal import Terminal, compiling_notice
from tilewright.insight.analysis import DEFAULT_BUDGET, Analysis, analyse
from tilewright.insight.evaluation import Candidate, make_evaluator
from tilewright.insight.wording import signed_points
from tilewright.view import narrator
from tilewright.view.grammar import percent
from tilewright.view.language import say


def run(arguments: Namespace) -> int:
    """Analyse the position and print the result."""
    language = chosen_language(arguments.language, for_programs=arguments.json)
    with compiling_notice(language):
        position, names = find_position(arguments.source, arguments.move)
        make_evaluator(position.game)
    with Terminal(colour=False, language=language).patience(say(language, "insight.analysis.analysing")):
        found = analyse(position, arguments.budget or DEFAULT_BUDGET, arguments.lines, arguments.seed or 0)
    if arguments.json:
        print(json.dumps(found.to_dict()))
    else:
        print("\n".join(_told(found, narrator.player_names(position.game, names, language), language)))
    return 0


def _told(found: Analysis, names: list[str], language: str) -> list[str]:
    chances, margins = found.expectation.chances, found.expectation.margins
    lines = [narrator.heading(found.position, language), narrator.awaited(found.position, names, language)]
    for name, chance, margin in zip(names, chances, margins, strict=True):
        values = {"name": name, "chance": percent(chance, language), "margin": signed_points(margin, language)}
        lines.append(say(language, "insight.analysis.expects", **values))
    if not found.candidates:
        return [*lines, "", say(language, "insight.analysis.no_move")]
    lines.append("")
    for rank, candidate in enumerate(found.candidates[: found.lines], start=1):
        lines += _line(found, rank, candidate, language)
    return lines


def _line(found: Analysis, rank: int, candidate: Candidate, language: str) -> list[str]:
    told = say(
        language,
        "insight.analysis.after",
        rank=rank,
        chance=percent(found.chance(candidate), language),
        margin=signed_points(found.margin(candidate), language),
        told=narrator.tell(found.position, candidate.move, language).with_text(candidate.move),
    )
    following = ", ".join(str(move) for move in candidate.line[1:])
    return [told, f"   {say(language, 'insight.analysis.then', line=following)}"] if following else [told]
