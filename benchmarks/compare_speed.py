"""Two runs of ``benchmarks/speed.py --json`` as a table, for the comment on a pull request.

``python benchmarks/compare_speed.py before.json after.json``. The ratio compiled / interpreted is compared because both
of its parts were measured in the same run; it is accurate to about a quarter, so smaller changes are not marked.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

NOISE = 0.25


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    arguments = parser.parse_args()
    print(compare(*(json.loads(path.read_text(encoding="utf-8")) for path in (arguments.before, arguments.after))))


def compare(before: dict[str, Any], after: dict[str, Any]) -> str:
    """The table in Markdown: rule sets that are in both runs, with the change in speed."""
    old = {line["rules"]: line for line in before["random_play"]}
    lines = [
        "### Random play, before and after",
        "",
        "| rule set | moves/s before | after | compiled ÷ interpreted before | after | change |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for new in after["random_play"]:
        if new["rules"] in old:
            lines.append(_row(old[new["rules"]], new))
    lines += ["", f"Changes of less than {NOISE:.0%} are within the noise of this machine."]
    return "\n".join(lines)


def _row(old: dict[str, Any], new: dict[str, Any]) -> str:
    change = new["ratio"] / old["ratio"] - 1
    mark = "" if abs(change) < NOISE else " 🟢" if change > 0 else " 🔴"
    speeds = f"{old['moves_per_second']:,.0f} | {new['moves_per_second']:,.0f}"
    return f"| `{new['rules']}` | {speeds} | {old['ratio']:,.0f} | {new['ratio']:,.0f} | {change:+.0%}{mark} |"


if __name__ == "__main__":
    main()
