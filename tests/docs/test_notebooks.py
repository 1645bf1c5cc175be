"""The notebooks run from top to bottom, and show what they promise."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from doc_pages import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

EXAMPLES = ROOT / "examples"
PROMISED = {
    "first_steps": (3, ["points on average", "greedy won 20 of 20", "player_1 gets"]),
    "many_games": (1, ["5,000 games", "greedy against random: greedy wins 100 %"]),
    "understand_a_game": (2, ["wins", "Anna: accuracy", "was better:\n- "]),
}
"""How many pictures each shows, and what it prints."""


@cache
def executed(name: str) -> Any:
    notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    return notebook


def outputs_of(notebook: Any) -> list[dict[str, Any]]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def test_every_notebook_is_tested():
    assert {path.stem for path in EXAMPLES.glob("*.ipynb")} == set(PROMISED)


@pytest.mark.parametrize("name", PROMISED)
def test_it_is_stored_without_outputs(name: str):
    assert outputs_of(nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4)) == []


@pytest.mark.parametrize("name", PROMISED)
def test_it_draws(name: str):
    kinds = {"image/svg+xml", "image/png"}
    drawn = [output for output in outputs_of(executed(name)) if kinds & output.get("data", {}).keys()]
    assert len(drawn) == PROMISED[name][0]


@pytest.mark.parametrize("name", PROMISED)
def test_it_says_how_games_went(name: str):
    said = "".join(output["text"] for output in outputs_of(executed(name)) if output.output_type == "stream")
    for sentence in PROMISED[name][1]:
        assert sentence in said
