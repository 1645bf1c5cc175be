"""The pages of the documentation, and what they show in fences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def blocks(*languages: str) -> Iterator[tuple[Path, str]]:
    """All blocks in these languages, with their pages."""
    for page in PAGES:
        for indent, language, text in _FENCE.findall(page.read_text(encoding="utf-8")):
            if language in languages:
                yield page, re.sub(f"^{indent}", "", text, flags=re.MULTILINE)
