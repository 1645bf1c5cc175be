"""Games from other packages that are broken in some way: each costs nobody another game."""

from __future__ import annotations

import argparse
import inspect
from pathlib import Path

import gymnasium
import pettingzoo
import pytest

import tilewright as tw
from installing import describe, run
from tilewright.cli.commands import COMMANDS
from tilewright.cli.parser import build_parser
from tilewright.envs.gymnasium import TilewrightEnv
from tilewright.envs.gymnasium_vector import TilewrightVectorEnv
from tilewright.envs.pettingzoo import TilewrightAEC

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


def typed_words() -> set[str]:
    """What a command that takes the options of a game already reads from its flags, and where it keeps it."""
    found = set()
    for name in COMMANDS:
        whole = build_parser(name)
        (commands,) = (action for action in whole._actions if isinstance(action, argparse._SubParsersAction))
        command = commands.choices[name]
        if command.get_default("options") is None:
            continue
        found |= set(command._defaults)
        for action in (*whole._actions, *command._actions):
            flags = {flag.removeprefix("--") for flag in action.option_strings if flag.startswith("--")}
            found |= {action.dest, *(flag.removeprefix("no-").replace("-", "_") for flag in flags)}
    return found


def passed_words() -> set[str]:
    """The arguments of the environments, and of what makes them, beside which options are passed."""
    environments = (TilewrightEnv, TilewrightVectorEnv, TilewrightAEC)
    makers = (*(kind.__init__ for kind in environments), gymnasium.make, gymnasium.make_vec, pettingzoo.make)
    arguments = [argument for maker in makers for argument in inspect.signature(maker).parameters.values()]
    return {argument.name for argument in arguments if argument.kind is not argument.VAR_KEYWORD}


@pytest.mark.parametrize("name", sorted(typed_words() | passed_words()))
def test_options_have_names_that_commands_and_environments_do_not_use(name: str):
    with pytest.raises(tw.BadOption, match="already has a meaning"):
        tw.Option(name, ("a", "b"), "")


def test_an_option_does_not_abbreviate_a_flag():
    with pytest.raises(tw.BadOption, match="'play': it is short for 'player', which already has a meaning"):
        tw.Option("play", ("a", "b"), "")


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


BROKEN_PART = """
from dataclasses import replace
from tilewright.games.azul import SPEC, Azul
class Broken(Azul):
    spec = replace(SPEC, name="half-broken", title="Half Broken", parts={**SPEC.parts, PART: "broken_part"})
"""
SHOW = """
import warnings
import tilewright as tw
from tilewright.view import coach, narrator
from tilewright.view.lessons import markdown_of, plates_of
from tilewright.view.picture.compose import draw_svg
from tilewright.view.picture.palette import stylesheet
from tilewright.view.picture.plate import draw_plate
from tilewright.view.text_drawing import draw_text
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    position = tw.make_game("half-broken").start(seed=7)
    for _ in range(2):
        draw_text(position)
        narrator.tell(position, next(iter(position.legal_moves)))
        coach.advice(position, 0, "en")
        markdown_of(position.game.spec, "en")
        draw_plate(plates_of(position.game.spec)["end"]("half-broken"), ("Anna", "Ben"), "en", "light")
        assert draw_svg(position, ["Anna", "Ben"], "en", "light").startswith("<svg")
        assert "data-game" in stylesheet()
for warning in told:
    print(warning.message)
"""
USE = """
import tilewright as tw
from tilewright.bots.search import SearchBot
from tilewright.envs import ActionDescriber, Observer, symmetries
from tilewright.search.budget import Budget
game = tw.make_game("half-broken")
position = game.start(seed=7)
for use in (
    lambda: SearchBot(Budget(simulations=1), seed=1).choose(position),
    lambda: Observer(game),
    lambda: ActionDescriber(game),
    lambda: symmetries(game),
):
    try:
        use()
    except tw.TilewrightError as error:
        print(error)
        break
"""


def offer_broken_part(folder: Path, part: str, source: str) -> str:
    """Offer a game with one broken part; returns how it is reported."""
    (folder / "broken_part.py").write_text(source)
    offer(folder, "half-broken", BROKEN_PART.replace("PART", repr(part)))
    return f"the part {part!r} of Half Broken cannot be imported from broken_part: "


@pytest.mark.parametrize("part", ["picture", "wording", "terminal", "translations", "coach", "lessons"])
def test_a_broken_part_that_shows_the_game_is_replaced_and_reported_once(tmp_path: Path, part: str):
    reported = offer_broken_part(tmp_path, part, "raise RuntimeError('boom\\nsecond line')")
    assert run(tmp_path, "-c", SHOW).splitlines() == [f"{reported}boom second line; the default is used instead"]


@pytest.mark.parametrize("part", ["evaluation", "priors", "observation", "action_features", "symmetry"])
def test_a_broken_part_that_is_computed_with_is_an_error(tmp_path: Path, part: str):
    reported = offer_broken_part(tmp_path, part, "raise SystemExit(3)")
    assert run(tmp_path, "-c", USE).splitlines() == [f"{reported}3"]
