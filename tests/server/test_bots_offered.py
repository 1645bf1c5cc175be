"""Who plays on the web names one of our bots, nothing else: a program or a class would be run on the host's machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from people import Person

from tilewright.bots.registry import OFFERED


@pytest.mark.parametrize(
    "bot",
    [
        "run:touch {made}",
        " run:touch {made}",
        "RUN:touch {made}",
        "run:",
        "os:system",
        "tilewright.bots.random:RandomBot",
        "search:1000s",
        "subprocess:Popen:touch {made}",
        "random\n run:touch {made}",
    ],
)
def test_nobody_on_the_web_runs_programs(bot: str, me: Person, tmp_path: Path):
    named = bot.replace("{made}", str(tmp_path / "made"))[:50]
    seats = [{"kind": "bot", "bot": named}, {"kind": "me"}]
    answer = me.post("/api/tables", {"game": "azul", "seats": seats})
    assert answer.status_code in (400, 422), answer.text
    assert "unknown bot" in answer.json()["error"]
    assert list(tmp_path.iterdir()) == []


def test_only_our_own_bots_are_offered(me: Person):
    for game in me.get("/api/games").json():
        assert game["bots"] == list(OFFERED)
    assert all(name == "random" or name.startswith("level") for name in OFFERED)
