"""What ``render()`` gives, the same for every environment: text for terminals, SVG, or pixels."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.game.errors import BadOption
from tilewright.game.position import Position
from tilewright.game.validation import echo
from tilewright.view.picture.compose import draw_svg
from tilewright.view.text_drawing import draw_text

RENDER_MODES = ("human", "ansi", "rgb_array", "svg")
"""``human`` prints the table, in colours where the terminal has them; ``ansi`` is the same as a text with colours;
``svg`` is the text of the picture that the web page shows; ``rgb_array`` is that picture in pixels."""
FRAMES_A_SECOND = 1
"""For videos: a move is something to look at."""


def check_render_mode(mode: str | None) -> str | None:
    """A way of rendering, or None for an environment that nobody looks at."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadOption(f"a render_mode is one of {', '.join(RENDER_MODES)}, not {echo(mode)}")
    return mode


def render(position: Position, mode: str, names: Sequence[str]) -> str | NDArray[np.uint8] | None:
    """A position in one of the render modes; ``human`` prints it and gives nothing back."""
    if mode == "human":
        print(draw_text(position, names, colour=_shows_colours()), end="\n\n", flush=True)
        return None
    if mode == "ansi":
        return draw_text(position, names, colour=True)
    picture = draw_svg(position, names)
    return picture if mode == "svg" else to_pixels(picture)


def _shows_colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def to_pixels(svg: str) -> NDArray[np.uint8]:
    """An SVG drawn in its own size: height, width, and red, green, blue."""
    draw, image = _painters()
    with image.open(BytesIO(draw(svg_string=svg))) as picture:
        return np.array(picture.convert("RGB"), dtype=np.uint8)


def _painters() -> tuple[Any, Any]:
    try:
        from PIL import Image
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f'render_mode="rgb_array" needs the package {error.name}: pip install "tilewright[rl]"', name=error.name
        ) from error
    return svg_to_bytes, Image
