"""What a spec must be made of: each mistake is reported when the spec is made, not in the middle of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tilewright.game.errors import BadOption
from tilewright.game.guarding import unguarded
from tilewright.game.notation import Notation
from tilewright.game.rules_checks import check_rules
from tilewright.game.tiles import TileSet
from tilewright.game.validation import echo
from tilewright.kernels.playing import Kernels

if TYPE_CHECKING:
    from tilewright.game.spec import GameSpec

FOR_SHOW = {
    "picture", "wording", "terminal", "translations", "coach", "editor", "lessons", "puzzles", "reasons",
}  # fmt: skip
"""The parts that pages and texts use, and nothing that is computed."""
PARTS = FOR_SHOW | {
    "evaluation", "priors", "weights", "observation", "network_input", "action_features", "symmetry", "bounds",
    "strength",
}  # fmt: skip
"""Every part that a spec may name."""
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def check_spec(spec: GameSpec) -> None:
    """Raise ``BadOption`` for the first field of a spec that cannot be what it should be."""
    if not isinstance(spec.name, str) or not _NAME.fullmatch(spec.name):
        raise BadOption(f"a game cannot be called {echo(spec.name)}: use lower-case words joined by hyphens")
    if not isinstance(spec.title, str) or not spec.title.strip() or not spec.title.isprintable():
        raise BadOption(f"the title of {spec.name} must be a text in one line, not {echo(spec.title)}")
    for field, kind, example in (
        ("tiles", TileSet, "a TileSet"),
        ("kernels", Kernels, "made with Kernels(name, rules)"),
        ("notation", Notation, "an object of a subclass of Notation"),
    ):
        value = getattr(spec, field)
        if not isinstance(unguarded(value), kind):
            raise BadOption(f"the {field} of {spec.title} must be {example}, not {echo(value)}")
    check_rules(spec.title, spec.kernels)
    for field in ("effects", "points", "tie_breaks"):
        if not callable(getattr(spec, field)):
            raise BadOption(f"the {field} of {spec.title} must be a function, not {echo(getattr(spec, field))}")
    _check_kinds(spec)
    _check_phases(spec)
    if not _are_texts(spec.rule_set_fields):
        told = f"must be a tuple of names of fields, not {echo(spec.rule_set_fields)}"
        raise BadOption(f"the rule_set_fields of {spec.title} {told}")
    if type(spec.version) is not int or spec.version < 0:
        raise BadOption(f"the version of {spec.title} must be a whole number from 0, not {echo(spec.version)}")
    _check_players(spec)
    _check_options(spec)
    _check_parts(spec)


def _check_kinds(spec: GameSpec) -> None:
    """Rules that draw tiles number their kinds as the tile set does; those that draw none need not count them."""
    kinds, tiles = spec.kernels.names["KINDS"], len(spec.tiles.names)
    if kinds not in (0, tiles):
        told = f"must be {tiles}, the number of its kinds of tile, not {echo(kinds)}"
        raise BadOption(f"KINDS in the rules of {spec.title} {told}")


def _check_phases(spec: GameSpec) -> None:
    phases = spec.phases
    if not _are_texts(phases) or len(set(phases)) < max(2, len(phases)):
        told = "at least two different words, the last for the end of the game"
        raise BadOption(f"the phases of {spec.title} must be a tuple of {told}, not {echo(phases)}")


def _check_players(spec: GameSpec) -> None:
    players: Any = spec.players
    if not isinstance(players, tuple) or not players or not all(type(number) is int for number in players):
        raise BadOption(f"the players of {spec.title} must be a tuple of numbers of players, not {echo(players)}")
    if min(players) < 2:
        raise BadOption(f"{spec.title} must be for at least 2 players, not {players}")
    record: Any = spec.kernels.dtype
    for field in spec.rule_set_fields:
        if field not in record.names:
            raise BadOption(f"the position of {spec.title} must have a field {field}")
    if record["score"].shape[:1] < (max(players),):
        raise BadOption(f"the field score of {spec.title} must have an entry for each of {max(players)} players")


def _check_options(spec: GameSpec) -> None:
    from tilewright.game.spec import Option

    options: Any = spec.options
    if not isinstance(options, tuple) or not all(isinstance(option, Option) for option in options):
        raise BadOption(f"the options of {spec.title} must be a tuple of Option objects, not {echo(options)}")
    names = [option.name for option in options]
    if len(set(names)) < len(names):
        raise BadOption(f"the options of {spec.title} must have different names, not {names}")


def _check_parts(spec: GameSpec) -> None:
    parts: Any = spec.parts
    if not isinstance(parts, Mapping) or not all(isinstance(module, str) for module in parts.values()):
        raise BadOption(f"the parts of {spec.title} must be names of modules by part, not {echo(parts)}")
    for part in parts:
        if part not in PARTS:
            raise BadOption(f"unknown part {echo(part)} of {spec.title}; the parts are {', '.join(sorted(PARTS))}")


def _are_texts(values: object) -> bool:
    return isinstance(values, tuple) and all(isinstance(value, str) and value.strip() for value in values)
