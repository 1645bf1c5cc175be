"""Pictures as PNG, for places that show no SVG, such as the previews of messengers.

Letters look the same on every machine: their fonts are packages too. Letters that these lack come from the fonts of the
system, if it has them.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

_PACKAGES = ("resvg_py", "font_source_sans_pro", "font_source_serif_pro")


def can_draw_png() -> bool:
    """Whether the packages that draw PNG files are installed; without them there is still SVG."""
    return all(find_spec(package) is not None for package in _PACKAGES)


@cache
def _fonts() -> list[str]:
    import font_source_sans_pro as sans
    import font_source_serif_pro as serif

    return [sans.SourceSansPro, sans.SourceSansProBold, serif.SourceSerifPro, serif.SourceSerifProBold]


def to_png(svg: str, width: int | None = None) -> bytes:
    """An SVG as a PNG file, in its own size or with another width."""
    try:
        from resvg_py import svg_to_bytes

        fonts = _fonts()
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f'PNG pictures need the package {error.name}: pip install "tilewright[pictures]"', name=error.name
        ) from error
    return bytes(
        svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=fonts,
            serif_family="Source Serif Pro",
            sans_serif_family="Source Sans Pro",
        )
    )
