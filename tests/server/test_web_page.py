"""The program on ``docs/web.md`` runs as it stands there, and so do its calls with curl."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import httpx
from real_server import ThreadServer

from doc_pages import ROOT

PAGE = (ROOT / "docs" / "web.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8765"


def test_the_program_plays_a_game(server: ThreadServer):
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert ADDRESS in program
    done = subprocess.run(
        [sys.executable, "-c", program.replace(ADDRESS, server.url)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "win" in done.stdout


def test_the_calls_with_curl_work(server: ThreadServer):
    (block,) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    calls = [shlex.split(call) for call in re.findall(r"^curl .*?(?<!\\)$(?=\n\n|\n#|\Z)", block, re.M | re.S)]
    made = {"$ID": "", "$KEY": ""}
    answers = []
    for words in calls:
        url = next(word for word in words if word.startswith(ADDRESS)).replace(ADDRESS, server.url)
        headers = dict(words[n + 1].split(": ", 1) for n, word in enumerate(words) if word == "-H")
        body = words[words.index("-d") + 1] if "-d" in words else None
        for name, value in made.items():
            url, headers = url.replace(name, value), {key: text.replace(name, value) for key, text in headers.items()}
        answer = httpx.request(
            "POST" if body else "GET", url, headers=headers, content=body, trust_env=False, timeout=60
        )
        answers.append(answer)
        if answer.is_success and "key" in answer.json() and not made["$ID"]:
            made = {"$ID": answer.json()["id"], "$KEY": answer.json()["key"]}
    assert [answer.status_code for answer in answers[:3]] == [201, 200, 200]
    assert answers[3].json()["code"] == "stale_move"  # the game of the example has gone on to event 12
