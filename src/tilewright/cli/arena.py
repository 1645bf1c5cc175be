"""``tilewright arena``: matches and leagues of bots."""

from __future__ import annotations

import json
import sys
import traceback
from argparse import Namespace
from contextlib import redirect_stdout
from pathlib import Path

from tilewright.arena.cluster import check_address
from tilewright.arena.folder import read_settings
from tilewright.arena.match import play_match
from tilewright.arena.play import GameFailed, check_bots, load_rules, play_fixture
from tilewright.arena.report import GENERATOR, write_report
from tilewright.arena.schedule import Match
from tilewright.arena.sprt import Sprt
from tilewright.cli.game_options import chosen_game
from tilewright.cli.progress import progress_bar
from tilewright.cli.sources import read_text
from tilewright.cli.standings import tell_match
from tilewright.cli.terminal import compiling_notice
from tilewright.game.errors import BadOption, TilewrightError
from tilewright.game.game import Game
from tilewright.view.generated_page import is_made_by

_FAILED, _INTERRUPTED = 1, 130
_USUAL_RISK = 0.05


def run(arguments: Namespace) -> int:
    """Play a match, or continue one, and report the result."""
    _check_names(arguments)
    game, bots = chosen_game(arguments), _chosen_bots(arguments)
    test = _chosen_test(arguments)
    if arguments.only is not None:
        return _play_only(game, bots, arguments)
    _check_report(arguments.report)
    check_bots(bots)  # before minutes are spent on compiling
    if arguments.ray is not None:
        check_address(arguments.ray)
    with compiling_notice():
        load_rules(game)
    try:
        with progress_bar(sys.stderr) as bar, redirect_stdout(sys.stderr):  # Ray prints when a machine is lost
            result = play_match(
                bots,
                game,
                arguments.games,
                seed=arguments.seed,
                sprt=test,
                workers=arguments.workers,
                ray=arguments.ray,
                folder=arguments.folder,
                progress=bar,
            )
    except KeyboardInterrupt:
        print(_how_to_resume(arguments.folder), file=sys.stderr)
        return _INTERRUPTED
    except GameFailed as failed:
        raise TilewrightError(f"{failed}; to reproduce it, add {_again(arguments, failed)} to the command") from failed
    if arguments.report:
        write_report(result, Path(arguments.report))
    print(json.dumps(result.to_object()) if arguments.json else tell_match(result))
    return 0


def _chosen_bots(arguments: Namespace) -> list[str]:
    bots = list(arguments.bots)
    if arguments.league:
        lines = (line.partition("#")[0].strip() for line in read_text(arguments.league).splitlines())
        bots += [line for line in lines if line]
    if len(bots) < 2:
        raise BadOption("name two or more bots, as in 'tilewright arena search:100ms greedy', or use --league FILE")
    return bots


def _chosen_test(arguments: Namespace) -> Sprt | None:
    risks = {"--alpha": arguments.alpha, "--beta": arguments.beta}
    if arguments.sprt is None:
        for option, risk in risks.items():
            if risk is not None:
                raise BadOption(f"{option} belongs to a sequential test; add --sprt ELO0 ELO1")
        return None
    elo0, elo1 = arguments.sprt
    return Sprt(elo0, elo1, *(_USUAL_RISK if risk is None else risk for risk in risks.values()))


def _check_names(arguments: Namespace) -> None:
    """Refuse empty names: they come from shell variables that were never set."""
    for option in ("folder", "report", "league", "ray"):
        name = getattr(arguments, option)
        if name is not None and not name.strip():
            raise BadOption(f"--{option} needs a name; it was empty")


def _check_report(report: str | None) -> None:
    """Refuse a report that could not be written, before hours are spent on its games."""
    if report is None:
        return
    path = Path(report)
    if not path.parent.is_dir():
        raise BadOption(f"there is no folder {path.parent} for the report {path.name}")
    if path.exists() and not is_made_by(GENERATOR, path):
        raise BadOption(f"{path} already exists and is not a report of the arena; choose another name for --report")


def _how_to_resume(folder: str | None) -> str:
    if folder is None:
        return "\nStopped. No games were saved; use --folder DIR for a match that can be continued."
    return f"\nStopped. The finished games are in {folder}; repeat the command to continue."


def _again(arguments: Namespace, failed: GameFailed) -> str:
    seed = arguments.seed if arguments.seed is not None else failed.failure.seed
    return f"--seed {seed} --only {failed.failure.number}"


def _play_only(game: Game, bots: list[str], arguments: Namespace) -> int:
    """Play one game of the match in this process, where a debugger can follow; show the traceback of a bot's error."""
    saved = None if arguments.folder is None else read_settings(Path(arguments.folder))
    seed = arguments.seed if arguments.seed is not None else (saved or {}).get("seed")
    if seed is None:
        raise BadOption("--only replays one game of a match: it needs the --seed or the --folder of that match")
    check_bots(bots)
    try:
        with compiling_notice():
            played = play_fixture(Match(game, tuple(bots), seed), arguments.only, recorded=True)
    except GameFailed as failed:
        traceback.print_exception(failed.__cause__)
        print(f"tilewright: {failed}", file=sys.stderr)
        return _FAILED
    print(played.record, end="")
    return 0
