"""``tilewright show``: draw a position."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

from tilewright.cli.described import position_object
from tilewright.cli.sources import find_position
from tilewright.cli.terminal import compiling_notice, wants_colour
from tilewright.view.picture.compose import draw_svg
from tilewright.view.table import draw_table


def run(arguments: Namespace) -> int:
    """Draw it, or print all about it."""
    with compiling_notice():
        position, names = find_position(arguments.source, arguments.move)
        if arguments.svg:
            Path(arguments.svg).write_text(draw_svg(position, names), encoding="utf-8")
        elif arguments.json:
            print(json.dumps(position_object(position, names)))
        else:
            print(draw_table(position, names, wants_colour(arguments.colour)))
    return 0
