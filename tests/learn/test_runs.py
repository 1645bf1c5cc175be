"""Runs in folders: they are logged, evaluated, killed and resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

import tilewright as tw
from learn.toy import SETTINGS, TOY
from tilewright.learn import checkpoint
from tilewright.learn.evaluation import evaluate
from tilewright.learn.log import LOG, append_line, read_log
from tilewright.learn.network import Network
from tilewright.learn.run import CHECKPOINT, WEIGHTS, open_run
from tilewright.search.rule_sets import network_file


def run_of(folder: Path, **more: object):
    torch.set_num_threads(1)
    return open_run(folder, tw.Azul(2), settings={**SETTINGS, **more})


def test_a_run_leaves_weights_a_log_and_an_evaluation(tmp_path: Path):
    run = run_of(tmp_path)
    told: list[dict[str, object]] = []
    run.train(steps=90, report=told.append, evaluate_every=1e9)
    run.close()
    lines = read_log(tmp_path / LOG)
    assert lines == told
    assert lines[-2]["steps"] == lines[-1]["steps"] == 90
    assert lines[-1]["opponent"] == "greedy"
    assert 0 <= lines[-1]["win_share"] <= 1
    assert list((tmp_path / "tensorboard").glob("events.*"))
    network = checkpoint.read_network(tmp_path / WEIGHTS)
    assert torch.allclose(network.first.weight, run.trainer.average.first.weight, atol=1e-3)


def test_a_run_without_updates_has_neither_losses_nor_an_evaluation(tmp_path: Path):
    run = run_of(tmp_path)
    run.train(steps=3, evaluate_every=1e9)
    assert run.trainer.updates == 0
    lines = read_log(tmp_path / LOG)
    assert lines[-1]["steps"] == 3
    assert not any("win_loss" in line or "win_share" in line for line in lines)


def test_steps_are_those_of_the_whole_run(tmp_path: Path):
    run_of(tmp_path).train(steps=5, evaluate_every=None)
    append_line(tmp_path / LOG, {"steps": 9, "seconds": 1.0})  # a killed process logged what it did not save
    resumed = open_run(tmp_path, tw.Azul(2))
    assert resumed.trainer.configuration == TOY
    resumed.train(steps=8, evaluate_every=None)
    assert resumed.trainer.steps == 8
    assert [line["steps"] for line in read_log(tmp_path / LOG)] == [5, 8]
    again = open_run(tmp_path, tw.Azul(2))
    again.train(steps=8, evaluate_every=None)
    assert again.trainer.steps == 8


ENDLESS = """
import json, sys
from pathlib import Path
import torch
import tilewright as tw
from tilewright.learn.run import open_run

torch.set_num_threads(1)
run = open_run(Path(sys.argv[1]), tw.Azul(2), settings=json.loads(sys.argv[2]))
run.train(seconds=3600, evaluate_every=None, save_every=0.0)
"""


def test_a_run_that_was_killed_is_resumed(tmp_path: Path):
    command = [sys.executable, "-c", ENDLESS, str(tmp_path), json.dumps(SETTINGS)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    while not (tmp_path / CHECKPOINT).exists() or len(read_log(tmp_path / LOG)) < 20:
        assert process.poll() is None, process.communicate()[1].decode()
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    resumed = open_run(tmp_path, tw.Azul(2))
    steps = resumed.trainer.steps
    assert steps > 0
    assert all(line["steps"] <= steps for line in read_log(tmp_path / LOG))
    resumed.train(steps=steps + 3, evaluate_every=None)
    assert read_log(tmp_path / LOG)[-1]["steps"] == steps + 3


def test_a_run_may_begin_with_the_weights_of_the_package(tmp_path: Path):
    shipped = checkpoint.read_network(network_file(tw.Azul(2)))
    small = {**SETTINGS, "width": 256, "blocks": 2}
    run = open_run(tmp_path, tw.Azul(2), source=network_file(tw.Azul(2)), settings=small)
    assert torch.equal(run.trainer.average.policy.weight, shipped.policy.weight)
    run.train(steps=2, evaluate_every=None)
    assert (tmp_path / CHECKPOINT).exists()


def test_a_trained_policy_beats_greedy_and_a_new_one_does_not():
    game = tw.Azul(2)
    shipped = checkpoint.read_network(network_file(game))
    assert evaluate(game, shipped, "greedy", deals=6).value > 0.7
    torch.manual_seed(1)
    assert evaluate(game, Network.for_game(game, TOY), "greedy", deals=6).value < 0.3


def test_a_log_that_was_cut_off_can_be_read(tmp_path: Path):
    (tmp_path / LOG).write_text('{"steps": 1}\n{"ste', encoding="utf-8")
    assert read_log(tmp_path / LOG) == [{"steps": 1}]


TWO_PROCESSES = """
import json, sys
from pathlib import Path
import torch
import tilewright as tw
from tilewright.learn.run import open_run

torch.set_num_threads(1)
run = open_run(Path(sys.argv[1]), tw.Azul(2), settings=json.loads(sys.argv[2]))
run.train(steps=90, evaluate_every=None)
rank = run.trainer.processes.rank
torch.save({
    "network": run.trainer.network.state_dict(),
    "dealt": run.trainer.self_play.tensors["deal_generators"],
    "updates": run.trainer.updates,
}, Path(sys.argv[1]) / f"process-{rank}.pt")
run.close()
"""


@pytest.mark.slow
def test_two_processes_train_one_network_from_different_games(tmp_path: Path):
    script = tmp_path / "train.py"
    script.write_text(TWO_PROCESSES, encoding="utf-8")
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    command = [*torchrun, str(script), str(tmp_path), json.dumps(SETTINGS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first, second = (torch.load(tmp_path / f"process-{rank}.pt", weights_only=True) for rank in (0, 1))
    assert first["updates"] == second["updates"] > 0
    assert all(torch.equal(value, second["network"][name]) for name, value in first["network"].items())
    assert not torch.equal(first["dealt"], second["dealt"])
    lines = read_log(tmp_path / LOG)
    assert [line["steps"] for line in lines] == sorted(line["steps"] for line in lines)
    assert lines[-1]["steps"] == 90


def test_another_rule_set_is_refused(tmp_path: Path):
    run_of(tmp_path).save()
    with pytest.raises(tw.BadOption, match="is a checkpoint of 'azul-2-coloured', not of 'azul-2-grey'"):
        open_run(tmp_path, tw.Azul(2, wall="grey"))
