"""How the server processes on one database tell each other what has happened.

A message is a hint: it may be lost, and the database says what is true.
"""

from __future__ import annotations

import json
import logging
import secrets
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from queue import SimpleQueue
from typing import Any, ClassVar, NamedTuple

logger = logging.getLogger("tilewright.server")

LARGEST = 7_500
"""Bytes of a batch of messages: PostgreSQL carries just under 8,000."""
RETRY_AFTER = 1.0
"""Seconds until a lost connection is made again."""
PACE = 0.005
"""Seconds between two batches: a message that follows another one so soon shares the next batch with those after it."""

CHANGED, PRESENT, SEEN, ASK, WHO, SAID, WROTE = "changed", "present", "seen", "ask", "who", "said", "wrote"
"""What messages say: a table has new events or seats; whose keys are connected; who sent a request; what a player
proposes to the others; that a process has opened the table and wants to know all of that; which phrase a player has
said; and that a player has written something."""
SPENT, SOCKETS, OPENED, OPENERS = "spent", "sockets", "opened", "openers"
"""About no table in particular: what visitors have used of their budgets; how many live connections addresses have;
the address that a table was opened from; and that a new process wants to know those addresses."""


class Message(NamedTuple):
    """Something that happened at a table."""

    table: str
    kind: str
    content: Any = None
    sender: str = ""
    """The process that sent it."""


Hear = Callable[[list[Message]], object]


class Channel:
    """The channel of a process that serves alone: nobody hears anything."""

    reaches_others: ClassVar[bool] = False
    """Whether anything that is published can be heard."""

    def listen(self, hear: Hear, missed: Callable[[], object]) -> None:
        """Begin: ``hear`` gets the messages of other processes, and ``missed`` is called whenever some may be lost.

        Both are called in other threads.
        """

    def publish(self, table: str, kind: str, content: Any = None) -> None:
        """Tell all other processes, soon; nobody waits for that."""

    def check(self) -> None:
        """Raise an error if there is no way to other processes; a process that serves alone needs none."""

    def close(self) -> None:
        """Send what is left, and end."""


class ThreadedChannel(Channel, ABC):
    """Sends and receives in threads of its own, and connects again whenever a connection is lost."""

    reaches_others = True

    def __init__(self) -> None:
        self._beginning = f'{{"from":"{secrets.token_hex(4)}","messages":'
        self._outbox: SimpleQueue[Message | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._closed = threading.Event()

    def listen(self, hear: Hear, missed: Callable[[], object]) -> None:
        """Begin to send and to receive."""
        for work in (lambda: self._receive_forever(hear, missed), self._send_forever):
            self._threads.append(threading.Thread(target=work, name="channel", daemon=True))
            self._threads[-1].start()

    def publish(self, table: str, kind: str, content: Any = None) -> None:
        """Tell all other processes, soon; nobody waits for that."""
        self._outbox.put(Message(table, kind, content))

    def close(self) -> None:
        """Send what is left, and end."""
        self._closed.set()
        self._outbox.put(None)
        for thread in self._threads:
            thread.join(timeout=RETRY_AFTER * 2)

    @property
    def is_closed(self) -> bool:
        """Whether the threads should end."""
        return self._closed.is_set()

    @abstractmethod
    def _sender(self) -> AbstractContextManager[Callable[[str], object]]:
        """Connect; a function that sends a text to all processes."""

    @abstractmethod
    def _received(self) -> Iterator[str | None]:
        """Connect, give None, and then every text that is received; ends when the channel is closed."""

    def _receive_forever(self, hear: Hear, missed: Callable[[], object]) -> None:
        while not self.is_closed:
            try:
                for text in self._received():
                    if text is None:
                        missed()
                    else:
                        self._deliver(text, hear)
            except Exception as error:
                self._note_failure(error)

    def _deliver(self, text: str, hear: Hear) -> None:
        if text.startswith(self._beginning):  # everybody hears themselves, too
            return
        batch = json.loads(text)
        hear([Message(table, kind, content, batch["from"]) for table, kind, content in batch["messages"]])

    def _send_forever(self) -> None:
        while not self.is_closed:
            try:
                with self._sender() as send:
                    while messages := self._waiting():
                        for text in self._batched(messages):
                            send(text)
                        self._closed.wait(PACE)
            except Exception as error:
                self._note_failure(error)

    def _waiting(self) -> list[Message]:
        """Wait for a message; with all others that are waiting. Nothing if the channel is closed."""
        found = [self._outbox.get()]
        while not self._outbox.empty():
            found.append(self._outbox.get())
        messages = [message for message in found if message is not None]
        if messages and None in found:
            self._outbox.put(None)
        return messages

    def _batched(self, messages: list[Message]) -> Iterator[str]:
        """The messages in few texts, none of them too long."""
        batch: list[str] = []
        length = 0
        for message in messages:
            text = json.dumps([message.table, message.kind, message.content], separators=(",", ":"))
            if batch and length + len(text) > LARGEST:
                yield self._text(batch)
                batch, length = [], 0
            batch.append(text)
            length += len(text) + 1
        yield self._text(batch)

    def _text(self, batch: list[str]) -> str:
        return f"{self._beginning}[{','.join(batch)}]}}"

    def _in_words(self, error: Exception) -> str:
        """What has failed, for the log."""
        return str(error)

    def _note_failure(self, error: Exception) -> None:
        if not self.is_closed:
            logger.warning("the channel between the server processes failed; reopening it: %s", self._in_words(error))
            self._closed.wait(RETRY_AFTER)
