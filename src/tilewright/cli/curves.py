"""``tilewright curves``: draw the learning curves of training runs."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from tilewright.game.errors import BadOption
from tilewright.learn.curves import draw_curves
from tilewright.learn.log import LOG, read_log


def run(arguments: Namespace) -> int:
    """Draw the logs of all runs into one picture."""
    logs = {}
    for folder in map(Path, arguments.runs):
        if not (folder / LOG).exists():
            raise BadOption(f"{folder} is not the folder of a training run: it has no {LOG}")
        logs[folder.name] = read_log(folder / LOG)
    draw_curves(logs, Path(arguments.output))
    print(arguments.output)
    return 0
