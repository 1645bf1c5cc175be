"""What the first player waits for after an installation: a server that has everything still to compile.

    python benchmarks/first_table.py                     # level 3, with empty caches
    python benchmarks/first_table.py --bot level6 --game summer-pavilion
    python benchmarks/first_table.py --warm              # with the machine code of a wheel or of earlier runs

Times count from the start of the server's process. Until everything is compiled, compiling takes all the processor time
that nobody else wants, at a lower priority.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from first_minute import caches

PORT = 8911
ANSWERS = 5
PAUSE = 0.05


@contextmanager
def server(environment: dict[str, str]) -> Iterator[None]:
    """A server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tilewright.server.run", "--port", str(PORT)]
        command += ["--database", str(Path(folder) / "tables.db")]
        with subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL) as process:
            try:
                yield
            finally:
                process.terminate()


def call(path: str, body: dict[str, Any] | None = None, key: str = "") -> Any:
    """The JSON that the server answers."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    with urlopen(Request(f"http://127.0.0.1:{PORT}{path}", data, headers), timeout=300) as answer:
        return json.load(answer)


def wait_for(path: str) -> None:
    """Ask until the server says yes."""
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{PORT}{path}", timeout=300):
                return
        except (HTTPError, URLError, ConnectionError):
            time.sleep(PAUSE)


def measure(game: str, bot: str) -> None:
    """A line for each thing that the first player waits for."""
    begun = time.perf_counter()

    def note(what: str, since: float) -> float:
        now = time.perf_counter()
        print(f"{what:<40}{now - begun:>8.2f} s{now - since:>12.2f} s", flush=True)
        return now

    print(f"{game + ' against ' + bot:<40}{'since start':>10}{'this step':>14}   load {os.getloadavg()[0]:.1f}")
    wait_for("/")
    moment = note("the page answers", begun)
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "bot", "bot": bot}]
    made = call("/api/tables", {"game": game, "seats": seats})
    moment = note("a table is open", moment)
    table = call(f"/api/tables/{made['id']}", key=made["key"])
    for number in range(1, ANSWERS + 1):
        play = {"move": table["legal"][0]["number"], "after": table["event"]}
        moment = time.perf_counter()
        call(f"/api/tables/{made['id']}/moves", play, made["key"])
        while table["turn"] != 1 or table["event"] <= play["after"]:
            table = call(f"/api/tables/{made['id']}?after={table['event']}&wait=25", key=made["key"])
        note(f"answer {number}", moment)
    moment = time.perf_counter()
    wait_for("/readyz")
    note("everything is compiled", moment)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description="What the first player waits for after an installation.")
    parser.add_argument("--game", default="azul")
    parser.add_argument("--bot", default="level3")
    parser.add_argument("--warm", action="store_true", help="with the caches as they are")
    arguments = parser.parse_args()
    with caches(cold=not arguments.warm) as environment, server(environment):
        measure(arguments.game, arguments.bot)


if __name__ == "__main__":
    main()
