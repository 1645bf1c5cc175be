"""Training runs in a few tar files of limited size, for machines from which only such files come back."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Sequence
from pathlib import Path

from tilewright.learn.log import LOG
from tilewright.learn.run import CHECKPOINT, WEIGHTS

LARGEST = 15 * 2**20
"""Bytes of one bundle."""


def write_bundles(runs: Sequence[Path], folder: Path) -> list[Path]:
    """Write the checkpoints, weights and logs of runs; each run lies in one bundle as a whole."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(folder / f"runs-{n}.tar", content) for n, content in enumerate(_divide(runs), start=1)]


def _files(run: Path) -> list[Path]:
    return [path for name in (CHECKPOINT, WEIGHTS, LOG) if (path := run / name).exists()]


def _divide(runs: Sequence[Path]) -> list[list[Path]]:
    """Runs in as many groups as their sizes need, in their order."""
    groups: list[list[Path]] = []
    room = 0
    for run in runs:
        size = sum(path.stat().st_size for path in _files(run))
        if size > room:
            groups.append([])
            room = LARGEST
        groups[-1].append(run)
        room -= size
    return groups


def _write(path: Path, runs: Sequence[Path]) -> Path:
    """One bundle; a session that is killed meanwhile leaves the bundle before it intact."""
    unfinished = path.with_suffix(".unfinished")
    with tarfile.open(unfinished, "w") as bundle:
        for run in runs:
            for file in _files(run):
                bundle.add(file, f"{run.name}/{file.name}")
    os.replace(unfinished, path)
    return path
