"""OpenSpiel's golden playthroughs: our golden games of two players, told by OpenSpiel's own generator.

``python tests/openspiel_playthroughs.py`` regenerates them. Do that only when what a playthrough tells was meant to
change (a rule, an observation, a text), and look at the difference.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags
from open_spiel.python.algorithms import generate_playthrough

import tilewright as tw
from golden import GOLDEN
from rule_sets import RULE_SETS, file_name
from tilewright.envs.openspiel import register, short_name

PLAYTHROUGHS = Path(__file__).parent / "envs" / "playthroughs"
TOLD = [game for game in RULE_SETS if game.players == 2]
"""With more players a playthrough repeats itself for every seat and is several times as long."""


def game_string(game: tw.Game, **others: str) -> str:
    """What ``pyspiel.load_game`` reads."""
    parameters = {"players": game.players, **game.options, **others}
    return f"{short_name(game.name)}({','.join(f'{name}={value}' for name, value in parameters.items())})"


def actions_of(record: tw.Record) -> list[int]:
    """The events of a game as OpenSpiel's actions: a kind for each tile drawn, and the number of each move."""
    actions: list[int] = []
    for event in record.events:
        actions += event.kinds if isinstance(event, tw.Draw) else [int(event)]
    return actions


def golden_actions(game: tw.Game) -> list[int]:
    """The golden game of a rule set."""
    return actions_of(tw.load_record(GOLDEN / f"{file_name(game)}.txt"))


def let_flags_be_read() -> None:
    """OpenSpiel's generator wants to have read a command line; ours is not for it."""
    if not flags.FLAGS.is_parsed():
        flags.FLAGS.mark_as_parsed()


def playthrough(game: tw.Game) -> str:
    """The golden game of a rule set as OpenSpiel tells it."""
    let_flags_be_read()
    return str(generate_playthrough.playthrough(game_string(game), golden_actions(game), seed=0))


def write_all() -> None:
    """Write every playthrough."""
    register()
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for game in TOLD:
        (PLAYTHROUGHS / f"{file_name(game)}.txt").write_text(playthrough(game), encoding="utf-8")


if __name__ == "__main__":
    write_all()
