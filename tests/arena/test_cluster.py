"""Matches on a Ray cluster: a real one of two machines, which are processes on this one and hear nobody else."""

from __future__ import annotations

import gc
import json
import logging
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import arena_bots
import tilewright as tw
from tilewright.arena import Progress, play_match
from tilewright.arena.cluster import RemotePlayer, check_address
from tilewright.arena.folder import RESULTS
from tilewright.arena.schedule import Match
from tilewright.arena.settings import settings_object
from tilewright.arena.worker_pool import WorkerDied
from tilewright.cli.main import main

AZUL = tw.Azul(players=2)
BOTS = ["arena_bots:Tidy", "random"]
GAMES, SEED = 24, 5
CLOCK = ("thinking", "seconds")
"""What a game's line says about time, which is never the same twice."""

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # Ray leaves files to the garbage collector
needs_ray = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray is not installed: pip install 'tilewright[cluster]'"
)
needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


@pytest.fixture(scope="module")
def signs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which bots leave signs, wherever they play."""
    return tmp_path_factory.mktemp("signs")


@pytest.fixture(scope="module", autouse=True)
def private_ray(signs: Path) -> Iterator[None]:
    """Ray reads its settings when it is imported: this machine alone, and a token that is not in the home folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(arena_bots.FOLDER, str(signs))
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        if find_spec("ray") is not None:
            check_address("local")
        yield


@pytest.fixture(scope="module")
def cluster(private_ray: None) -> Iterator[Any]:
    """A Ray cluster with two machines of one CPU each."""
    from ray.cluster_utils import Cluster

    machine = {"num_cpus": 1, "object_store_memory": 80 * 1024 * 1024, "include_dashboard": False}
    started = Cluster(initialize_head=True, head_node_args=machine)
    started.add_node(**machine)
    yield started
    started.shutdown()
    gc.collect()  # here, where what Ray has left open is expected


def lines(folder: Path) -> list[dict[str, Any]]:
    """The games of a folder in the order of the schedule, without what the clock said."""
    told = [json.loads(line) for line in (folder / RESULTS).read_text().splitlines()]
    return sorted(
        ({name: value for name, value in line.items() if name not in CLOCK} for line in told),
        key=lambda line: line["game"],
    )


def files(folder: Path) -> dict[str, bytes]:
    """What else is in a folder, byte by byte."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != RESULTS}


def wait_until_free(cpus: int) -> None:
    import ray

    until = time.monotonic() + 60
    while ray.available_resources().get("CPU", 0) < cpus:
        assert time.monotonic() < until, "workers of a match that is over still hold CPUs"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the same match, played in this process."""
    folder = tmp_path_factory.mktemp("alone") / "match"
    play_match(BOTS, AZUL, GAMES, seed=SEED, workers=0, folder=folder)
    return folder


# On a cluster -------------------------------------------------------------------------------------------


@needs_ray
def test_a_cluster_plays_the_same_games(cluster: Any, alone: Path, tmp_path: Path):
    import ray

    told: list[Progress] = []
    ray.init(cluster.address, logging_level=logging.ERROR, log_to_driver=False)
    # Two of the workers wait for room until the match is over.
    play_match(BOTS, AZUL, GAMES, seed=SEED, ray="auto", workers=4, folder=tmp_path / "match", progress=told.append)
    assert files(tmp_path / "match") == files(alone)
    assert lines(tmp_path / "match") == lines(alone)
    assert [progress.games for progress in told] == list(range(GAMES + 1))
    assert {progress.workers for progress in told[1:-1]} <= {1, 2}
    wait_until_free(2)
    assert ray.is_initialized(), "who has joined the cluster before the match stays in it"
    ray.shutdown()


@needs_ray
@pytest.mark.slow
def test_a_worker_that_is_killed_costs_nothing(cluster: Any, alone: Path, signs: Path, tmp_path: Path):
    import ray

    folder = tmp_path / "match"
    bots = ["arena_bots:DiesOnce", "random"]
    play_match(bots, AZUL, GAMES, seed=SEED, ray=cluster.address, workers=1, folder=folder)
    assert not ray.is_initialized()
    assert (signs / "died").exists()
    assert [line["game"] for line in lines(folder)] == list(range(GAMES)), "each is there, and none twice"
    assert [line["scores"] for line in lines(folder)] == [line["scores"] for line in lines(alone)]


@needs_ray
@pytest.mark.slow
def test_a_machine_that_is_lost_costs_nothing(
    cluster: Any, alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The last test on this cluster: it ends with one machine."""
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    *_, machine = cluster.worker_nodes
    lost = []

    def lose(progress: Progress) -> None:
        if progress.workers == 2 and not lost:
            cluster.remove_node(machine, allow_graceful=False)
            lost.append(progress.games)

    folder = tmp_path / "match"
    play_match(["arena_bots:Slow", "random"], AZUL, 4 * GAMES, seed=SEED, ray="auto", folder=folder, progress=lose)
    assert lost, "both machines played"
    assert [line["game"] for line in lines(folder)] == list(range(4 * GAMES))
    assert [line["scores"] for line in lines(folder)][:GAMES] == [line["scores"] for line in lines(alone)]


@needs_ray
@needs_signals
@pytest.mark.slow
def test_ctrl_c_ends_a_local_cluster_and_another_place_goes_on(alone: Path, tmp_path: Path):
    folder = tmp_path / "match"
    command = [sys.executable, "-m", "tilewright", "arena", "arena_bots:Slow", "random", "--games", str(GAMES)]
    match = subprocess.Popen(
        [*command, "--seed", str(SEED), "--ray", "local", "--folder", str(folder), "--json"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  # it touches no lock
    )
    until = time.monotonic() + 120
    while not (folder / RESULTS).exists() or len(lines(folder)) < 3:
        assert match.poll() is None, "the match has ended"
        assert time.monotonic() < until, "the match does not get on"
        time.sleep(0.02)
    match.send_signal(signal.SIGINT)
    told, complaint = match.communicate(timeout=60)
    assert (match.returncode, told) == (130, "")
    assert f"are in {folder}; repeat the command to continue" in complaint
    assert "Traceback" not in complaint
    assert len(lines(folder)) < GAMES
    play_match(["arena_bots:Slow", "random"], AZUL, GAMES, workers=0, folder=folder)
    assert [line["scores"] for line in lines(folder)] == [line["scores"] for line in lines(alone)]


# Without one --------------------------------------------------------------------------------------------


@needs_ray
def test_an_address_where_nobody_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["arena", "random", "random", "--games", "2", "--ray", "127.0.0.1:1"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    complaint = told.err.splitlines()[-1]  # a busy machine may tell of compiling first
    assert complaint.startswith("tilewright: no Ray cluster can be reached at 127.0.0.1:1 (")
    assert "'ray start --head' starts one" in told.err
    with pytest.raises(tw.BadOption, match="a host and a port, like"):
        play_match(["random"] * 2, AZUL, 2, ray="somewhere")


def test_without_ray_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(tw.TilewrightError, match=r"Ray is not installed .*; pip install 'tilewright\[cluster\]'"):
        play_match(["random"] * 2, AZUL, 2, ray="auto")


def test_wrong_places_are_told():
    with pytest.raises(tw.BadOption, match="is for Ray Client"):
        play_match(["random"] * 2, AZUL, 2, ray="ray://127.0.0.1:10001")
    with pytest.raises(tw.BadOption, match="0 workers play in this process"):
        play_match(["random"] * 2, AZUL, 2, ray="auto", workers=0)
    with pytest.raises(tw.BadOption, match="ray is 'auto', 'local' or the address"):
        play_match(["random"] * 2, AZUL, 2, ray=" ")


def test_another_version_is_refused():
    settings = {**settings_object(Match(AZUL, ("random", "random"))), "tilewright": "0.0.1"}
    heard = RemotePlayer().prepare(settings, False, os.getcwd(), [])
    assert isinstance(heard, WorkerDied)
    assert f"has tilewright {tw.__version__}, and the match is played by tilewright 0.0.1" in heard.reason
