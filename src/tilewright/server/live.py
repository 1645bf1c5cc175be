"""The live stream of a table over a WebSocket: events as they happen, moves and questions from players."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Coroutine
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from tilewright.game.errors import TilewrightError
from tilewright.server.rooms import Room, Rooms, Viewer
from tilewright.server.web import Bucket, key_of, language_of, may_connect
from tilewright.view.picture.compose import picture_of

router = APIRouter()
logger = logging.getLogger("tilewright.server")

POLICY_VIOLATION, TOO_BIG, GOING_AWAY = 1008, 1009, 1001
LARGEST_MESSAGE = 4096
FAREWELL = 5.0
"""Seconds to say goodbye to somebody who does not read."""


@router.websocket("/api/tables/{table_id}/live")
async def live(socket: WebSocket, table_id: str, after: int = 0) -> None:
    """Follow a table, and play if your key holds a seat."""
    rooms: Rooms = socket.app.state.rooms
    if not may_connect(socket):
        await socket.close(POLICY_VIOLATION, "pages of another site cannot connect")
        return
    room = await rooms.get(table_id) if len(table_id) == 20 else None
    await socket.accept()
    if room is None:
        await socket.send_text(json.dumps({"type": "error", "error": "there is no such table"}))
        await socket.close(POLICY_VIOLATION)
        return
    viewer = Viewer(key_of(socket), language_of(socket))
    seats = room.table.seats_of(viewer.key)
    guided = room.table.stored.guided  # the coach may have thought of a move since the page was fetched
    if after != room.table.event or room.asks or room.thinking is not None or guided:
        viewer.tell(json.dumps({"type": "state", "state": room.state(viewer.language, seats)}))
    room.enter(viewer)
    works: tuple[Coroutine[Any, Any, Any], ...] = (
        _send(socket, viewer),
        _listen(socket, room, viewer),
        viewer.gone.wait(),
    )
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        room.leave(viewer)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if viewer.gone.is_set():
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
            await asyncio.wait_for(socket.close(GOING_AWAY), FAREWELL)


async def _send(socket: WebSocket, viewer: Viewer) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        while True:
            await socket.send_text(await viewer.queue.get())


async def _listen(socket: WebSocket, room: Room, viewer: Viewer) -> None:
    bucket = Bucket(burst=60, rate=15)
    while (received := await socket.receive())["type"] == "websocket.receive":
        if not bucket.take():
            viewer.tell(_error("too many messages; wait a moment"))
            await asyncio.sleep(0.5)
            continue
        try:
            message = _parse(received.get("text") or "")
            await asyncio.shield(_obey(room, viewer, message))  # done to its end, even if the line is lost
        except TilewrightError as error:
            viewer.tell(_error(str(error)))
        except Exception:
            logger.exception("a message could not be obeyed")
            viewer.tell(_error("something went wrong here; try again"))


def _error(sentence: str) -> str:
    return json.dumps({"type": "error", "error": sentence})


def _parse(text: str) -> dict[str, Any]:
    if len(text) > LARGEST_MESSAGE:
        raise TilewrightError(f"a message has at most {LARGEST_MESSAGE} characters")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise TilewrightError("a message is a JSON object") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise TilewrightError("a message is a JSON object with a type")
    return message


def _number(message: dict[str, Any], name: str) -> int:
    value = message.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise TilewrightError(f"{name} should be a whole number")
    return value


async def _obey(room: Room, viewer: Viewer, message: dict[str, Any]) -> None:
    seats = room.table.seats_of(viewer.key)
    kind = message["type"]
    if kind == "move":
        move = message.get("move")
        if isinstance(move, bool) or not isinstance(move, int | str):
            raise TilewrightError("move should be a number or a text")
        await room.play(seats, move, _number(message, "after"))
    elif kind == "preview":
        if message.get("after") in (None, room.table.event):  # else the table has moved on: nobody needs it any more
            _preview(room, viewer, _number(message, "move"))
    elif kind == "takeback":
        await room.ask("takeback", seats)
    elif kind == "replace":
        seat = _number(message, "seat")
        if not 1 <= seat <= room.table.game.players:
            raise TilewrightError("there is no such seat")
        await room.ask("replace", seats, seat - 1)
    elif kind == "answer":
        await room.answer(str(message.get("kind")), seats, message.get("yes") is True)
    elif kind == "ping":
        viewer.tell('{"type":"pong"}')
    else:
        raise TilewrightError("nobody knows messages of that type")


def _preview(room: Room, viewer: Viewer, number: int) -> None:
    move = room.table.game.move(number)
    if move not in room.table.position.legal_moves:
        raise TilewrightError("that move is not legal here")
    lines = picture_of(room.table.game).preview(room.table.position, move, viewer.language)
    viewer.tell(json.dumps({"type": "preview", "move": number, "lines": lines}))
