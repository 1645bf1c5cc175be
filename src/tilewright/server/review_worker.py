"""The process that reviews games: ``python -m tilewright.server.review_worker``.

It reads one job a line, ``{"record": TEXT, "budget": TEXT or null}``, and answers each with lines of JSON: the review
while it is being made, and at last when it is complete, or ``{"error": MESSAGE}``. A process of its own has the lowest
priority of all, and shares neither the interpreter nor the memory of the tables.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from tilewright.game.errors import TilewrightError
from tilewright.game.record import read_record
from tilewright.insight.reviewing import review_live

NICENESS = int(os.environ.get("TILEWRIGHT_REVIEW_NICENESS", "19"))
"""The lowest priority by default; on a machine that is always busy, a review would never end."""
_PAUSE = 0.4
"""Seconds between two answers to the same job."""


def main() -> None:
    """Work until there is nobody left to answer."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for line in sys.stdin:
        job = json.loads(line)
        try:
            _review(job["record"], job["budget"])
        except TilewrightError as error:
            _answer({"error": str(error)})


def _review(text: str, budget: str | None) -> None:
    answered = 0.0
    for review in review_live(read_record(text), budget):
        if review.is_complete or time.monotonic() - answered > _PAUSE:
            _answer(review.to_dict())
            answered = time.monotonic()


def _answer(message: dict[str, Any]) -> None:
    try:
        print(json.dumps(message, separators=(",", ":")), flush=True)
    except BrokenPipeError:
        os._exit(0)  # the server has ended, and nobody waits for the review


if __name__ == "__main__":
    main()
