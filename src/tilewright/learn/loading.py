"""Trained networks for researchers: as PyTorch modules and as ONNX files. PyTorch is imported when it is needed."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.game.errors import BadOption, TilewrightError
from tilewright.game.game import Game
from tilewright.game.registry import make_game
from tilewright.search.rule_sets import network_file

if TYPE_CHECKING:
    from tilewright.learn.network import Network

OPSET = 20


def load_network(
    game: str | Game, players: int | None = None, path: str | Path | None = None, **options: Any
) -> Network:
    """The network of a rule set as a PyTorch module: the one in the package, or one of your own.

    It maps a batch of observations to the logits of all moves, the win logits and the margins; seats count from the
    observer, and a margin of 1 is 40 points. Observations are those of ``tilewright.envs.observation.Observer``, of
    canonical positions (``tilewright.envs.symmetry.canonical``).

    >>> import tilewright as tw
    >>> game = next(iter(tw.GAMES.values()))()
    >>> network = tw.load_network(game)
    >>> network.actions == game.actions, network.players
    (True, 2)
    """
    rule_set = game if isinstance(game, Game) else make_game(game, players=players, **options)
    file = Path(path) if path is not None else network_file(rule_set)
    if not file.exists():
        raise BadOption(f"there is no network for {rule_set!r}: {file} does not exist; tilewright train makes one")
    try:
        from tilewright.learn.checkpoint import read_network
    except ImportError as error:
        raise TilewrightError(f"networks need PyTorch: pip install 'tilewright[train]' ({error})") from error
    network = read_network(file)
    if (network.actions, network.players) != (rule_set.actions, rule_set.players):
        raise BadOption(f"{file} is not a network for {rule_set!r}")
    return network


def export_onnx(network: Network, path: str | Path) -> None:
    """Write a network as an ONNX file; the batch may have any size."""
    import torch

    try:
        import onnxscript  # noqa: F401 - the exporter of PyTorch needs it
    except ImportError as error:
        raise TilewrightError(f"ONNX needs onnx and onnxscript: pip install 'tilewright[train]' ({error})") from error
    with warnings.catch_warnings(), _quiet(logging.getLogger("torch.onnx")):
        warnings.simplefilter("ignore", FutureWarning)  # the exporter uses deprecated parts of PyTorch itself
        torch.onnx.export(
            network,
            (torch.zeros(2, network.inputs),),
            str(path),
            input_names=["observations"],
            output_names=["move_logits", "win_logits", "margins"],
            dynamic_shapes=({0: torch.export.Dim("batch")},),
            opset_version=OPSET,
            external_data=False,
            verbose=False,
        )


@contextmanager
def _quiet(logger: logging.Logger) -> Iterator[None]:
    """Errors only: the exporter warns of packages that our networks do not need, such as torchvision."""
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)
