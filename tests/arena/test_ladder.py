"""The tool that makes the table of all bots."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "ladder.py"


def test_the_ladder_is_a_table_with_a_row_for_each_bot():
    command = [sys.executable, str(TOOL), "azul", "--wall", "grey", "--games", "4", "--workers", "0"]
    done = subprocess.run(
        [*command, "--bots", "random", "level1", "level2"], capture_output=True, text=True, check=True
    )
    title, _, head, _, *rows = done.stdout.splitlines()
    assert title.startswith("Azul(players=2, wall='grey'")
    assert "(fair: 50%)" in head
    assert [row.split("`")[1] for row in rows] == ["random", "level1", "level2"]
    elos = [int(row.split("|")[-2]) for row in rows]
    assert elos[0] == 0 < elos[1] < elos[2]
