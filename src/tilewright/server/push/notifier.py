"""Sends what is to be sent, in the background of every process: no move ever waits for a push service."""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tilewright.game.errors import TilewrightError
from tilewright.server.days import DAY
from tilewright.server.errors import RequestError
from tilewright.server.push.keys import private_key
from tilewright.server.push.notices import Notice, claim, drop, due_notices, settle
from tilewright.server.push.sending import Answer, Message, Outcome, send
from tilewright.server.push.subscriptions import unsubscribe
from tilewright.server.room import Room
from tilewright.server.rooms import Rooms
from tilewright.server.store import Store
from tilewright.server.table import Table
from tilewright.view.language import say

logger = logging.getLogger("tilewright.server")

INTERVAL = 4.0
"""Seconds between two looks."""
DELAYS = (60.0, 300.0, 1800.0, 7200.0)
"""Seconds after which a notification that could not be sent is tried again; after the last one it is given up."""
LONGEST_DELAY = DAY
"""Even if the push service asks for more."""
THREADS = 4


class Notifier:
    """The notifications of one process."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="push")
        self._key = ""

    async def key(self) -> str:
        """The private key of the server, which all processes share."""
        if not self._key:
            self._key = await self._rooms.write(private_key)
        return self._key

    async def run(self) -> None:
        """Send whatever is due, again and again."""
        while True:
            await asyncio.sleep(INTERVAL)
            try:
                await self.deliver()
            except Exception:
                logger.exception("notifications could not be sent")

    async def deliver(self) -> None:
        """Send what is due now."""
        now = time.time()
        due = await self._rooms.read(lambda store: due_notices(store, now))
        taken = [notice for notice in due if await self._claim(notice, now)]
        await asyncio.gather(*(self._send(notice) for notice in taken))

    async def _claim(self, notice: Notice, now: float) -> bool:
        return await self._rooms.write(lambda store: claim(store, notice, now))

    async def _send(self, notice: Notice) -> None:
        """Send a notification, unless the person has moved or come, and see what becomes of it."""
        try:
            room = await self._rooms.get(notice.table_id)
            message = None if room is None else message_for(room, notice)
            if message is None:
                await self._rooms.write(lambda store: drop(store, notice))
                return
            private, key = self._rooms.settings.private_push, await self.key()
            sending = partial(send, notice.to, message, key, private=private)
            answer = await asyncio.get_running_loop().run_in_executor(self._threads, sending)
        except RequestError as error:  # its name leads into the network of the host now
            answer = Answer(Outcome.REFUSED, str(error))
        except TilewrightError as error:
            answer = Answer(Outcome.REFUSED, f"the table {notice.table_id} cannot be read: {error}")
        await self._rooms.write(partial(self._settle, notice, answer))

    def _settle(self, notice: Notice, answer: Answer, store: Store) -> None:
        if answer.outcome is Outcome.SENT:
            settle(store, notice, None)
        elif answer.outcome is Outcome.GONE:
            unsubscribe(store, notice.to.endpoint)
        elif answer.outcome is Outcome.LATER and notice.attempts < len(DELAYS):
            delay = max(DELAYS[notice.attempts], min(answer.retry_after, LONGEST_DELAY))
            settle(store, notice, time.time() + delay)
        else:
            logger.warning("a notification was given up: %s", answer.why)
            drop(store, notice)

    def close(self) -> None:
        """End; what is being sent may still arrive."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def message_for(room: Room, notice: Notice) -> Message | None:
    """What to tell somebody whose turn it is at a table; None if it no longer is, or they are there."""
    table, turn = room.table, room.table.position.turn
    if turn is None or turn not in table.people or table.stored.seats[turn].key_hash != notice.to.key_hash:
        return None
    if turn in room.present():
        return None
    language = notice.to.language
    left = room.clock.left(turn, turn) if room.clock and table.stored.days else DAY
    content = {
        "title": say(language, "push.title", game=table.game.title),
        "body": _opponents(table, turn, language),
        "url": f"/t/{table.id}",
        "tag": table.id,
    }
    return Message(content, topic=table.id, lasts=max(60, int(left)))


def _opponents(table: Table, turn: int, language: str) -> str:
    names = [name for seat, name in enumerate(table.names(language)) if seat != turn]
    days = table.stored.days
    if days is None:
        return say(language, "push.body", names=", ".join(names))
    return say(language, "push.body_days", names=", ".join(names), n=days)
