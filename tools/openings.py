"""Collect openings for self-play from the saved games of matches: every position before a deal but the first.

    tilewright arena search:100 search:40 --game summer-pavilion --games 2000 --folder games
    python tools/openings.py games --output openings.txt
    python tools/train_champions.py summer-pavilion-2-coloured=20 --set openings=openings.txt

Each line of the output is a position text.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import tilewright as tw


def openings_in(path: Path) -> list[str]:
    """The positions before the second and later deals of a game."""
    found, played = [], 1
    for position in tw.load_record(path).positions():
        if position.awaits_draw and position.round > played:
            played = position.round
            found.append(position.to_text())
    return found


def main() -> None:
    """Write one position in each line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="where arenas saved their games")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    paths = [path for folder in arguments.folders for path in sorted(folder.glob("game-*.txt"))]
    with ProcessPoolExecutor() as pool:
        found = sorted({line for lines in pool.map(openings_in, paths, chunksize=8) for line in lines})
    arguments.output.write_text("\n".join(found) + "\n", encoding="utf-8")
    print(f"{len(found)} openings from {len(paths)} games")


if __name__ == "__main__":
    main()
