"""Screenshots side by side on sheets, so that a person can look at thousands of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

SHEET = (1090, 1090)
"""Pixels: no more than people and viewers show at once."""
COLUMNS = {"laptop": 2, "large": 2, "tablet": 3, "phone": 5, "sideways": 2}
"""As many as leave the words legible in the light; in the dark, where only the colours differ, there is one more."""
MOST_PIECES = 2
CAPTION = 14
GAP = 6


def pieces(file: Path, width: int, tallest: int) -> Iterator[Image.Image]:
    """A screenshot in the width of a column; of a long page, as many columns as are worth a look."""
    with Image.open(file) as whole:
        size = width, round(whole.height * width / whole.width)
        scaled = whole.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    for top in range(0, min(scaled.height, MOST_PIECES * tallest), tallest):
        yield scaled.crop((0, top, width, min(scaled.height, top + tallest)))


def lay_out(folder: Path, look: str) -> list[Path]:
    """Sheets of all screenshots in a folder that have this look (``laptop-dark``); their files."""
    size, theme = look.split("-")
    columns = COLUMNS[size] + (theme == "dark")
    width = (SHEET[0] - GAP * (columns - 1)) // columns
    font, sheets = ImageFont.load_default(CAPTION - 3), list[Image.Image]()
    column, top = columns, 0
    for file in sorted(folder.glob(f"*-{look}.png")):
        for piece in pieces(file, width, SHEET[1] - CAPTION):
            if top + CAPTION + piece.height > SHEET[1]:
                column, top = column + 1, 0
            if column >= columns:
                sheets.append(Image.new("RGB", SHEET, "#888"))
                column, top = 0, 0
            left = column * (width + GAP)
            name = file.name.removesuffix(f"-{look}.png")
            ImageDraw.Draw(sheets[-1]).text((left + 2, top), name, fill="#fff", font=font)
            sheets[-1].paste(piece, (left, top + CAPTION))
            top += CAPTION + piece.height + GAP
    (folder / "sheets").mkdir(exist_ok=True)
    files = [folder / "sheets" / f"{look}-{number:02}.png" for number in range(1, len(sheets) + 1)]
    for sheet, file in zip(sheets, files, strict=True):
        sheet.save(file)
    return files
