"""Train the networks of many rule sets, one after the other, in as many sessions as it takes.

    python tools/train_champions.py --limit 9.5 --folder runs --bundle results
    python tools/train_champions.py azul-3-coloured=4 azul-4-coloured=3.5 --limit 9.5 --from src/tilewright/games

Rule sets are given with the minutes of training that each should have had in the end; without any, the recipe of the
shipped networks is used. Each has a run of its own in the folder, saved every half minute. The same command goes on
where the session before it ended, or was killed. A new run begins with the weights in the folders given by ``--from``,
with those of its relative, which may have just been trained, or with random ones.

``--bundle`` collects the runs of this session in a few tar files of limited size, kept up to date while training:
extract them into the folder on another machine to go on there.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from champion_bundles import write_bundles
from champion_recipe import MINUTES, relative_of, rule_sets, settings_for

import tilewright as tw
from tilewright.learn.checkpoint import seconds_trained
from tilewright.learn.configuration import Configuration
from tilewright.learn.run import CHECKPOINT, WEIGHTS, open_run
from tilewright.search.rule_sets import slug

TOLD = ("seconds", "updates", "games", "policy_divergence", "win_loss", "margin_loss", "points")
SAVE_EVERY = 30.0
RESERVE = 10.0
"""Seconds before the limit at which training stops, to save and bundle."""
SHORTEST = 10.0
"""Seconds: with less, a new run would not see its first games end."""


def read_plan(typed: Sequence[str]) -> list[tuple[tw.Game, float]]:
    """The rule sets to train, in this order, and the minutes that each should have had in the end."""
    games = {slug(game): game for game in rule_sets()}
    wanted = dict(part.split("=", 1) for part in typed) if typed else MINUTES
    unknown = sorted(set(wanted) - set(games))
    if unknown:
        raise SystemExit(f"unknown rule sets {', '.join(unknown)}; they are {', '.join(games)}")
    return [(games[name], float(minutes)) for name, minutes in wanted.items()]


def find_source(game: tw.Game, folder: Path, sources: Sequence[Path]) -> Path | None:
    """The weights that a new run begins with: its own from an earlier time, or those of its relative."""
    for rule_set in filter(None, (game, relative_of(game))):
        name = slug(rule_set)
        trained = folder / name / WEIGHTS
        found = [trained] if trained.exists() else [path for one in sources for path in one.rglob(f"{name}.npz")]
        if found:
            return found[0]
    return None


class Session:
    """One session of training: it ends in time, and leaves everything on disk."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.folder, self.bundle, self.device = arguments.folder, arguments.bundle, arguments.device
        self.sources = arguments.sources
        self.settings = read_settings(arguments.settings)
        self.ends_at = time.monotonic() + 60 * arguments.limit - RESERVE
        self.touched: list[Path] = []

    @property
    def seconds_left(self) -> float:
        """Until training must stop."""
        return self.ends_at - time.monotonic()

    def train(self, game: tw.Game, minutes: float) -> None:
        """Train one rule set until it has had its minutes, or until the session ends."""
        folder, name = self.folder / slug(game), slug(game)
        if seconds_trained(folder / CHECKPOINT) >= 60 * minutes:
            print(f"{name}: nothing to do", flush=True)
            return
        if self.seconds_left < SHORTEST:
            print(f"{name}: no time left", flush=True)
            return
        resumed = (folder / CHECKPOINT).exists()
        source = None if resumed else find_source(game, self.folder, self.sources)
        run = open_run(folder, game, self.device, source, self.settings, settings_for(game))
        self.touched.append(folder)
        run.train(
            seconds=60 * minutes,
            deadline=self.ends_at,
            report=lambda line: print(name, {key: line[key] for key in TOLD if key in line}, flush=True),
            save_every=SAVE_EVERY,
            saved=self.write_bundles,
            evaluate_every=None,
        )
        print(f"{name}: {run.trainer.seconds:.0f} of {60 * minutes:.0f} s", flush=True)
        run.close()

    def write_bundles(self) -> None:
        """Collect the runs of this session, if that is wanted."""
        if self.bundle is not None:
            write_bundles(self.touched, self.bundle)


def read_settings(typed: Sequence[str]) -> dict[str, Any]:
    """Settings of the configuration as they were typed, ``games=64``."""
    kinds = {name: type(value) for name, value in Configuration().as_dict().items()}
    return {name: kinds[name](value) for name, value in (part.split("=", 1) for part in typed)}


def main(argv: Sequence[str] | None = None) -> int:
    """Train what the command line asks for; 1 if a rule set failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", nargs="*", metavar="RULE_SET=MINUTES", help="default: the recipe of all champions")
    parser.add_argument("--limit", type=float, default=600.0, help="minutes for the whole session (default 600)")
    parser.add_argument("--folder", type=Path, default=Path("runs"), help="where the runs are kept (default runs)")
    parser.add_argument(
        "--bundle", type=Path, metavar="DIR", help="also collect this session's runs here, in tar files"
    )
    parser.add_argument("--from", dest="sources", type=Path, action="append", default=[], metavar="DIR",
                        help="a folder with weights to begin with; repeat")  # fmt: skip
    parser.add_argument("--set", dest="settings", action="append", default=[], metavar="NAME=VALUE",
                        help="a setting of the configuration; repeat")  # fmt: skip
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cuda")
    arguments = parser.parse_args(argv)
    session = Session(arguments)
    failed = False
    for game, minutes in read_plan(arguments.plan):
        try:
            session.train(game, minutes)
        except Exception:  # the other rule sets can still be trained
            traceback.print_exc()
            failed = True
        gc.collect()
        if arguments.device == "cuda":
            torch.cuda.empty_cache()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
