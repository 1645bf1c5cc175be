"""The page that builds Courtyard shows the code of the finished package, word for word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from installing import COURTYARD

PAGE = Path(__file__).parents[2] / "docs" / "add-a-game.md"
EXCERPTS = re.findall(r"```(?:python|toml)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
FILES = [COURTYARD / "pyproject.toml", *(COURTYARD / "src" / "courtyard").glob("*.py")]


@pytest.mark.parametrize("excerpt", EXCERPTS, ids=lambda excerpt: excerpt.splitlines()[0])
def test_an_excerpt_is_in_the_package(excerpt: str):
    assert any(excerpt in path.read_text(encoding="utf-8") for path in FILES)


def test_the_page_shows_both_modules_and_the_project_file():
    assert all(any(excerpt in path.read_text(encoding="utf-8") for excerpt in EXCERPTS) for path in FILES)
