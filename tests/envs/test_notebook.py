"""The notebook for beginners runs from top to bottom, and shows what it promises."""

from __future__ import annotations

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def notebook():
    read = nbformat.read(EXAMPLES / "first_steps.ipynb", as_version=4)
    nbclient.NotebookClient(read, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    return read


def outputs_of(notebook) -> list[dict]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def test_it_is_stored_without_outputs():
    stored = nbformat.read(EXAMPLES / "first_steps.ipynb", as_version=4)
    assert outputs_of(stored) == []


def test_it_draws_positions(notebook):
    pictures = [output for output in outputs_of(notebook) if "image/svg+xml" in output.get("data", {})]
    assert len(pictures) == 3


def test_it_says_how_games_went(notebook):
    said = "".join(output["text"] for output in outputs_of(notebook) if output.output_type == "stream")
    assert "points on average" in said
    assert "greedy won 20 of 20" in said
    assert "player_1 gets" in said
