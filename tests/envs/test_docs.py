"""The tables of docs/environments.md are those of the code."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_tables_of_observations_are_up_to_date():
    page = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    stands_there = page.partition("<!-- tables -->")[2].partition("<!-- end of tables -->")[0].strip()
    tool = runpy.run_path(str(ROOT / "tools" / "observation_tables.py"))
    assert stands_there == tool["all_tables"](), "paste what tools/observation_tables.py prints into the page"
