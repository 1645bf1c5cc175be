"""The reviews of a server: which games there are to review, and those that are being made in the background.

A review is stored when it is complete, and every few seconds before. One that was interrupted, by a restart for
instance, goes on from there when somebody asks for it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from dataclasses import dataclass, replace
from typing import Any

from tilewright.game.errors import BadRecord, RecordFault
from tilewright.game.record import Record, read_record
from tilewright.insight.review import VERSION
from tilewright.server.end_task import end_task
from tilewright.server.errors import Forbidden, NotFound
from tilewright.server.fair_slots import FairSlots, Owner
from tilewright.server.names import renamed
from tilewright.server.reviewer import Reviewer
from tilewright.server.rooms import Rooms
from tilewright.server.table import Table
from tilewright.view import narrator
from tilewright.view.language import DEFAULT

logger = logging.getLogger("tilewright.server")

_ID_LENGTH = 20
"""Hexadecimal digits, as many as those of a table."""
_STORED_EVERY = 3.0
"""Seconds of work on a review that a restart may cost."""


@dataclass(frozen=True)
class ReviewedGame:
    """A game that can be reviewed: one that was played here, or a record that somebody uploaded."""

    id: str
    record: Record
    table: Table | None
    review: dict[str, Any] | None = None
    """The complete review, as far as there is one."""
    begun: dict[str, Any] | None = None
    """What was stored of a review that is not complete."""
    underway: dict[str, Any] | None = None
    """What is known of a review that was begun at another server."""

    def names(self, language: str) -> list[str]:
        """The names by seat, in a viewer's language."""
        if self.table is not None:
            return self.table.names(language)
        return narrator.player_names(self.record.game, self.record.names, language)


class Reviews:
    """All reviews, those in progress and those in the store."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._reviewer = _reviewer_of(rooms)
        self._slots = FairSlots(self._reviewer.at_once, "reviews")
        self._jobs: dict[str, asyncio.Task[None]] = {}
        self._latest: dict[str, dict[str, Any]] = {}
        """What is known so far of the reviews in progress."""

    async def upload(self, text: str) -> ReviewedGame:
        """Keep a record for review. The same record is kept once, whoever uploads it."""
        record = await asyncio.to_thread(_checked, text)
        whole = record.to_text()
        game = ReviewedGame(hashlib.sha256(whole.encode()).hexdigest()[:_ID_LENGTH], record, None)
        if await self._rooms.read(lambda store: store.review(game.id)) is None:
            await self._rooms.write(lambda store: store.save_review(game.id, json.dumps({"record": whole})))
        return game

    async def game(self, review_id: str) -> ReviewedGame:
        """The game with the id of a table that was played to the end, or of a record that was uploaded."""
        content = await self._rooms.read(lambda store: store.review(review_id))
        stored = None if content is None else json.loads(content)
        review = stored if stored and stored.get("version") == VERSION else None
        found = {"begun" if review and review["progress"] < 1 else "review": review}
        room = await self._rooms.get(review_id)
        if room is not None:
            if not room.table.position.is_over:
                raise Forbidden("game_goes_on")
            record = await asyncio.to_thread(room.table.record, DEFAULT)
            return await self._looked_up(ReviewedGame(review_id, record, room.table, **found))
        if stored is None:
            raise NotFound("no_review")
        record = await asyncio.to_thread(read_record, stored["record"])
        return await self._looked_up(ReviewedGame(review_id, record, None, **found))

    async def _looked_up(self, game: ReviewedGame) -> ReviewedGame:
        """The game with what workers know of its review, if another server asked for it; if complete, it is stored."""
        if game.review is not None or game.id in self._jobs:
            return game
        found = await self._reviewer.underway(game.record.to_text(), self._rooms.settings.review_budget)
        if found is None or found["progress"] < 1:
            return replace(game, underway=found)
        await self._store(game, found)
        return replace(game, review=found)

    async def _store(self, game: ReviewedGame, review: dict[str, Any]) -> None:
        """Keep what is known, unless the game was deleted meanwhile, and without the names of those who were."""
        if game.table is not None:
            room = await self._rooms.get(game.id)
            if room is None:
                return
            review = {**review, "record": renamed(review["record"], room.table.names(DEFAULT))}
        content = json.dumps(review, separators=(",", ":"))
        await self._rooms.write(lambda store: store.save_review(game.id, content))

    def latest(self, game: ReviewedGame) -> dict[str, Any] | None:
        """What is known of a review: all of it if it is complete, something while it is being made."""
        elsewhere = game.underway if game.underway and "record" in game.underway else None
        return game.review or self._latest.get(game.id) or elsewhere

    def progress(self, game: ReviewedGame) -> float | None:
        """How far the review is, from 0 to 1; None if it is not being made."""
        if (latest := self.latest(game)) is not None:
            return float(latest["progress"])
        return 0.0 if game.id in self._jobs or game.underway else None

    def is_needed(self, game: ReviewedGame) -> bool:
        """Whether the review is neither complete nor being made."""
        return game.review is None and game.id not in self._jobs

    def begin(self, game: ReviewedGame, owner: Owner) -> None:
        """Review a game in the background, on behalf of somebody."""
        if self.is_needed(game):
            if game.begun is not None:
                self._latest[game.id] = game.begun
            self._jobs[game.id] = asyncio.create_task(self._make(game, owner))
            self._jobs[game.id].add_done_callback(lambda _: self._forget(game.id))

    async def _make(self, game: ReviewedGame, owner: Owner) -> None:
        async with self._slots.slot([owner]):
            try:
                await self._follow(game)
            except Exception:
                logger.exception("a game could not be reviewed")

    async def _follow(self, game: ReviewedGame) -> None:
        """Show and store what becomes known of a review."""
        stored, budget = time.monotonic(), self._rooms.settings.review_budget
        async for found in self._reviewer.review(game.record.to_text(), budget, game.begun):
            self._latest[game.id] = found
            if found["progress"] >= 1 or time.monotonic() - stored > _STORED_EVERY:
                await self._store(game, found)
                stored = time.monotonic()

    def _forget(self, review_id: str) -> None:
        self._jobs.pop(review_id, None)
        self._latest.pop(review_id, None)

    async def close(self) -> None:
        """End the review in progress; on request it goes on from what was stored."""
        await asyncio.gather(*(end_task(job) for job in self._jobs.values()))
        await self._reviewer.close()


def _reviewer_of(rooms: Rooms) -> Reviewer:
    if rooms.settings.redis is None:
        return Reviewer()
    from tilewright.server.review_queue import QueuedReviewer

    return QueuedReviewer(rooms.settings.redis)


def _checked(text: str) -> Record:
    """A record that may be reviewed; one of a game that is still being played on a server may not."""
    record = read_record(text)
    if not record.events:
        raise BadRecord("this record has no events to review", 1, RecordFault.EMPTY)
    check_over(record)
    return record


def check_over(record: Record) -> None:
    """Refuse the record of a game that is still being played on a server: its secret has not been published."""
    if record.secret_hash is not None and record.secret is None:
        raise Forbidden("game_goes_on")
