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
from tilewright.server.consent import REPLACE, TAKEBACK
from tilewright.server.limits import Limits
from tilewright.server.refusals import BadMessage, Missing, Refusal, TooMany, describe, described
from tilewright.server.room import Room
from tilewright.server.rooms import Rooms
from tilewright.server.viewer import Viewer
from tilewright.server.web import key_of, language_of, may_connect
from tilewright.view.animation import landing
from tilewright.view.narrator import preview

router = APIRouter()
logger = logging.getLogger("tilewright.server")

POLICY_VIOLATION, GOING_AWAY, TRY_AGAIN_LATER = 1008, 1001, 1013
LARGEST_MESSAGE = 4096
FAREWELL = 5.0
"""Seconds to say goodbye to somebody who does not read."""


@router.websocket("/api/tables/{table_id}/live")
async def live(socket: WebSocket, table_id: str) -> None:
    """Follow a table, and play if your key holds a seat."""
    if not may_connect(socket):
        await socket.close(POLICY_VIOLATION, "pages of another site cannot connect")
        return
    language = language_of(socket)
    await socket.accept()
    try:
        room = await _room_for(socket, table_id)
    except Refusal as error:
        await socket.send_text(_error(error, language))
        await socket.close(TRY_AGAIN_LATER if isinstance(error, TooMany) else POLICY_VIOLATION)
        return
    viewer = Viewer(key_of(socket), language)
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


async def _room_for(socket: WebSocket, table_id: str) -> Room:
    limits: Limits = socket.app.state.limits
    rooms: Rooms = socket.app.state.rooms
    limits.check("sockets", socket)
    room = await rooms.get(table_id) if len(table_id) == 20 else None
    if room is None:
        raise Missing("no_table")
    return room


async def _send(socket: WebSocket, viewer: Viewer) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        while True:
            await socket.send_text(await viewer.queue.get())


async def _listen(socket: WebSocket, room: Room, viewer: Viewer) -> None:
    bucket = socket.app.state.limits.for_messages()
    while (received := await socket.receive())["type"] == "websocket.receive":
        if not bucket.take():
            viewer.tell(_error(TooMany("too_many_messages"), viewer.language))
            await asyncio.sleep(0.5)
            continue
        try:
            message = _parse(received.get("text") or "")
            await asyncio.shield(_obey(room, viewer, message))  # done to its end, even if the line is lost
        except TilewrightError as error:
            viewer.tell(_error(error, viewer.language))
        except Exception:
            logger.exception("a message could not be obeyed")
            viewer.tell(json.dumps({"type": "error", **described("our_fault", viewer.language)}))


def _error(error: TilewrightError, language: str) -> str:
    return json.dumps({"type": "error", **describe(error, language)})


def _parse(text: str) -> dict[str, Any]:
    if len(text) > LARGEST_MESSAGE:
        raise BadMessage(f"a message has at most {LARGEST_MESSAGE} characters")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise BadMessage("a message is a JSON object") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise BadMessage("a message is a JSON object with a type")
    return message


def _number(message: dict[str, Any], name: str) -> int:
    value = message.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadMessage(f"{name} should be a whole number")
    return value


async def _obey(room: Room, viewer: Viewer, message: dict[str, Any]) -> None:
    seats = room.table.seats_of(viewer.key)
    kind = message["type"]
    if kind == "move":
        move = message.get("move")
        if isinstance(move, bool) or not isinstance(move, int | str):
            raise BadMessage("move should be a number or a text")
        await room.play(viewer.key, move, _number(message, "after"))
    elif kind == "preview":
        if message.get("after") in (None, room.table.event):  # else the table has moved on: nobody needs it any more
            _preview(room, viewer, _number(message, "move"))
    elif kind == "takeback":
        await room.consent.ask(TAKEBACK, seats)
    elif kind == "replace":
        seat = _number(message, "seat")
        if not 1 <= seat <= room.table.game.players:
            raise Refusal("no_seat")
        await room.consent.ask(REPLACE, seats, seat - 1)
    elif kind == "answer":
        await room.consent.answer(str(message.get("kind")), seats, message.get("yes") is True)
    elif kind == "return":
        await room.come_back(viewer.key)
    elif kind == "ping":
        viewer.tell('{"type":"pong"}')
    else:
        raise BadMessage("nobody knows messages of that type")


def _preview(room: Room, viewer: Viewer, number: int) -> None:
    move = room.table.game.move(number)
    if move not in room.table.position.legal_moves:
        raise Refusal("illegal_move")
    lines = preview(room.table.position, move, viewer.language)
    tiles = landing(room.table.position, move)
    viewer.tell(json.dumps({"type": "preview", "move": number, "lines": lines, "tiles": tiles}))
