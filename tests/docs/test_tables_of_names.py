"""Tables in the documentation that list names list all of them."""

from __future__ import annotations

import re
from dataclasses import fields

import tilewright as tw
from doc_pages import ROOT
from tilewright.game.rules_checks import FIELDS, REQUIRED
from tilewright.game.spec_checks import FOR_SHOW, PARTS
from tilewright.kernels.defaults import OPTIONAL

GUIDE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
ADD_A_GAME = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")


def names_in_table(page: str, heading: str) -> list[str]:
    """The names in the first column of the only table with this heading."""
    (_, after) = page.split(f"\n{heading}\n|---")
    rows = after.partition("\n\n")[0].splitlines()[1:]
    return [name for row in rows for name in re.findall(r"`(\w+)(?:\(.*?\))?`", row.split("|")[1])]


def test_the_guide_lists_every_field_of_a_spec():
    listed = names_in_table(GUIDE.partition("`tw.GameSpec`, which")[2], "| field | meaning |")
    assert sorted(listed) == sorted(field.name for field in fields(tw.GameSpec))


def test_every_field_of_a_position_and_every_name_of_the_rules_is_listed():
    assert sorted(names_in_table(ADD_A_GAME, "| field | value |")) == sorted(FIELDS)
    assert names_in_table(ADD_A_GAME, "| name | what it is |") == list(REQUIRED)
    optional = names_in_table(ADD_A_GAME, "| name | meaning | default |")
    assert sorted(optional) == sorted([*OPTIONAL, "BY_SEAT", "SIGNED"])


def test_every_method_of_a_notation_is_listed():
    listed = names_in_table(ADD_A_GAME, "| method | what it does |")
    assert {"actions", *listed} == {name for name in vars(tw.Notation) if not name.startswith("_")}


def test_every_part_of_a_game_is_listed_those_for_show_first():
    listed = names_in_table(ADD_A_GAME, "| part | what it provides | without it |")
    assert sorted(listed) == sorted(PARTS)
    assert "If one of the first nine in this table cannot be imported" in ADD_A_GAME
    assert set(listed[:9]) == FOR_SHOW
