"""The process that reviews games: ``python -m tilewright.server.review_worker``.

It reads one job a line, ``{"record": TEXT, "budget": TEXT or null, "begun": REVIEW or null}``, and answers each with
lines of JSON: the review while it is being made, and at last when it is complete, or ``{"error": MESSAGE}``. A review
that was begun before goes on where it was interrupted. A process of its own has the lowest priority of all, and shares
neither the interpreter nor the memory of the tables.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

from tilewright.game.errors import TilewrightError
from tilewright.game.record import read_record
from tilewright.insight.review import VERSION, Review
from tilewright.insight.reviewing import default_budget, resume_live, review_live
from tilewright.search.budget import read_budget

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
            _review(job["record"], job["budget"], job["begun"])
        except TilewrightError as error:
            _answer({"error": str(error)})


def _review(text: str, budget: str | None, begun: dict[str, Any] | None) -> None:
    answered = 0.0
    for review in _begun_or_resumed(text, budget, begun):
        if review.is_complete or time.monotonic() - answered > _PAUSE:
            _answer(review.to_dict())
            answered = time.monotonic()


def _begun_or_resumed(text: str, budget: str | None, begun: dict[str, Any] | None) -> Iterator[Review]:
    """What was begun by another version, with another budget or under other names, is made again."""
    record = read_record(text)
    given = default_budget(record) if budget is None else read_budget(budget)
    if begun is None or (begun["version"], begun["budget"], begun["record"]) != (VERSION, str(given), text):
        return review_live(record, given)
    return resume_live(Review.from_dict(begun))


def _answer(message: dict[str, Any]) -> None:
    try:
        print(json.dumps(message, separators=(",", ":")), flush=True)
    except BrokenPipeError:
        os._exit(0)  # the server has ended, and nobody waits for the review


if __name__ == "__main__":
    main()
