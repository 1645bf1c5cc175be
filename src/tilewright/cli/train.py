"""``tilewright train``: train a network for a rule set by self-play."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from tilewright.cli.game_options import chosen_game
from tilewright.cli.progress import bar, duration
from tilewright.cli.terminal import compiling_notice, screen_width
from tilewright.game.errors import BadOption, TilewrightError
from tilewright.game.game import Game
from tilewright.learn.configuration import Configuration
from tilewright.search.rule_sets import network_file, slug

if TYPE_CHECKING:
    from tilewright.learn.run import Run

ON_A_CPU = {"games": 256, "batch": 1024, "simulations": 32, "updates": 2}
"""What a CPU can do in minutes; the defaults of the configuration are for a large GPU."""
_TOLD = ("seconds", "steps", "games", "points", "policy_divergence", "win_loss", "margin_loss", "win_share")
_CLEAR = "\r\x1b[K"
_BETWEEN = 0.2
"""Seconds between two drawings of the progress bar."""


def run(arguments: Namespace) -> int:
    """Train until the time is over, and say where the weights are."""
    game = chosen_game(arguments)
    folder = Path(arguments.folder or Path("runs") / slug(game))
    training = _open(game, folder, arguments)
    first = training.trainer.processes.is_first
    try:
        with _progress(sys.stderr if first else None) as (report, progress):
            training.train(
                seconds=None if arguments.steps else 60 * arguments.minutes,
                steps=arguments.steps,
                report=report,
                progress=progress,
                evaluate_every=None if arguments.no_evaluation else 60 * arguments.evaluate_every,
            )
    finally:
        training.close()
    if first:
        trainer = training.trainer
        print(f"{folder}: {trainer.steps} steps of {trainer.configuration.games} games, {duration(trainer.seconds)}")
        if trainer.updates == 0:
            print("No update was made: too few games ended for the network to learn from. Train for longer, or")
            print("begin a run with fewer games and a smaller network: --games 64 --width 64 --folder ANOTHER.")
    return 0


def _open(game: Game, folder: Path, arguments: Namespace) -> Run:
    try:
        from tilewright.learn.run import open_run
    except ImportError as error:
        raise TilewrightError(f"training needs PyTorch: pip install 'tilewright[train]' ({error})") from error
    given = {field.name: getattr(arguments, field.name, None) for field in fields(Configuration)}
    settings = {name: value for name, value in given.items() if value is not None}
    with compiling_notice():
        return open_run(
            folder,
            game,
            arguments.device,
            _source(game, arguments.source),
            settings,
            ON_A_CPU if arguments.device == "cpu" else {},
            arguments.opponent,
        )


def _source(game: Game, typed: str | None) -> Path | None:
    """The weights to begin with."""
    if typed is None:
        return None
    path = network_file(game) if typed == "shipped" else Path(typed)
    if not path.exists():
        raise BadOption(f"there are no weights to begin with: {path} does not exist")
    return path


@contextmanager
def _progress(stream: Any) -> Iterator[tuple[Callable[[dict[str, Any]], None] | None, Callable[[float], None] | None]]:
    """What tells about reports and about steps: in a terminal also a bar, which leaves nothing behind."""
    if stream is None:
        yield None, None
        return

    def report(line: dict[str, Any]) -> None:
        told = ", ".join(f"{name.replace('_', ' ')} {line[name]:,}" for name in _TOLD if name in line)
        print((_CLEAR if stream.isatty() else "") + told, file=stream, flush=True)

    if not stream.isatty():
        yield report, None
        return
    try:
        yield report, _bar(stream)
    finally:
        stream.write(_CLEAR)
        stream.flush()


def _bar(stream: Any) -> Callable[[float], None]:
    """A function that draws how far training is, but not too often."""
    began, drawn_at, done_before = perf_counter(), 0.0, None

    def draw(done: float) -> None:
        nonlocal drawn_at, done_before
        done_before = done if done_before is None else done_before
        now = perf_counter()
        if now - drawn_at >= _BETWEEN:
            drawn_at = now
            made = done - done_before
            left = f"  {duration((now - began) * (1 - done) / made)} left" if made > 0 else ""
            stream.write(_CLEAR + bar(done, f" {done:.0%}{left}", screen_width() - 1))
            stream.flush()

    return draw
