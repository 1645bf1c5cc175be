"""``render()`` of all environments: text for terminals, SVG, or pixels."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from tilewright.game.errors import BadOption
from tilewright.game.position import Position
from tilewright.game.validation import echo
from tilewright.view.picture.compose import draw_svg
from tilewright.view.picture.png import to_png
from tilewright.view.text_drawing import draw_text

RENDER_MODES = ("human", "ansi", "rgb_array", "svg")
"""``human`` prints the position, in colour if the terminal supports it; ``ansi`` returns that text, always in colour;
``svg`` returns the picture of the web page as text; ``rgb_array`` returns that picture as pixels."""
FRAMES_PER_SECOND = 1
"""For videos: slow enough to follow the moves."""


def check_render_mode(mode: str | None) -> str | None:
    """A render mode, or None for an environment that is never rendered."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadOption(f"render_mode is one of {', '.join(RENDER_MODES)}, not {echo(mode)}")
    return mode


def render(position: Position, mode: str, names: Sequence[str]) -> str | NDArray[np.uint8] | None:
    """A position in one of the render modes; ``human`` prints it and returns None."""
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
    try:
        from PIL import Image

        with Image.open(BytesIO(to_png(svg))) as picture:
            return np.array(picture.convert("RGB"), dtype=np.uint8)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f'render_mode="rgb_array" needs the package {error.name}: pip install "tilewright[rl]"', name=error.name
        ) from error
