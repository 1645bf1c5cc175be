"""The notebook for beginners runs from top to bottom, and shows what it promises."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def stored() -> Any:
    """The notebook as it is in the repository. Importing nbformat takes seconds, which only these tests need."""
    nbformat = pytest.importorskip("nbformat")
    return nbformat.read(EXAMPLES / "first_steps.ipynb", as_version=4)


@pytest.fixture(scope="module")
def notebook(stored: Any) -> Any:
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    run = deepcopy(stored)
    nbclient.NotebookClient(run, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    return run


def outputs_of(notebook) -> list[dict]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def test_it_is_stored_without_outputs(stored: Any):
    assert outputs_of(stored) == []


def test_it_draws_positions(notebook):
    pictures = [output for output in outputs_of(notebook) if "image/svg+xml" in output.get("data", {})]
    assert len(pictures) == 3


def test_it_says_how_games_went(notebook):
    said = "".join(output["text"] for output in outputs_of(notebook) if output.output_type == "stream")
    assert "points on average" in said
    assert "greedy won 20 of 20" in said
    assert "player_1 gets" in said
