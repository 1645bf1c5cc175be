"""Games on a Ray cluster: each worker is an actor, somewhere, that holds one CPU.

The match goes there as the text of its settings and comes back as results and records, so the machines of the cluster
need the package installed and nothing else, not even a shared disk.
"""

from __future__ import annotations

import importlib
import logging
import os
import re
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import tilewright
from tilewright.arena.play import Failure, PlayedGame
from tilewright.arena.player import Player
from tilewright.arena.schedule import Match
from tilewright.arena.settings import read_match, settings_object
from tilewright.arena.worker_pool import Ready, WorkerDied
from tilewright.game.errors import BadOption, TilewrightError
from tilewright.game.validation import echo

AUTO, LOCAL = "auto", "local"
_KNOCK = 5.0
"""Seconds that the cluster may take to accept a connection; Ray itself would try for minutes."""
_SMALL_STORE = 100 * 1024 * 1024
"""Bytes of shared memory for a Ray of our own. Games are small and never see it; Ray would take a third of all."""
_LONGEST_REASON = 200


class Cluster:
    """The backend on a Ray cluster. Of its CPUs every worker holds one."""

    def __init__(self, address: str, match: Match, recorded: bool, workers: int | None, most: int) -> None:
        self._ray, self._is_ours = _connect(address, workers)
        self._actor = self._ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(RemotePlayer)
        self._settings, self._recorded = settings_object(match), recorded
        cpus = int(self._ray.cluster_resources().get("CPU", 0))
        if workers is None and not cpus:
            self.close()
            raise BadOption("the Ray cluster has no CPUs yet; use --workers to ask it for some")
        self.capacity = min(cpus, most) if workers is None else workers

    def spawn(self) -> RemoteWorker:
        """Ask for an actor; it may have to wait for a free CPU."""
        return RemoteWorker(self._ray, self._actor.remote(), self._settings, self._recorded)

    def wait(self, workers: Sequence[RemoteWorker]) -> list[RemoteWorker]:
        """The first whose answer is there, or will never be."""
        by_answer = {worker.answer: worker for worker in workers}
        answered, _ = self._ray.wait(list(by_answer), num_returns=1)
        return [by_answer[answer] for answer in answered]

    def close(self) -> None:
        """Leave the cluster; one that was started for this match ends."""
        if self._is_ours:
            self._ray.shutdown()


class RemoteWorker:
    """An actor from here: the answer that it owes, and how to end it."""

    def __init__(self, ray: Any, actor: Any, settings: dict[str, Any], recorded: bool) -> None:
        self._ray, self._actor = ray, actor
        self.answer = actor.prepare.remote(settings, recorded, os.getcwd(), sys.path)

    def assign(self, number: int) -> None:
        """Send the number of a game."""
        self.answer = self._actor.play.remote(number)

    def receive(self) -> Ready | PlayedGame | Failure | WorkerDied:
        """The answer, or why there will be none: its process, its machine or the way there is lost."""
        try:
            message: Ready | PlayedGame | Failure | WorkerDied = self._ray.get(self.answer)
            return message
        except self._ray.exceptions.RayError as error:
            return WorkerDied(_reason(error))

    def stop(self) -> None:
        """End the actor's process, or its waiting for one."""
        with suppress(self._ray.exceptions.RayError, ConnectionError):  # the cluster is gone
            self._ray.kill(self._actor)


class RemotePlayer:
    """The actor: a player that is made on the machine where it plays, from the text of the match's settings."""

    def __init__(self) -> None:
        self._player: Player | None = None

    def prepare(
        self, settings: dict[str, Any], recorded: bool, folder: str, search_path: list[str]
    ) -> Ready | WorkerDied:
        """Load the game and the bots. Another version is refused: it could play other games from the same seeds.

        The current folder and the search path become those of the match, where they exist, so that its bots are found.
        """
        with suppress(OSError):
            os.chdir(folder)
        sys.path += [folder for folder in search_path if folder not in sys.path]
        here = socket.gethostname()
        if settings["tilewright"] != tilewright.__version__:
            installed, wanted = tilewright.__version__, settings["tilewright"]
            return WorkerDied(f"{here} has tilewright {installed}, and the match is played by tilewright {wanted}")
        try:
            self._player = Player(read_match(settings), recorded)
        except TilewrightError as error:
            return WorkerDied(f"on {here}: {error}")
        return Ready()

    def play(self, number: int) -> PlayedGame | Failure:
        """A game, or why it could not be played."""
        assert self._player is not None, "prepare comes first"
        return self._player.play(number)


def check_address(address: object) -> str:
    """Where to look for a cluster. Raises an error if the address makes no sense, or if Ray is not installed."""
    if not isinstance(address, str) or not address.strip():
        allowed = f"{AUTO!r}, {LOCAL!r} or the address of a cluster like '10.0.0.1:6379'"
        raise BadOption(f"ray is {allowed}, not {echo(address)}")
    if "://" in address:
        raise BadOption(
            f"{echo(address)} is for Ray Client, which the arena does not use; start the match on a machine of the "
            "cluster, or with 'ray job submit -- tilewright arena ...'"
        )
    address = address.strip()
    if address == LOCAL:
        _keep_to_this_machine()
    try:
        importlib.import_module("ray")
    except ImportError as error:
        raise TilewrightError(f"Ray is not installed ({error}); pip install 'tilewright[cluster]'") from None
    return address


def _keep_to_this_machine() -> None:
    """Our own Ray can be reached from this machine only, and sends no reports. Ray reads both when it is imported."""
    os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")


def _connect(address: str, workers: int | None) -> tuple[Any, bool]:
    """Ray, and whether we have to leave it: a program that is in a cluster already stays in it."""
    ray: Any = importlib.import_module("ray")
    if address not in (AUTO, LOCAL):
        _knock(address)
    if ray.is_initialized():
        _check_same(address, ray.get_runtime_context().gcs_address)
        return ray, False
    quiet = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address == LOCAL:
        ray.init(LOCAL, num_cpus=workers, include_dashboard=False, object_store_memory=_SMALL_STORE, **quiet)
        return ray, True
    if address == AUTO and (found := _address_found()):
        _knock(found)
    try:
        ray.init(address, **quiet)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise _unreachable(address, _reason(error)) from error
    return ray, True


def _address_found() -> str:
    """Where Ray will look by itself: what its variable says, or what 'ray start' has left on this machine."""
    left = Path(os.environ.get("RAY_TMPDIR", "/tmp"), "ray", "ray_current_cluster")
    return os.environ.get("RAY_ADDRESS") or (left.read_text(encoding="utf-8").strip() if left.exists() else "")


def _check_same(wanted: str, joined: str) -> None:
    if wanted not in (AUTO, joined):
        raise BadOption(f"this program is already in the Ray cluster at {joined}; use {AUTO!r} to play there")


def _knock(address: str) -> None:
    """Complain at once if nobody listens at an address."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal():
        raise BadOption(f"{echo(address)} is not the address of a Ray cluster: a host and a port, like 10.0.0.1:6379")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_KNOCK).close()
    except (OSError, OverflowError) as error:
        raise _unreachable(address, str(error)) from None


def _unreachable(address: str, reason: str) -> TilewrightError:
    where = "on this machine" if address == AUTO else f"at {address}"
    return TilewrightError(
        f"no Ray cluster can be reached {where} ({reason}); 'ray start --head' starts one, and --ray {LOCAL} plays "
        "on this machine only"
    )


def _reason(error: Exception) -> str:
    """The machine if Ray names it, and the last line of what Ray says, which says the most."""
    told = str(error).strip()
    machine = re.search(r"\bip[:=] ?([\d.]+)", told)
    line = told.rpartition("\n")[2][:_LONGEST_REASON]
    if line.startswith("ModuleNotFoundError"):
        line += f"; every machine of the cluster needs tilewright {tilewright.__version__} installed"
    return f"on {machine[1]}: {line}" if machine else line
