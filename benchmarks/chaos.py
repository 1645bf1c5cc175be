"""Whether anything is lost while everything is killed: ``python benchmarks/chaos.py --minutes 60``.

Four servers, three workers, PostgreSQL and Redis are killed (SIGKILL) or frozen (SIGSTOP) at random and come back,
while clients play whole games of every kind, each request through whichever server answers. At the end: no acknowledged
move may be lost or played twice, no client may have seen another history than the database has, every game must have
ended, and no clock may have run out or taken more than the time that went by. Exit code 1 if anything of that is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "server"))

from disasters import Fleet, Party, check, fleet

SERVICES = ("PostgreSQL", "Redis")


async def survive(running: Fleet, arguments: argparse.Namespace) -> tuple[Party, list[str]]:
    """Play and strike until the time is up; then everything comes back, and the games are played to their end.

    Returns also why players gave up, if any did.
    """
    party = Party.of(running, arguments.tables, arguments.pause, arguments.seed)
    until = time.monotonic() + arguments.minutes * 60
    playing = [
        asyncio.create_task(party.play(n, lambda: time.monotonic() < until, lambda: True))
        for n in range(arguments.tables)
    ]
    dice = random.Random(arguments.seed)
    striking = [
        asyncio.create_task(running.haunt(kind, victim, random.Random(dice.random()), pause, until, arguments.kills))
        for kind, victims in running.victims.items()
        for pause in [arguments.services_every if kind in SERVICES else arguments.every]
        for victim in victims
    ]
    await asyncio.gather(*striking)
    party.hurry()
    gave_up = [str(error) for error in await asyncio.gather(*playing, return_exceptions=True) if error is not None]
    await party.http.aclose()
    return party, gave_up


def main() -> int:
    """Run, check and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long things are killed (default 5)")
    parser.add_argument("--servers", type=int, default=4)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--tables", type=int, default=120, help="games at once; most have two clients (default 120)")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds a client thinks on average (default 1)")
    parser.add_argument(
        "--every",
        type=float,
        default=15.0,
        help="seconds between disasters of one process (default 15)",
    )
    parser.add_argument("--services-every", type=float, help="the same for PostgreSQL and Redis (default as --every)")
    parser.add_argument("--kills", type=float, default=0.5, help="share of disasters that kill (default 0.5)")
    parser.add_argument("--seed", type=int, default=1510)
    parser.add_argument("--logs", type=Path, help="an empty folder in which the logs stay")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    arguments.services_every = arguments.services_every or arguments.every
    os.environ["TILEWRIGHT_WARM_UP"] = "0"  # servers that live for half a minute need little of what there is to load
    begun, date = time.monotonic(), datetime.now(UTC).date().isoformat()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.logs or Path(temporary)
        folder.mkdir(exist_ok=True)
        with fleet(arguments.servers, arguments.workers, folder) as running:
            party, gave_up = asyncio.run(survive(running, arguments))
            for server in running.servers:
                server.stop()
            wrong = gave_up + check(running.url, party, finished=True)
        faults = sum(path.read_text(errors="replace").count("Traceback") for path in folder.glob("*.log"))
    tell(figures(running, party, wrong, faults, date, time.monotonic() - begun), arguments.json)
    return 1 if wrong else 0


def figures(running: Fleet, party: Party, wrong: list[str], faults: int, date: str, seconds: float) -> dict[str, Any]:
    """What happened."""
    return {
        "date": date,
        "minutes": round(seconds / 60, 1),
        "disasters": sum(running.lost.values()),
        **dict(sorted(running.lost.items())),
        "clients": sum(bool(client.games) for client in party.clients),
        "games": len({seen.table for _, seen in party.games()}),
        "acknowledged moves": party.acknowledged,
        "requests": sum(client.requests for client in party.clients),
        "requests sent again": sum(client.retries for client in party.clients),
        "tracebacks in logs": faults,
        "wrong": wrong,
    }


def tell(found: dict[str, Any], as_json: bool) -> None:
    """Print the figures."""
    if as_json:
        print(json.dumps(found, indent=2))
        return
    for name, value in found.items():
        print(f"{name:22} {value}")


if __name__ == "__main__":
    sys.exit(main())
