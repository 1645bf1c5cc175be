"""Specs made of the wrong things are refused, in a sentence, when they are made."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tilewright as tw
from bare_game import BareGame
from tilewright.game.spec import RESERVED
from tilewright.game.tiles import TileSet


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"name": 5}, "a game cannot be called 5: use lower-case words"),
        ({"title": None}, "the title of bare-game must be a text in one line, not None"),
        ({"title": "Bare\nGame"}, "the title of bare-game must be a text in one line, not 'Bare\\\\nGame'"),
        ({"tiles": "abc"}, "the tiles of Bare Game must be a TileSet, not 'abc'"),
        ({"tiles": TileSet("ab", ("amber", "beige"))}, "KINDS in the rules of Bare Game must be 2, the number of its"),
        ({"kernels": None}, r"the kernels of Bare Game must be made with Kernels\(name, rules\), not None"),
        ({"notation": None}, "the notation of Bare Game must be an object of a subclass of Notation, not None"),
        ({"effects": None}, "the effects of Bare Game must be a function, not None"),
        ({"phases": "over"}, "the phases of Bare Game must be a tuple of at least two different words"),
        ({"phases": ("over",)}, "the phases of Bare Game must be a tuple of at least two different words"),
        ({"phases": ("draw", "over", "over")}, "the phases of Bare Game must be a tuple of at least two"),
        ({"players": 3}, "the players of Bare Game must be a tuple of numbers of players, not 3"),
        ({"players": ("3",)}, "the players of Bare Game must be a tuple of numbers of players"),
        ({"players": (1, 2)}, "Bare Game must be for at least 2 players"),
        ({"players": (6,)}, "the field score of Bare Game must have an entry for each of 6 players"),
        ({"options": "wall"}, "the options of Bare Game must be a tuple of Option objects, not 'wall'"),
        ({"options": ("wall",)}, "the options of Bare Game must be a tuple of Option objects"),
        ({"rule_set_fields": "players"}, "the rule_set_fields of Bare Game must be a tuple of names of fields"),
        ({"rule_set_fields": ("walls",)}, "the position of Bare Game must have a field walls"),
        ({"version": "1"}, "the version of Bare Game must be a whole number from 0, not '1'"),
        ({"parts": {"pictures": "bare_game"}}, "unknown part 'pictures' of Bare Game; the parts are action_features,"),
        ({"parts": {"picture": None}}, "the parts of Bare Game must be names of modules by part"),
        ({"parts": "picture"}, "the parts of Bare Game must be names of modules by part, not 'picture'"),
    ],
)
def test_a_field_of_the_wrong_type_is_named(changes: dict[str, Any], complaint: str):
    with pytest.raises(tw.BadOption, match=f"^{complaint}"):
        replace(BareGame.spec, **changes)


@pytest.mark.parametrize(
    ("letters", "names", "complaint"),
    [
        ("aab", ("amber", "ash", "beige"), "each kind of tile needs a letter and a name of its own, not 'aab'"),
        ("ab", ("amber", "amber"), "each kind of tile needs a letter and a name of its own"),
        ("ab", ("amber",), "the 1 kinds of tile need as many letters, not 'ab'"),
        ("aB", ("amber", "beige"), "the letters of tiles must be a text of letters in lower case, not 'aB'"),
        ("a ", ("amber", "beige"), "the letters of tiles must be a text of letters in lower case"),
        (("a", "b"), ("amber", "beige"), "the letters of tiles must be a text of letters in lower case"),
        ("ab", ("amber", "Amber"), "each kind of tile needs a letter and a name of its own"),
        ("a", "amber", "the names of tiles must be a tuple of words, as in 'dark-blue', not 'amber'"),
        ("a", ("",), "the names of tiles must be a tuple of words"),
        ("a", ("dark blue",), "the names of tiles must be a tuple of words"),
    ],
)
def test_every_kind_of_tile_has_a_letter_and_a_name(letters: Any, names: Any, complaint: str):
    with pytest.raises(tw.BadOption, match=f"^{complaint}"):
        TileSet(letters, names)


def test_capitals_do_not_matter_in_what_is_typed():
    tiles = TileSet("sm", ("Slate", "Dark-Marble"))
    assert tiles.kinds("slate, DARK-MARBLE Slate m") == [0, 1, 0, 1]


def test_a_class_without_a_real_spec_is_refused():
    with pytest.raises(TypeError, match=r"^the spec of Odd must be a GameSpec, not 3$"):
        type("Odd", (tw.Game,), {"spec": 3})()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("wall", "abc", "the wall"), "the choices of wall must be a tuple, not 'abc'"),
        (("wall", 3, "the wall"), "the choices of wall must be a tuple, not 3"),
        (("wall", ("a", "b"), None), "the description of wall must be a text, not None"),
        ((5, ("a", "b"), "the wall"), "an option cannot be called 5"),
    ],
)
def test_an_option_of_the_wrong_type_is_refused(arguments: tuple[Any, ...], complaint: str):
    with pytest.raises(tw.BadOption, match=f"^{complaint}"):
        tw.Option(*arguments)


PAGE = Path(__file__).parents[2] / "docs" / "add-a-game.md"


def test_the_page_lists_every_reserved_name():
    listed = re.findall(r"`(\w+)`", PAGE.read_text(encoding="utf-8").partition("## Reserved names")[2])
    assert listed == sorted(RESERVED)
    for name in listed:
        with pytest.raises(tw.BadOption, match=f"^an option cannot be called '{name}': .* already has a meaning"):
            tw.Option(name, ("a", "b"), "a choice")
