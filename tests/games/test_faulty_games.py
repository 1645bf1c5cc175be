"""Games whose own code raises errors: whoever plays is told which game, which part and what went wrong."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import bare_game
import tilewright as tw
from bare_game import BareGame, BareNotation
from installing import describe, run, with_game
from tilewright.bots.bot import ask, legal_numbers
from tilewright.bots.random import RandomBot
from tilewright.kernels.compile import kernel
from tilewright.kernels.playing import Kernels


def fail(*_: Any) -> Any:
    raise RuntimeError("no idea\nat all")


class Unlisted(BareNotation):
    """Fails when its moves are listed."""

    actions = fail


class Unwritten(BareNotation):
    """Fails when a position is written."""

    write_position = fail


class Unexplained(BareNotation):
    """Fails when it should say which rule a move breaks."""

    why_illegal = fail


def game_with(**changes: Any) -> tw.Game:
    """The bare game with some of its code replaced."""

    class Faulty(BareGame):
        spec = replace(BareGame.spec, **changes)

    return Faulty(players=3)


def position_with(**changes: Any) -> tw.Position:
    return game_with(**changes).start(seed=7)


def first_move(position: tw.Position) -> tw.Move:
    return next(iter(position.legal_moves))


USES: list[tuple[str, dict[str, Any], Callable[[tw.Position], object]]] = [
    ("effects", {"effects": fail}, lambda position: position.effects(first_move(position))),
    ("points", {"points": fail}, lambda position: position.game.spec.points(position, 0)),
    ("notation.actions", {"notation": Unlisted()}, lambda position: list(position.legal_moves)),
    ("notation.actions", {"notation": Unlisted()}, lambda position: "take amber" in position.legal_moves),
    ("notation.actions", {"notation": Unlisted()}, lambda position: ask(RandomBot(), position)),
    ("notation.write_position", {"notation": Unwritten()}, lambda position: position.to_text()),
]


@pytest.mark.parametrize(("part", "changes", "use"), USES)
def test_an_error_in_a_game_names_the_game_and_the_part(
    part: str, changes: dict[str, Any], use: Callable[[tw.Position], object]
):
    with pytest.raises(tw.GameFault) as caught:
        use(position_with(**changes))
    assert str(caught.value) == f"Bare Game has a fault: its {part} raised RuntimeError: no idea at all"
    assert isinstance(caught.value.__cause__, RuntimeError), "the author can find the line"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_game_made_from_another_is_blamed_under_its_own_title():
    position = position_with(title="Barer Game", notation=position_with(effects=fail).game.spec.notation, effects=fail)
    with pytest.raises(tw.GameFault, match=r"^Barer Game has a fault: its effects raised"):
        position.effects(first_move(position))


def test_errors_about_the_input_are_not_the_fault_of_the_game():
    with pytest.raises(tw.UnreadableMove):
        position_with().push("nonsense")
    with pytest.raises(tw.BadPosition):
        game_with().position("nonsense")


def stuck() -> tw.Position:
    """A position in which the rules find no move, although the game goes on."""
    position = position_with()
    position.state.market[:] = 0
    return position


STUCK = "^Bare Game has a fault: its rules leave player 1 no move, but do not end the game$"


def test_rules_that_leave_a_player_no_move_are_at_fault():
    with pytest.raises(tw.GameFault, match=STUCK):
        stuck().push("take amber")
    with pytest.raises(tw.GameFault, match=STUCK):
        legal_numbers(stuck())
    with pytest.raises(tw.GameFault, match=STUCK):
        ask(RandomBot(), stuck())


NOTHING_TO_DRAW = "^Bare Game has a fault: its rules await a draw, but nothing can be drawn$"


@pytest.mark.parametrize("dealer", [tw.Dealer(7), tw.SecretDealer("00")], ids=["seed", "secret"])
def test_rules_that_await_a_draw_from_an_empty_bag_are_at_fault(dealer: tw.Dealer):
    position = game_with().set_up()
    position.state.bag[:] = 0
    position.dealer, before = dealer, position.copy()
    with pytest.raises(tw.GameFault, match=NOTHING_TO_DRAW):
        position.deal()
    assert (position, position.events, dealer.drawn) == (before, [], 0)
    with pytest.raises(tw.BadPosition, match="a tile must be drawn, but there is none to draw"):
        position.game.position(position.to_text(), seed=7)


def test_a_move_after_which_nothing_can_be_drawn_is_not_played():
    position = position_with()
    position.state.market[:] = 1, 0, 0
    position.state.bag[:] = -1, 0, 0
    before, events = position.copy(), position.events
    with pytest.raises(tw.GameFault, match=NOTHING_TO_DRAW):
        position.push("take amber")
    assert position == before
    assert position.events == events


@kernel
def set_up_nowhere(position, players):
    position.players = players
    position.turn = 9


@kernel
def name_unknown_move(position, n):
    return 99


@kernel
def use_unknown_field(position, n):
    return position.colour


@kernel
def is_over_without_tiles(position):
    return position.bag.sum() + position.market.sum() == 0


def game_by(**names: Any) -> tw.Game:
    """The bare game by rules that define some names otherwise."""
    rules = ModuleType("odd_rules")
    vars(rules).update(vars(bare_game) | names)
    return game_with(kernels=Kernels("_".join(["odd", *names]), rules))


def test_a_set_up_without_a_player_to_move_is_at_fault():
    with pytest.raises(tw.GameFault, match="its set_up leaves turn=9, which should be from 0 to 2"):
        game_by(set_up=set_up_nowhere).set_up()


def test_rules_that_list_a_move_that_does_not_exist_are_at_fault():
    position = game_by(nth_move=name_unknown_move).start(seed=7)
    with pytest.raises(tw.GameFault, match="its rules list moves from 99 to 99, but the moves are numbered"):
        list(position.legal_moves)


def test_an_error_of_the_compiler_is_told_in_plain_characters():
    position = game_by(nth_move=use_unknown_field).start(seed=7)
    with pytest.raises(tw.GameFault, match="its rules raised") as caught:
        list(position.legal_moves)
    assert str(caught.value).isprintable()


def test_a_phase_that_has_no_name_is_a_fault():
    position = position_with()
    position.state.phase = 7
    with pytest.raises(tw.GameFault, match="its rules have no phase 7"):
        _ = position.phase


def play_to_the_end(game: tw.Game) -> None:
    position = game.start(seed=7)
    while not position.is_over:
        position.push(position.legal_moves[0])


@pytest.mark.parametrize(
    ("phases", "told"),
    [
        (("draw", "take"), "the game goes on in phase 1, but the last phase of its spec is 1"),
        (("draw", "take", "over", "done"), "the game has ended in phase 2, but the last phase of its spec is 3"),
    ],
    ids=["too few", "too many"],
)
def test_phases_that_do_not_end_with_the_game_are_a_fault(phases: tuple[str, ...], told: str):
    game = game_with(phases=phases)
    batch = game.batch(2, seed=7)
    assert not batch.over.any()
    while not batch.over.all():
        batch.push(batch.random_moves())
    with pytest.raises(tw.GameFault, match=told):
        play_to_the_end(game)


def test_a_text_in_which_the_phase_contradicts_the_rules_is_refused():
    game = game_by(is_over=is_over_without_tiles)
    with pytest.raises(tw.BadPosition, match="phase=2, but by the rules the game goes on"):
        game.position(game.start(seed=7).to_text().replace("phase=1", "phase=2"))


def test_bots_are_told_why_there_is_no_move():
    with pytest.raises(tw.IllegalMove, match="tiles must be drawn first"):
        legal_numbers(game_with().set_up())
    over = position_with()
    over.state.phase = 2
    with pytest.raises(tw.IllegalMove, match="the game is over"):
        legal_numbers(over)


def test_rules_that_cannot_be_compiled_are_at_fault():
    spec = BareGame.spec
    with pytest.raises(tw.GameFault, match=r"^Bare Game has a fault: its rules raised TypeError: "):
        spec.run(spec.kernels.push_at, "not a table")


# At the command line ----------------------------------------------------------------------------------------

FAULTY_NIM = """
from dataclasses import replace
from nim import Nim, NimNotation
def fail(*_):
    raise RuntimeError("no idea\\nat all")
class Unlisted(NimNotation):
    actions = fail
class Faulty(Nim):
    spec = replace(Nim.spec, name="faulty-nim", title="Faulty Nim", CHANGES)
"""


def offer(folder: Path, changes: str, files: dict[str, str] | None = None) -> None:
    """Offer Nim with some of its code replaced."""
    (folder / "faulty_nim.py").write_text(FAULTY_NIM.replace("CHANGES", changes))
    for name, source in (files or {}).items():
        (folder / name).write_text(source)
    describe(folder, "faulty-nim", "faulty_nim:Faulty")


def tilewright(site: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """What a command says and how it ends; that it compiles, if it takes a while, is not of interest."""
    command = [sys.executable, "-m", "tilewright", *arguments]
    done = subprocess.run(command, input=given, env=with_game(site), capture_output=True, text=True, check=False)
    told = [line for line in done.stderr.splitlines(keepends=True) if not line.startswith("Compiling the rules")]
    return subprocess.CompletedProcess(command, done.returncode, done.stdout, "".join(told))


PLAY = ("play", "--terminal", "faulty-nim", "--seed", "7", "--seat", "me", "--seat", "me")
FAULT = "Faulty Nim has a fault: its {} raised RuntimeError: no idea at all"


@pytest.mark.parametrize(
    ("changes", "part"),
    [("effects=fail", "effects"), ("points=fail", "points"), ("notation=Unlisted()", "notation.actions")],
)
def test_the_terminal_tells_a_fault_in_one_line(tmp_path: Path, changes: str, part: str):
    offer(tmp_path, changes)
    done = tilewright(tmp_path, *PLAY)
    assert (done.returncode, done.stderr) == (1, f"tilewright: {FAULT.format(part)}\n")


def test_a_game_that_fails_in_the_middle_tells_how_to_get_it_back(tmp_path: Path):
    wording = "def heading(position, language):\n    return {10: 'Nim'}[int(position.state.stones)]\n"
    offer(tmp_path, "parts={'wording': 'faulty_wording'}", {"faulty_wording.py": wording})
    done = tilewright(tmp_path, *PLAY, given="take 1\n")
    assert done.returncode == 1
    assert done.stderr == ""
    last = done.stdout.splitlines()[-2:]
    assert last[0] == "The game cannot continue: Faulty Nim has a fault: its wording.heading raised KeyError: 9"
    assert "--seed 7" in last[1]


def test_the_arena_tells_a_fault_in_one_line(tmp_path: Path):
    offer(tmp_path, "notation=Unlisted()")
    done = tilewright(tmp_path, "arena", "random", "random", "--game", "faulty-nim", "--games", "2")
    assert done.returncode != 0
    assert FAULT.format("notation.actions") in done.stderr
    assert "Traceback" not in done.stderr


def test_warnings_about_packages_are_one_line_each(tmp_path: Path):
    (tmp_path / "broken.py").write_text("raise RuntimeError('boom\\nsecond line')")
    describe(tmp_path, "broken", "broken:Broken")
    done = tilewright(tmp_path, "perft", "azul", "--depth", "1", "--wall", "grey")
    assert done.returncode == 0
    told = "tilewright: warning: the game 'broken' cannot be loaded from broken:Broken: boom second line\n"
    assert done.stderr in (told, ""), "nothing but this, and only if the command asks for all games"
    done = tilewright(tmp_path, "play", "--terminal", given="q\n")
    assert done.stderr == told


# Names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["my game", "My-Game", "", "-", "my--game", "my-game-", "2-games", "jeu-é", "a/b"])
def test_names_that_commands_files_or_urls_cannot_hold_are_refused(name: str):
    with pytest.raises(tw.BadOption, match=r"a game cannot be called .*: use lower-case words joined by hyphens"):
        game_with(name=name)


def test_a_package_with_such_a_name_is_told(tmp_path: Path):
    (tmp_path / "spaced.py").write_text(
        "from dataclasses import replace\nfrom nim import Nim\n"
        "class Spaced(Nim):\n    spec = replace(Nim.spec, name='my game')\n"
    )
    describe(tmp_path, "my game", "spaced:Spaced")
    done = tilewright(tmp_path, "play", "--terminal", "my game")
    assert done.returncode == 2
    assert "a game cannot be called 'my game': use lower-case words joined by hyphens" in done.stderr
    assert "Traceback" not in done.stderr


NAMESAKES = """
import gymnasium
import tilewright.envs
from tilewright.envs.gymnasium import register
from tilewright.envs.openspiel import games
register()
print(sorted(name for name in gymnasium.registry if name.startswith("tilewright/")))
for name in ("first-nim", "nim2-twin"):
    env = gymnasium.make("tilewright/" + {"first-nim": "FirstNim", "nim2-twin": "Nim2Twin"}[name] + "-v0")
    print(env.unwrapped.game.name)
"""


def test_two_guests_whose_classes_share_a_name_have_ids_of_their_own(tmp_path: Path):
    for name in ("first-nim", "nim2-twin"):
        module = name.replace("-", "_")
        (tmp_path / f"{module}.py").write_text(
            "from dataclasses import replace\nfrom nim import Nim\n"
            f"class Guest(Nim):\n    spec = replace(Nim.spec, name={name!r})\n"
        )
        describe(tmp_path, name, f"{module}:Guest")
    listed, *made = run(tmp_path, "-W", "ignore", "-c", NAMESAKES).splitlines()
    assert listed == str(
        [f"tilewright/{name}-v0" for name in ("Azul", "AzulMini", "FirstNim", "Nim2Twin", "SummerPavilion")]
    )
    assert made == ["first-nim", "nim2-twin"]
