"""``tilewright train``: teach a network a rule set by self-play."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from tilewright.cli.game_options import chosen_game
from tilewright.cli.terminal import compiling_notice
from tilewright.game.errors import TilewrightError
from tilewright.game.game import Game
from tilewright.search.rule_sets import slug

if TYPE_CHECKING:
    from tilewright.learn.training import Trainer

ON_A_CPU = {"games": 256, "batch": 1024, "simulations": 32, "updates": 2}
"""What a processor can do in minutes; the defaults of the configuration are for a large GPU."""


def run(arguments: Namespace) -> int:
    """Train, and write what was learnt."""
    game = chosen_game(arguments)
    output = Path(arguments.output or f"{slug(game)}.npz")
    trainer, checkpoint = _trainer(game, arguments), _checkpoint_module()
    with _log(arguments.log) as log:
        try:
            trainer.run(
                seconds=None if arguments.steps else 60 * arguments.minutes,
                steps=arguments.steps,
                log=lambda line: _tell(line, log),
            )
        finally:  # an interrupted run is worth something too
            checkpoint.export(trainer, output)
            if arguments.checkpoint:
                checkpoint.save(trainer, Path(arguments.checkpoint))
    print(f"{output}: the weights after {trainer.steps} decisions in each of {trainer.configuration.games} games")
    return 0


def _checkpoint_module() -> Any:
    try:
        from tilewright.learn import checkpoint
    except ImportError as error:
        raise TilewrightError(f"training needs PyTorch: pip install 'tilewright[train]' ({error})") from error
    return checkpoint


def _trainer(game: Game, arguments: Namespace) -> Trainer:
    checkpoint = _checkpoint_module()
    from tilewright.learn.configuration import Configuration
    from tilewright.learn.training import Trainer

    given = {field.name: getattr(arguments, field.name, None) for field in fields(Configuration)}
    settings = {name: value for name, value in given.items() if value is not None}
    if arguments.device == "cpu":
        settings = {**ON_A_CPU, **settings}
    with compiling_notice():
        if arguments.resume:
            resumed: Trainer = checkpoint.resume(game, Path(arguments.resume), arguments.device)
            return resumed
        return Trainer(game, Configuration(**settings), arguments.device)


@contextmanager
def _log(path: str | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
    else:
        with Path(path).open("a", encoding="utf-8") as file:
            yield file


def _tell(line: dict[str, Any], log: TextIO | None) -> None:
    """One report, for people on standard error and for programs in the log."""
    if log is not None:
        print(json.dumps(line), file=log, flush=True)
    told = ", ".join(f"{name} {value:,}" for name, value in line.items())
    print(told, file=sys.stderr, flush=True)
