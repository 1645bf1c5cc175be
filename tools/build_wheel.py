"""Build a wheel that contains machine code, so that whoever installs it need not wait for a compiler.

    python tools/build_wheel.py            # into dist/
    python tools/build_wheel.py --pure     # without machine code, for every platform: it compiles on first use

The machine code is for this platform and for these versions of Python, Numba and llvmlite. With any others the wheel
works like the pure one (see ``tilewright.kernels.shipped``). It contains what players, researchers and the strongest
bot need first.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import distribution
from pathlib import Path

import numpy as np

import tilewright as tw
from tilewright.envs import ActionDescriber, Observer, Vector
from tilewright.envs.single_game import SingleGame
from tilewright.kernels import shipped
from tilewright.server.warm import analyse_and_review, play_a_game, representative, warm_up

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("LICENSE", "README.md", "pyproject.toml", "src")
INNER = "-inner."
"""In the names of files that only a compiler needs."""

# ---------------------------------------------------------------------------------------- What is compiled


def compile_game(name: str) -> None:
    """Call everything once that somebody may need first, of this game and of those that share its rules."""
    warm_up(name)
    for sharing in (kind for other, kind in tw.GAMES.items() if representative(other) == name):
        for chosen in sharing.spec.rule_sets():
            play_a_game(sharing(**chosen))
            analyse_and_review(sharing(**chosen))
    game = tw.make_game(name)
    step_vector(game)
    step_one_game(game)
    play_batch(game)
    play_at_random(game)


def step_vector(game: tw.Game) -> None:
    """Thousands of games at once, for training loops and Gymnasium."""
    vector = Vector(game, 2, seed=1)
    vector.step(vector.random_moves())
    vector.load(vector.states.copy())


def step_one_game(game: tw.Game) -> None:
    """PettingZoo, Gymnasium and OpenSpiel."""
    single = SingleGame(game)
    single.reset(seed=1)
    single.observe(single.turn)
    single.step(int(np.flatnonzero(single.mask())[0]))
    single.random_move(np.ones(1, np.uint64))
    states = game.start(seed=1).states
    Observer(game).observe_each(states)
    ActionDescriber(game).describe(states, 0)


def play_batch(game: tw.Game) -> None:
    """Batches."""
    batch = game.batch(2, seed=1)
    batch.legal_masks()
    batch.push(batch.random_moves())
    _ = batch.over


def play_at_random(game: tw.Game) -> None:
    """``tilewright bench``, the arena's first game, ``tilewright perft``, and the playouts of a bot of one's own."""
    states, generator = game.kernels.new_states(1), np.ones(1, np.uint64)
    game.kernels.play_games(states, game.set_up().states, generator, 1, game.kernels.new_totals())
    position = game.start(seed=1)
    game.kernels.finish_at_random(position.states, 0, generator)
    margins, moves = np.zeros(1, np.int64), position.legal_moves.numbers()[:1]
    game.kernels.try_moves(states, game.start(seed=1).states, generator, 1, moves, margins)
    game.kernels.count_sequences(game.kernels.new_states(2), 1, 0)


def compile_all(folder: Path) -> None:
    """Compile every game for the portable processor, in processes side by side."""
    environment = {
        **os.environ,
        "TILEWRIGHT_BUILD_KERNELS": str(folder),
        "NUMBA_CPU_NAME": shipped.PORTABLE.name,
        "NUMBA_CPU_FEATURES": "",
    }
    games = sorted({representative(name) for name in tw.GAMES})
    print(f"Compiling {', '.join(games)}: a few minutes, in {len(games)} processes ...", flush=True)
    compiling = [subprocess.Popen([sys.executable, __file__, "--compile", name], env=environment) for name in games]
    statuses = [process.wait() for process in compiling]
    if any(statuses):
        sys.exit("The games could not be compiled.")


# ------------------------------------------------------------------------------------------------ The wheel


def build(kernels: Path | None, target: Path) -> None:
    """Build a wheel from a copy of the sources, with the machine code among them."""
    options: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in SOURCES:
            source = ROOT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, Path(folder) / name)  # type: ignore[operator]
        if kernels is not None:
            size = add_kernels(kernels, Path(folder) / "src" / "tilewright" / "compiled")
            print(f"{size / 1e6:.1f} MB of machine code for {shipped.about().strip()}")
            tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
            options = [f"-C--build-option=--python-tag={tag}", f"-C--build-option=--plat-name={platform_tag()}"]
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(target), *options]
        subprocess.run([*command, folder], check=True)


def add_kernels(kernels: Path, folder: Path) -> int:
    """Copy the machine code that Python calls; returns its size in bytes."""
    folder.mkdir()
    chosen = [path for path in kernels.glob("*.nb[ci]") if INNER not in path.name]
    for path in chosen:
        shutil.copy(path, folder)
    (folder / shipped.ABOUT).write_text(shipped.about(), encoding="ascii")
    return sum(path.stat().st_size for path in chosen)


def platform_tag() -> str:
    """The platforms of llvmlite's own wheel: our machine code runs wherever it does."""
    tags = distribution("llvmlite").read_text("WHEEL") or ""
    return next(line.rpartition("-")[2] for line in tags.splitlines() if line.startswith("Tag:"))


def main() -> None:
    """Compile, and build a wheel with the result."""
    parser = argparse.ArgumentParser(description="Build a wheel that contains machine code for this platform.")
    parser.add_argument("--pure", action="store_true", help="without machine code")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="the folder of the wheel")
    parser.add_argument("--kernels", type=Path, help="keep the machine code in this folder, and use what is there")
    parser.add_argument("--compile", metavar="GAME", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.compile:
        compile_game(arguments.compile)
        return
    if arguments.pure:
        build(None, arguments.output)
        return
    with tempfile.TemporaryDirectory() as folder:
        kernels = arguments.kernels or Path(folder)
        kernels.mkdir(parents=True, exist_ok=True)
        compile_all(kernels.resolve())
        build(kernels, arguments.output)


if __name__ == "__main__":
    main()
