"""train, curves and export, at toy size."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra 'train' is not installed")

import torch

import tilewright as tw
from tilewright.bots.champion import ChampionBot
from tilewright.cli.main import main
from tilewright.cli.train import ON_A_CPU
from tilewright.learn.log import LOG, append_line, read_log
from tilewright.learn.run import CHECKPOINT, WEIGHTS
from tilewright.search.budget import Budget
from tilewright.search.rule_sets import network_file

TOY = ["--games", "2", "--simulations", "2", "--width", "8", "--no-evaluation"]


def test_a_trained_network_can_be_played_resumed_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    run = tmp_path / "toy"
    assert main(["train", "azul", "--steps", "3", *TOY, "--folder", str(run)]) == 0
    told = capsys.readouterr()
    assert "3 steps of 2 games" in told.out
    assert "No update was made" in told.out
    assert "--games 64 --width 64" in told.out
    assert "loss" not in told.err
    assert "steps 3" in told.err
    position = tw.Azul(players=2).start(seed=7)
    assert ChampionBot(Budget(simulations=4), weights=run / WEIGHTS).choose(position) in position.legal_moves
    assert main(["train", "azul", "--steps", "5", "--no-evaluation", "--folder", str(run)]) == 0
    assert "5 steps of 2 games" in capsys.readouterr().out
    steps = [line["steps"] for line in read_log(run / LOG)]
    assert {3, 5} <= set(steps), "each run ends with a line; a slow one has more"
    assert steps == sorted(steps)
    append_line(run / LOG, {"seconds": 1.0, "steps": 5, "opponent": "greedy", "win_share": 0.5, "win_share_error": 0.1})
    for name in ("curves.png", "curves.svg"):
        assert main(["curves", str(run), "--output", str(tmp_path / name)]) == 0
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    drawn = (tmp_path / "curves.svg").read_text(encoding="utf-8")
    assert ">minutes of training</text>" in drawn
    assert ">against greedy</text>" in drawn


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["train", "azul", *TOY, "--device", "cuda", "--folder", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err
    assert "cannot use a GPU: " in told
    assert "--device cpu" in told
    assert not (tmp_path / "run").exists()


def test_a_terminal_shows_a_bar_that_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    assert main(["train", "azul", "--steps", "3", *TOY, "--folder", str(tmp_path)]) == 0
    drawn = screen.getvalue()
    assert "%" in drawn
    assert drawn.endswith("\r\x1b[K")
    assert "steps 3" in drawn


def test_training_begins_with_the_weights_of_the_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    small = ["--games", "2", "--simulations", "2", "--steps", "1", "--no-evaluation"]
    assert main(["train", "azul", "--from", "shipped", *small, "--folder", str(tmp_path)]) == 0
    assert (tmp_path / CHECKPOINT).exists()
    more = [*small, "--folder", str(tmp_path), "--from"]
    assert main(["train", "azul", *more, "shipped"]) == 0, "the same command resumes the run"
    other = str(network_file(tw.Azul(players=2, wall="grey")))
    assert main(["train", "azul", *more, other]) == 2
    assert "already holds a run that did not begin with" in capsys.readouterr().err
    missing = ["--from", str(tmp_path / "none.npz"), "--folder", str(tmp_path / "other")]
    assert main(["train", "azul", *small, *missing]) == 2
    assert "none.npz does not exist" in capsys.readouterr().err


def test_a_folder_of_another_rule_set_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = ["--folder", str(tmp_path)]
    assert main(["train", "azul", "--steps", "1", *TOY, *folder]) == 0
    assert main(["train", "azul", "--wall", "grey", "--steps", "1", *folder]) == 2
    assert "is a checkpoint of 'azul-2-coloured', not of 'azul-2-grey'" in capsys.readouterr().err


def test_curves_need_the_folder_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["curves", str(tmp_path)]) == 2
    assert "it has no log.jsonl" in capsys.readouterr().err
    (tmp_path / LOG).write_text('{"steps": 1, "seconds": 2.0}\n', encoding="utf-8")
    assert main(["curves", str(tmp_path), "--output", "curves.doc"]) == 2
    assert "should be a .png, .svg or .pdf file, not 'curves.doc'" in capsys.readouterr().err


def test_an_export_needs_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["export", "azul", "--weights", str(tmp_path / "none.npz")]) == 2
    assert "none.npz does not exist" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"\x7fELF not an archive", b"PK\x03\x04 a broken archive"])
def test_files_without_weights_are_refused(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(tw.BadOption, match="file does not hold exported weights"):
        tw.load_network("azul", path=file)
    assert main(["export", "azul", "--weights", str(file)]) == 2
    assert "does not hold exported weights" in capsys.readouterr().err
    assert main(["train", "azul", "--steps", "1", *TOY, "--from", str(file), "--folder", str(tmp_path / "new")]) == 2
    assert "does not hold exported weights" in capsys.readouterr().err


def test_an_unknown_opponent_is_refused_before_training(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = tmp_path / "new"
    assert main(["train", "azul", "--steps", "1", "--opponent", "nobody", "--folder", str(folder)]) == 2
    assert "no bot is called 'nobody'" in capsys.readouterr().err
    assert not folder.exists()


def test_a_cpu_gets_settings_of_its_own(tmp_path: Path):
    from tilewright.learn.checkpoint import resume

    assert main(["train", "azul", "--steps", "1", *TOY, "--folder", str(tmp_path)]) == 0
    configuration = resume(tw.Azul(2), tmp_path / CHECKPOINT).configuration
    assert (configuration.games, configuration.batch) == (2, ON_A_CPU["batch"])
