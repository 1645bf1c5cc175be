"""Redraw the plots of speed and strength from the tables on their pages, so that both always agree.

``python tools/plots.py`` needs Matplotlib (``pip install "tilewright[train]"``).
"""

from __future__ import annotations

import re
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure

DOCS = Path(__file__).parents[1] / "docs"
BLUE, RED, GREY = "#1f4e79", "#a0401c", "#8a8f98"
STYLE = {"svg.hashsalt": "tilewright", "svg.fonttype": "none", "font.size": 10, "font.family": "sans-serif"}


def main() -> None:
    """Draw all of them."""
    with rc_context(STYLE):
        save(random_play(), "random-play")
        save(environments(), "environments")
        save(levels(), "levels")


def save(figure: Figure, name: str) -> None:
    """Write a figure; without a date, so that it changes only when a figure does."""
    figure.savefig(DOCS / "pictures" / f"{name}.svg", metadata={"Date": None}, facecolor="white")


def random_play() -> Figure:
    """Moves per second of random play with two players, compiled and interpreted."""
    page = (DOCS / "speed.md").read_text(encoding="utf-8")
    found = re.findall(r"^(\w+)\(players=2, (.*?)\) +([\d,]+) +[\d,]+ +([\d,]+) ", page, re.MULTILINE)
    names = [
        f"{re.sub(r'(?<=[a-z])(?=[A-Z])', ' ', game)}, {re.sub(r'[a-z]+=|, jokers=False', '', options)}"
        for game, options, *_ in found
    ]
    names = [name.replace("'", "").replace("True", "jokers").replace(", False", "") for name in names]
    figure = Figure(figsize=(8, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.barh(names, [number(line[2]) for line in found], color=BLUE, label="compiled")
    axes.barh(names, [number(line[3]) for line in found], color=RED, label="the same rules as plain Python")
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="moves per second on one core", title="Random play, two players")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def environments() -> Figure:
    """Steps per second of the environments, ours and others, by the number of games at once."""
    page = (DOCS / "environment-speed.md").read_text(encoding="utf-8")
    line = r"^(\w+) +(\* )?(.+?) +(\d+) +1 +processor +[\d.]+ +([\d,]+)"
    found = re.findall(line, page, re.MULTILINE)
    chosen = {
        "Azul, Vector": ("vector", "Azul", BLUE, "-"),
        "Summer Pavilion, Vector": ("vector", "Summer Pavilion", BLUE, "--"),
        "Connect Four, Pgx": ("pgx", "connect_four", RED, "-"),
        "Backgammon, Pgx": ("pgx", "backgammon", RED, "--"),
        "2048, Jumanji": ("jumanji", "2048", GREY, "-"),
    }
    figure = Figure(figsize=(8, 3.6), layout="constrained")
    axes = figure.subplots()
    for label, (family, game, colour, style) in chosen.items():
        points = [
            (int(games), number(speed)) for kind, _, name, games, speed in found if (kind, name) == (family, game)
        ]
        axes.plot(*zip(*points, strict=True), color=colour, linestyle=style, marker="o", label=label)
    axes.set(xscale="log", yscale="log", xlabel="games at once", ylabel="steps per second, one core")
    axes.set_title("Vectors of games on a CPU, with observations and masks")
    axes.legend()
    return figure


def levels() -> Figure:
    """The Elo of the levels of Azul, with the interval of each step."""
    page = (DOCS / "strength.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| (\d) \|.*?\|(?: \+(\d+) to \+(\d+))? +\| (\d+) \|$", page, re.MULTILINE)
    names, elos = [f"level {level}" for level, *_ in found], [int(elo) for *_, elo in found]
    lower, upper = [0], [0]
    for (_, low, high, _), base, elo in zip(found[1:], elos, elos[1:], strict=False):
        lower.append(elo - base - int(low))
        upper.append(base + int(high) - elo)
    figure = Figure(figsize=(8, 3.2), layout="constrained")
    axes = figure.subplots()
    axes.bar(names, elos, yerr=[lower, upper], color=BLUE, ecolor=GREY, capsize=4)
    axes.set(ylabel="Elo above level 1", title="The levels of Azul for two players; bars show 95 % of each step")
    return figure


def number(text: str) -> int:
    """A number with commas."""
    return int(text.replace(",", ""))


if __name__ == "__main__":
    main()
