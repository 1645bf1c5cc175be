"""Tilewright: Azul, Azul Mini and Azul: Summer Pavilion, exact and fast.

>>> import tilewright as tw
>>> game = tw.Azul(players=2)
>>> position = game.start(seed=7)
>>> position.turn
0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tilewright.arena.match import play_match
    from tilewright.bots.registry import make_bot as bot
    from tilewright.envs.observation import Observer
    from tilewright.envs.vector import Vector
    from tilewright.game.batch import Batch
    from tilewright.game.dealer import Dealer, SecretDealer
    from tilewright.game.effects import Effect, TilesMoved
    from tilewright.game.errors import (
        AmbiguousMove,
        BadDraw,
        BadMove,
        BadOption,
        BadPosition,
        BadRecord,
        GameFault,
        IllegalMove,
        TilewrightError,
        UnreadableMove,
    )
    from tilewright.game.game import Game
    from tilewright.game.illegal_reason import IllegalReason, TileName
    from tilewright.game.moves import Draw, LegalMoves, Move
    from tilewright.game.notation import Notation
    from tilewright.game.outcome import Outcome
    from tilewright.game.position import Position
    from tilewright.game.record import Record, load_record, read_record
    from tilewright.game.registry import GAMES, make_game, read_position
    from tilewright.game.spec import GameSpec, Option
    from tilewright.game.study import Study, read_study
    from tilewright.games.azul import Azul
    from tilewright.games.azul_mini import AzulMini
    from tilewright.games.summer_pavilion import SummerPavilion
    from tilewright.insight.analysis import Analysis, analyse, analyse_live
    from tilewright.insight.review import Review
    from tilewright.insight.reviewing import review, review_live
    from tilewright.learn.loading import load_network
    from tilewright.search.budget import Budget
    from tilewright.search.cancellation import Cancellation

__version__ = "0.2.0"

_HOMES = {
    "arena.match": ["play_match"],
    "bots.registry": ["bot"],
    "envs.observation": ["Observer"],
    "envs.vector": ["Vector"],
    "game.batch": ["Batch"],
    "game.dealer": ["Dealer", "SecretDealer"],
    "game.effects": ["Effect", "TilesMoved"],
    "game.errors": [
        "AmbiguousMove",
        "BadDraw",
        "BadMove",
        "BadOption",
        "BadPosition",
        "BadRecord",
        "GameFault",
        "IllegalMove",
        "TilewrightError",
        "UnreadableMove",
    ],
    "game.game": ["Game"],
    "game.moves": ["Draw", "LegalMoves", "Move"],
    "game.notation": ["Notation"],
    "game.outcome": ["Outcome"],
    "game.position": ["Position"],
    "game.illegal_reason": ["IllegalReason", "TileName"],
    "game.record": ["Record", "load_record", "read_record"],
    "game.registry": ["GAMES", "make_game", "read_position"],
    "game.spec": ["GameSpec", "Option"],
    "game.study": ["Study", "read_study"],
    "games.azul": ["Azul"],
    "games.azul_mini": ["AzulMini"],
    "games.summer_pavilion": ["SummerPavilion"],
    "insight.analysis": ["Analysis", "analyse", "analyse_live"],
    "insight.review": ["Review"],
    "insight.reviewing": ["review", "review_live"],
    "learn.loading": ["load_network"],
    "search.budget": ["Budget"],
    "search.cancellation": ["Cancellation"],
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
_NAMES_AT_HOME = {"bot": "make_bot"}

__all__ = [
    "GAMES",
    "AmbiguousMove",
    "Analysis",
    "Azul",
    "AzulMini",
    "BadDraw",
    "BadMove",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "Batch",
    "Budget",
    "Cancellation",
    "Dealer",
    "Draw",
    "Effect",
    "Game",
    "GameFault",
    "GameSpec",
    "IllegalMove",
    "IllegalReason",
    "LegalMoves",
    "Move",
    "Notation",
    "Observer",
    "Option",
    "Outcome",
    "Position",
    "Record",
    "Review",
    "SecretDealer",
    "Study",
    "SummerPavilion",
    "TileName",
    "TilesMoved",
    "TilewrightError",
    "UnreadableMove",
    "Vector",
    "analyse",
    "analyse_live",
    "bot",
    "load_network",
    "load_record",
    "make_game",
    "play_match",
    "read_position",
    "read_record",
    "read_study",
    "review",
    "review_live",
]


def __getattr__(name: str) -> Any:
    """Names are fetched when first used, so that ``import tilewright`` and the command line start at once."""
    if name not in _HOME:
        raise AttributeError(f"module 'tilewright' has no attribute {name!r}")
    value = getattr(import_module(f"tilewright.{_HOME[name]}"), _NAMES_AT_HOME.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
