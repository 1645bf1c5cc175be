"""Print the notes of a release with absolute links, as GitHub shows them outside the repository.

python tools/release_notes.py v0.2.0 > notes.md
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = "docs/releases"
PAGES = "https://github.com/tilewright/tilewright/blob"
FILES = "https://raw.githubusercontent.com/tilewright/tilewright"
LINK = re.compile(r"(!?)(\[[^\]]*\]\()(?![a-z]+:|#)([^)\s]+)")


def with_absolute_links(text: str, tag: str) -> str:
    """The text with links to files of the repository at a tag: pages to read, pictures as they are."""

    def absolute(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(FOLDER, found[3]))
        return f"{found[1]}{found[2]}{FILES if found[1] else PAGES}/{tag}/{path}"

    return LINK.sub(absolute, text)


if __name__ == "__main__":
    version = sys.argv[1]
    notes = (ROOT / FOLDER / f"{version.removeprefix('v')}.md").read_text(encoding="utf-8")
    print(with_absolute_links(notes, version), end="")
