"""Print the tables of docs/environments.md: what each number of an observation means.

The page has the output of ``python tools/observation_tables.py`` between two markers, and a test compares them. After a
change of the observations, paste the new output there.
"""

from __future__ import annotations

import tilewright as tw
from tilewright.envs.observation import Observer

RULE_SETS = {
    "Azul and Azul Mini": tw.Azul(players=2),
    'Azul and Azul Mini, `wall="grey"`': tw.Azul(players=2, wall="grey"),
    "Azul, `jokers=True`": tw.Azul(players=2, jokers=True),
    "Summer Pavilion": tw.SummerPavilion(players=2),
    'Summer Pavilion, `side="grey"`': tw.SummerPavilion(players=2, side="grey"),
}
HEAD = "| numbers | part | shape | divided by | largest | meaning |\n|---|---|---|---|---|---|"


def table_of(game: tw.Game) -> str:
    """The parts of a rule set's observation, each with its indices."""
    observer = Observer(game)
    lines = [HEAD]
    for part in observer.parts:
        first = observer.starts[part.name]
        numbers = str(first) if part.size == 1 else f"{first} – {first + part.size - 1}"
        shape = " × ".join(str(length) for length in part.shape)
        lines.append(f"| {numbers} | `{part.name}` | {shape} | {part.scale:g} | {part.high:g} | {part.meaning} |")
    return "\n".join(lines)


def all_tables() -> str:
    """Every table under its heading, for two players."""
    return "\n\n".join(f"### {title}\n\n{table_of(game)}" for title, game in RULE_SETS.items())


if __name__ == "__main__":
    print(all_tables())
