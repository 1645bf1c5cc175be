"""Give processes a share of a core, with Linux's control groups: so two cores can stand for four slower ones.

It takes the right to make control groups, which root has.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PERIOD = 10_000
"""Microseconds within which a process gets its share: short, so that nothing waits long for its turn."""
VERSION_1, VERSION_2 = Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")


def limit(group: Path, quota: int, modern: bool) -> None:
    """Limit the processes of a control group to a number of microseconds in every period."""
    if modern:
        (group / "cpu.max").write_text(f"{quota} {PERIOD}", encoding="ascii")
    else:
        (group / "cpu.cfs_period_us").write_text(str(PERIOD), encoding="ascii")
        (group / "cpu.cfs_quota_us").write_text(str(quota), encoding="ascii")


@contextmanager
def share_of_a_core(pid: int, share: float) -> Iterator[None]:
    """While this lasts, a process with all its threads gets at most this share of a core's time."""
    modern = (VERSION_2 / "cgroup.controllers").exists()
    group = (VERSION_2 if modern else VERSION_1) / f"tilewright-{pid}"
    try:
        group.mkdir()
    except OSError as error:
        raise SystemExit(f"a share of a core needs the right to make {group}: {error.strerror}") from None
    try:
        limit(group, round(share * PERIOD), modern)
        (group / "cgroup.procs").write_text(str(pid), encoding="ascii")
        yield
    finally:
        with suppress(ProcessLookupError):  # it has ended meanwhile
            (group.parent / "cgroup.procs").write_text(str(pid), encoding="ascii")
        group.rmdir()
