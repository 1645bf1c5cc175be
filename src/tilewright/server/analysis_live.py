"""The engine of the analysis board over a WebSocket: it thinks while the connection lasts, of one position at a time.

The page sends ``{"type": "analyse", "position": TEXT, "lines": 3, "number": 7}`` and gets ``analysis`` messages with
the same number until the search has done enough; ``{"type": "stop"}`` ends it, and so does the next position.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from contextlib import aclosing
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.routing import WebSocketRoute

from tilewright.game.errors import TilewrightError
from tilewright.server import analysis_messages
from tilewright.server.analysis_requests import MOST_LINES
from tilewright.server.audience import owner_of
from tilewright.server.errors import BadMessage, TooManyRequests, error_body_of_code
from tilewright.server.explorer import Explorer
from tilewright.server.limits import Limits
from tilewright.server.live import PAUSE, POLICY_VIOLATION, error_message, parse_message, refuse
from tilewright.server.person import check_may_analyse
from tilewright.server.web import language_of, may_connect

logger = logging.getLogger("tilewright.server")

EVERY = 0.35
"""Seconds between two messages about the same position."""


async def engine(socket: WebSocket) -> None:
    """Think about what the page shows, until it goes away."""
    if not may_connect(socket):
        await socket.close(POLICY_VIOLATION, "pages of other sites cannot connect")
        return
    limits: Limits = socket.app.state.limits
    await socket.accept()
    try:
        limits.charge("sockets", socket)
        with limits.socket(socket):
            await _serve(socket, limits)
    except TilewrightError as error:
        await refuse(socket, error)


async def _serve(socket: WebSocket, limits: Limits) -> None:
    bucket = limits.for_messages()
    thinking: asyncio.Task[None] | None = None
    try:
        while (received := await socket.receive())["type"] == "websocket.receive":
            try:
                if not bucket.take():
                    raise TooManyRequests("too_many_messages")
                message = parse_message(received.get("text") or "")
                if message["type"] not in ("analyse", "stop", "ping"):
                    raise BadMessage("unknown message type")
                if message["type"] == "ping":
                    await socket.send_text('{"type":"pong"}')
                    continue
                await _end(thinking)
                thinking = None
                if message["type"] == "analyse":
                    limits.charge_analysis(socket)
                    thinking = asyncio.create_task(_think(socket, message))
            except TilewrightError as error:
                await socket.send_text(error_message(error, language_of(socket)))
                if isinstance(error, TooManyRequests):
                    await asyncio.sleep(PAUSE)
    except (RuntimeError, WebSocketDisconnect):
        pass  # it went away while something was being sent
    finally:
        await _end(thinking)


async def _end(thinking: asyncio.Task[None] | None) -> None:
    if thinking is not None:
        thinking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await thinking


async def _think(socket: WebSocket, message: dict[str, Any]) -> None:
    """Search a position and tell what was found, from time to time and at the end."""
    explorer: Explorer = socket.app.state.explorer
    language, number = language_of(socket), message.get("number")
    try:
        lines = message.get("lines", 3)
        if isinstance(lines, bool) or not isinstance(lines, int) or not 1 <= lines <= MOST_LINES:
            raise BadMessage(f"lines must be a number from 1 to {MOST_LINES}")
        position = analysis_messages.position_of(message.get("position"))
        await check_may_analyse(socket)
        told, found = 0.0, None
        async with aclosing(explorer.watch(position, owner_of(socket), lines)) as search:
            async for found in search:
                if time.monotonic() - told > EVERY:
                    await _tell(socket, number, analysis_messages.lines_message(found, language), done=False)
                    told = time.monotonic()
        if found is not None:
            await _tell(socket, number, analysis_messages.lines_message(found, language), done=True)
    except TilewrightError as error:
        await socket.send_text(error_message(error, language))
    except (RuntimeError, WebSocketDisconnect):
        pass  # nobody listens any more
    except Exception:
        logger.exception("a position could not be analysed")
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.send_text(json.dumps({"type": "error", **error_body_of_code("server_error", language)}))


async def _tell(socket: WebSocket, number: object, found: dict[str, Any], *, done: bool) -> None:
    await socket.send_text(json.dumps({"type": "analysis", "number": number, "done": done, **found}))


router = APIRouter(routes=[WebSocketRoute("/api/analysis/engine", engine)])
