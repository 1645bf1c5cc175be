"""Pictures as PNG, for places that show no SVG, such as the previews of messengers.

Letters look the same on every machine: the fonts are here, with the letters of European languages. Others come from
the fonts of the system, if it has them.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

_FONTS = [str(path) for path in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]


def can_draw_png() -> bool:
    """Whether the package that draws PNG files is installed; without it there is still SVG."""
    return find_spec("resvg_py") is not None


def to_png(svg: str, width: int | None = None) -> bytes:
    """An SVG as a PNG file, in its own size or with another width."""
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f'PNG pictures need the package {error.name}: pip install "tilewright[pictures]"', name=error.name
        ) from error
    return bytes(
        svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=_FONTS,
            serif_family="DejaVu Serif",
            sans_serif_family="DejaVu Sans",
        )
    )
