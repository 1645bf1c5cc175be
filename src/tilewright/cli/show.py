"""``tilewright show``: draw a position."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

from tilewright.cli.described import position_object
from tilewright.cli.languages import chosen_language
from tilewright.cli.sources import find_position
from tilewright.cli.terminal import compiling_notice, screen_width, wants_colour
from tilewright.game.errors import BadOption
from tilewright.view.picture.compose import draw_svg
from tilewright.view.text_drawing import draw_text

_HEAD = 1000
"""Bytes that are enough to recognise a picture."""


def run(arguments: Namespace) -> int:
    """Draw it, or print it as JSON."""
    language = chosen_language(arguments.language, for_programs=arguments.json)
    with compiling_notice(language):
        position, names = find_position(arguments.source, arguments.move)
        if arguments.svg:
            _write_picture(Path(arguments.svg), draw_svg(position, names, language))
        elif arguments.json:
            print(json.dumps(position_object(position, names, language)))
        else:
            print(draw_text(position, names, wants_colour(arguments.colour), screen_width(), language))
    return 0


def _write_picture(path: Path, picture: str) -> None:
    """A picture may replace a picture, but no other file."""
    if path.is_file():
        with path.open("rb") as file:
            head = file.read(_HEAD)
        if not head.lstrip().startswith((b"<svg", b"<?xml")) or b"<svg" not in head:
            raise BadOption(f"{path} already exists and is not an SVG picture; choose another name for --svg")
    path.write_text(picture, encoding="utf-8")
