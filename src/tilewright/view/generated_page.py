"""Pages that we write to files say so in their head, so that a new one may take the place of an old one."""

from __future__ import annotations

from pathlib import Path

_HEAD = 1000
"""Bytes that are enough to recognise a page."""


def generator_tag(generator: str) -> str:
    """What stands in the head of a page."""
    return f'<meta name="generator" content="{generator}">'


def is_made_by(generator: str, path: Path) -> bool:
    """Whether a file is such a page, and nothing that somebody would miss."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return generator_tag(generator).encode() in file.read(_HEAD)
