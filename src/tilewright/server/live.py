"""The live stream of a table over a WebSocket: events as they happen, moves and requests from players."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Coroutine
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.routing import WebSocketRoute

from tilewright.game.errors import GameFault, TilewrightError
from tilewright.server.audience import owner_of
from tilewright.server.chat import PHRASES
from tilewright.server.connections import write_at_once
from tilewright.server.consent import HINTS, REPLACE, TAKEBACK
from tilewright.server.errors import (
    BadMessage,
    NotFound,
    RequestError,
    TooManyRequests,
    as_sentence,
    error_body,
    error_body_of_code,
)
from tilewright.server.limits import MESSAGES_AT_ONCE, Limits, address_of
from tilewright.server.move_preview import move_preview
from tilewright.server.room import Room
from tilewright.server.rooms import Rooms
from tilewright.server.telemetry.logs import REQUEST_ID, request_id
from tilewright.server.telemetry.metrics import SOCKETS
from tilewright.server.viewer import Viewer
from tilewright.server.web import key_of, language_of, may_connect
from tilewright.view.narrator import why_illegal

logger = logging.getLogger("tilewright.server")

POLICY_VIOLATION, GOING_AWAY, TRY_AGAIN_LATER = 1008, 1001, 1013
LARGEST_MESSAGE = 4096
LONGEST_REASON = 123
"""Bytes: what the protocol leaves for the reason in a closing message."""
PAUSE = 0.5
"""Seconds for which nothing more is read from a client that sends too much."""
CLOSE_TIMEOUT = 5.0
"""Seconds to wait for the closing handshake of a client that does not read."""


async def live(socket: WebSocket) -> None:
    """Follow a table, and play if your key holds a seat."""
    if not may_connect(socket):
        await socket.close(POLICY_VIOLATION, "pages of other sites cannot connect")
        return
    limits: Limits = socket.app.state.limits
    REQUEST_ID.set(request_id(socket.headers.get("x-request-id")))
    await socket.accept()
    try:
        limits.charge("sockets", socket)
        with limits.socket(socket), SOCKETS.track_inprogress():
            async with limits.turn(address_of(socket)):
                room = await _room_for(socket)
                viewer = _viewer_of(socket)
                limits.check_audience(viewer, room.table, room.presence)
                room.enter(viewer)
            await _follow(socket, room, viewer)
    except TilewrightError as error:
        await refuse(socket, error)


async def refuse(socket: WebSocket, error: TilewrightError) -> None:
    """Say why, in a message and as the reason for closing, which the page shows while it waits to try again."""
    _log_fault(error)
    language = language_of(socket)
    code = TRY_AGAIN_LATER if isinstance(error, TooManyRequests) else POLICY_VIOLATION
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.send_text(error_message(error, language))
        await socket.close(code, _shortened(error_body(error, language)["said"]))


def _log_fault(error: TilewrightError) -> None:
    """A fault in a game is for its author to fix; players can only see that there is one."""
    if isinstance(error, GameFault):
        logger.error("%s", error, exc_info=error)


def _shortened(reason: str) -> str:
    """As much of a reason as a closing message can hold."""
    return reason.encode()[:LONGEST_REASON].decode(errors="ignore")


async def _follow(socket: WebSocket, room: Room, viewer: Viewer) -> None:
    """Send and receive until either side ends the connection."""
    works: tuple[Coroutine[Any, Any, Any], ...] = (
        _listen(socket, room, viewer),
        _send(socket, viewer),
        viewer.closed.wait(),
    )
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        await socket.app.state.limits.departure()
    finally:
        room.leave(viewer)
        async with viewer.handling:  # what has come from the client is still done
            for task in tasks:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if viewer.closed.is_set():
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
            await asyncio.wait_for(socket.close(GOING_AWAY), CLOSE_TIMEOUT)


def _viewer_of(socket: WebSocket) -> Viewer:
    owner, write = owner_of(socket), write_at_once(socket.scope)
    return Viewer(key_of(socket), language_of(socket), owner, _last_seen(socket), write)


def _last_seen(socket: WebSocket) -> int | None:
    """The last event that the client has seen, if it says so."""
    after = socket.query_params.get("after", "")
    return int(after) if after.isascii() and after.isdigit() and len(after) < 10 else None


async def _room_for(socket: WebSocket) -> Room:
    rooms: Rooms = socket.app.state.rooms
    table_id: str = socket.path_params["table_id"]
    room = await rooms.get(table_id) if len(table_id) == 20 else None
    if room is None:
        raise NotFound("no_table")
    await socket.app.state.daily.check_viewer(room.table, key_of(socket))
    return room


async def _send(socket: WebSocket, viewer: Viewer) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await viewer.catch_up(socket.send_text)


async def _listen(socket: WebSocket, room: Room, viewer: Viewer) -> None:
    limits: Limits = socket.app.state.limits
    bucket = limits.for_messages()
    while (received := await socket.receive())["type"] == "websocket.receive":
        try:
            if not bucket.take():
                raise TooManyRequests("too_many_messages")
            limits.charge_to(viewer.owner, "messages")
            message = parse_message(received.get("text") or "")
            async with limits.turn(viewer.owner.address, MESSAGES_AT_ONCE), viewer.handling:
                await _handle(room, viewer, message)
        except TooManyRequests as error:
            viewer.send(error_message(error, viewer.language))
            await asyncio.sleep(PAUSE)
        except TilewrightError as error:
            _log_fault(error)
            viewer.send(error_message(error, viewer.language))
        except Exception:
            logger.exception("a message could not be handled")
            viewer.send(json.dumps({"type": "error", **error_body_of_code("our_fault", viewer.language)}))


def error_message(error: TilewrightError, language: str) -> str:
    """An error as it is sent on a live connection."""
    return json.dumps({"type": "error", **error_body(error, language)})


def parse_message(text: str) -> dict[str, Any]:
    """A message from a client."""
    if len(text) > LARGEST_MESSAGE:
        raise BadMessage(f"a message has at most {LARGEST_MESSAGE} characters")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise BadMessage("a message must be a JSON object") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise BadMessage("a message must be a JSON object with a type")
    return message


def _number(message: dict[str, Any], name: str) -> int:
    value = message.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadMessage(f"{name} must be an integer")
    return value


async def _handle(room: Room, viewer: Viewer, message: dict[str, Any]) -> None:
    kind = message["type"]
    if kind == "move":
        move = message.get("move")
        if isinstance(move, bool) or not isinstance(move, int | str):
            raise BadMessage("move must be a number or a string")
        await room.playing.play(viewer.key, move, _number(message, "after"))
        return
    seats = room.table.seats_of(viewer.key)
    if kind == "preview":
        if message.get("after") in (None, room.table.event):  # otherwise the table has moved on
            _preview(room, viewer, _number(message, "move"))
    elif kind == "hint":
        if message.get("after") in (None, room.table.event):
            await room.hints.ask(viewer, seats, tells_move=message.get("more") is True)
    elif kind == "evaluation":
        await room.evaluation_bar.watch(viewer, seats, on=message.get("on") is True)
    elif kind == "allow_hints":
        await room.consent.propose(HINTS, seats)
    elif kind == "why":
        if message.get("after") in (None, room.table.event):
            _explain(room, viewer, _number(message, "move"))
    elif kind == "takeback":
        await room.consent.propose(TAKEBACK, seats)
    elif kind == "replace":
        seat = _number(message, "seat")
        if not 1 <= seat <= room.table.game.players:
            raise RequestError("no_seat")
        await room.consent.propose(REPLACE, seats, seat - 1)
    elif kind == "answer":
        await room.consent.answer(str(message.get("kind")), seats, message.get("yes") is True)
    elif kind == "say":
        phrase = message.get("phrase")
        if phrase not in PHRASES:
            raise BadMessage(f"phrase must be one of {', '.join(PHRASES)}")
        room.chat.say(room.table.owned_by(viewer.key), phrase)
    elif kind == "write":
        await room.writing.write(viewer.key, message.get("text"))
    elif kind == "conversation":
        await room.writing.recall(viewer)
    elif kind == "return":
        await room.seating.come_back(viewer.key)
    elif kind == "ping":
        viewer.send('{"type":"pong"}')
    else:
        raise BadMessage("unknown message type")


def _preview(room: Room, viewer: Viewer, number: int) -> None:
    position = room.table.position
    move = position.game.move(number)
    if move not in position.legal_moves:
        raise RequestError("illegal_move")
    viewer.send(json.dumps({"type": "preview", "move": number, **move_preview(position, move, viewer.language)}))


def _explain(room: Room, viewer: Viewer, number: int) -> None:
    """Say which rule forbids a move."""
    position = room.table.position
    move = position.game.move(number)
    if position.turn is None or move in position.legal_moves:
        raise BadMessage("only a move that is not legal can be explained, while somebody is to move")
    said = as_sentence(why_illegal(position, move, viewer.language))
    viewer.send(json.dumps({"type": "why", "move": number, "said": said}))


router = APIRouter(routes=[WebSocketRoute("/api/tables/{table_id}/live", live)])
