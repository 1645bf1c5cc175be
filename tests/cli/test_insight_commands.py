"""review and analyse: what they print, the page they write, and what they say about bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tilewright as tw
from tilewright.bots.greedy import GreedyBot
from tilewright.cli.main import main


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A whole game, quickly played."""
    position, bot = tw.Azul().start(seed=3), GreedyBot(seed=1, temperature=1.0)
    while not position.is_over:
        position.push(bot.choose(position))
    path = tmp_path / "game.txt"
    position.record(["Anna", "Paul"]).save(path)
    return path


def test_review_in_words(record: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["review", str(record), "--budget", "300", "--language", "en"]) == 0
    told = capsys.readouterr().out
    assert "Win chance of Anna: " in told
    assert "Better: takes" in told
    assert "  - " in told
    assert "given away" in told


def test_review_in_french(record: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["review", str(record), "--budget", "200", "--language", "fr"]) == 0
    assert "Chances de victoire d’Anna" in capsys.readouterr().out


def test_review_as_json_can_be_read_back(record: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["review", str(record), "--budget", "200", "--json", "--seed", "4"]) == 0
    told = json.loads(capsys.readouterr().out)
    review = tw.Review.from_dict(told)
    assert review.is_complete
    assert (review.seed, review.budget) == (4, "200")
    assert review.record.names == ["Anna", "Paul"]


def test_the_page_replaces_only_a_page(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    page = tmp_path / "review.html"
    for _ in range(2):
        assert main(["review", str(record), "--budget", "100", "--html", str(page), "--language", "en"]) == 0
    assert capsys.readouterr().out == f"The review is in {page}.\n" * 2
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    before = record.read_text(encoding="utf-8")
    assert main(["review", str(record), "--budget", "100", "--html", str(record)]) == 2
    assert "not a review" in capsys.readouterr().err
    assert record.read_text(encoding="utf-8") == before


def test_a_page_in_a_folder_that_does_not_exist(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Said before the review is made, not after."""
    page = tmp_path / "nowhere" / "review.html"
    assert main(["review", str(record), "--budget", "30s", "--html", str(page)]) == 2
    assert f"there is no folder {page.parent}" in capsys.readouterr().err


def test_analyse_a_text_and_a_record(record: Path, capsys: pytest.CaptureFixture[str]):
    text = tw.Azul().start(seed=3).to_text()
    assert main(["analyse", text, "--budget", "500", "--lines", "2", "--language", "en"]) == 0
    told = capsys.readouterr().out
    assert "win chance" in told
    assert "\n2. " in told
    assert "\n3. " not in told
    assert main(["analyse", str(record), "--move", "5", "--budget", "300", "--json"]) == 0
    analysis = tw.Analysis.from_dict(json.loads(capsys.readouterr().out))
    assert analysis.best.move in analysis.position.legal_moves
    assert main(["analyse", str(record), "--language", "en"]) == 0
    assert "No player can move here." in capsys.readouterr().out


@pytest.mark.parametrize("budget", ["soon", "0", "-3"])
def test_a_wrong_budget(record: Path, budget: str, capsys: pytest.CaptureFixture[str]):
    assert main(["review", str(record), f"--budget={budget}"]) == 2
    assert "budget" in capsys.readouterr().err
