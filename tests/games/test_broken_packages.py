"""Games from other packages that are broken in some way: each costs nobody another game."""

from __future__ import annotations

from pathlib import Path

import pytest

import tilewright as tw
from installing import describe, run

BROKEN = {
    "raises": "raise RuntimeError('boom\\nsecond line')",
    "exits": "raise SystemExit(3)",
    "not-a-game": "Broken = 3",
    "misnamed": "from tilewright.games.azul import Azul as Broken",
    "lost-part": """
from dataclasses import replace
from tilewright.games.azul import SPEC, Azul
class Broken(Azul):
    spec = replace(SPEC, name="lost-part", parts={**SPEC.parts, "picture": "nowhere.to_be_found"})
""",
}
"""The source of a package by the name of its game."""


def offer(folder: Path, name: str, source: str) -> None:
    """Lay out a package as pip would install it."""
    module = "broken_" + name.replace("-", "_")
    (folder / f"{module}.py").write_text(source)
    describe(folder, name, f"{module}:Broken")


CHECK = """
import sys, warnings
warnings.simplefilter("ignore")
import tilewright as tw
import tilewright.envs
from tilewright.view.language import say
name = sys.argv[1]
assert list(tw.GAMES) == ["azul", "azul-mini", "summer-pavilion"], list(tw.GAMES)
assert name not in tw.GAMES and tw.make_game("azul").start(seed=7).turn == 0 and say("en", "page.play")
try:
    tw.make_game(name)
except tw.BadOption as error:
    print(error)
"""


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_package_costs_only_its_own_game(tmp_path: Path, name: str):
    offer(tmp_path, name, BROKEN[name])
    told = run(tmp_path, "-c", CHECK, name).splitlines()
    assert len(told) == 1, "told in one line"
    assert told[0].startswith(f"the game {name!r} cannot be loaded from broken_")


def test_nobody_takes_the_name_of_our_own_games(tmp_path: Path):
    offer(tmp_path, "azul", "from tilewright.games.azul_mini import AzulMini as Broken")
    told = run(tmp_path, "-W", "ignore", "-c", "import tilewright as tw; print(tw.make_game('azul') == tw.Azul())")
    assert told.strip() == "True"


@pytest.mark.parametrize("name", ["seed", "players", "result", "player 1", "Wall", ""])
def test_options_have_names_that_records_can_hold(name: str):
    with pytest.raises(tw.BadOption, match="an option cannot be called"):
        tw.Option(name, ("a", "b"), "")


@pytest.mark.parametrize("choices", [(), (1, 2), ("a b", "c"), ("a;", "b"), ("a", "a"), (True, "yes")])
def test_choices_are_words_that_texts_can_hold(choices: tuple[object, ...]):
    with pytest.raises(tw.BadOption, match="the choices of wall must be different words"):
        tw.Option("wall", choices, "")


def test_a_spec_is_checked_when_it_is_made():
    from dataclasses import replace

    from tilewright.games.azul import SPEC, WALL

    with pytest.raises(tw.BadOption, match="at least 2 players"):
        replace(SPEC, players=(1, 2))
    with pytest.raises(tw.BadOption, match="entry for each of 5 players"):
        replace(SPEC, players=(2, 5))
    with pytest.raises(tw.BadOption, match="different names"):
        replace(SPEC, options=(WALL, WALL))
