"""The libraries that are installed for the tests run; the page lists all that were ever run."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "check_adapters.py"))


@pytest.mark.filterwarnings("ignore")  # of other packages
@pytest.mark.parametrize("name", ["gymnasium", "pettingzoo", "stable-baselines3", "cleanrl"])
def test_it_runs(name: str):
    _, check = TOOL["CHECKS"][name]
    told, pace = check()
    assert told
    assert pace > 0


def test_the_page_lists_every_library():
    page = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
    table = page.partition("<!-- adapters -->")[2].partition("<!-- end of adapters -->")[0]
    assert re.findall(r"^\| ([a-z0-9-]+) \|", table, re.MULTILINE)[1:] == list(TOOL["CHECKS"])


def test_what_is_missing_is_not_a_failure(capsys):
    def needs_more() -> None:
        raise ModuleNotFoundError("no", name="elsewhere")

    TOOL["CHECKS"]["missing"] = ("numpy", needs_more)
    try:
        assert TOOL["main"](["missing"]) == 0
    finally:
        del TOOL["CHECKS"]["missing"]
    assert "| missing | not installed | needs elsewhere |  |" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="there is no check for chess"):
        TOOL["main"](["chess"])
