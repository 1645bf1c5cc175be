"""The web application: pages for people, a JSON API for programs, and a live stream for both."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import threading
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

import tilewright
from tilewright.game.errors import GameFault, TilewrightError
from tilewright.server import (
    analysis_live,
    analysis_pages,
    api,
    daily_pages,
    installing,
    leaderboard,
    lessons,
    live,
    match_api,
    pages,
    passkey_api,
    person,
    pictures,
    previews,
    profile_pages,
    puzzle_pages,
    review_pages,
    warming,
)
from tilewright.server.bodies import why_no_json
from tilewright.server.daily import DailyTables
from tilewright.server.deadline_watch import DeadlineWatch
from tilewright.server.explorer import Explorer
from tilewright.server.gate import BodyLimit, HttpMiddleware, Metering, OwnPages
from tilewright.server.interface import INTRODUCTION
from tilewright.server.limits import Limits
from tilewright.server.lobby import Lobby
from tilewright.server.mixed_sharing import MixedSharing
from tilewright.server.push import api as push_api
from tilewright.server.push.notifier import Notifier
from tilewright.server.puzzles import Puzzles
from tilewright.server.refusals import UNAVAILABLE, error_response, refusal
from tilewright.server.reviews import Reviews
from tilewright.server.rooms import Rooms
from tilewright.server.settings import Settings
from tilewright.server.shared_limits import SharedLimits
from tilewright.server.sharing import REPEAT
from tilewright.server.static_files import STATIC, VersionedFiles
from tilewright.server.store import Store
from tilewright.server.telemetry import readiness
from tilewright.server.telemetry.metrics import LOOP_LAG
from tilewright.server.telemetry.observing import Observing
from tilewright.server.telemetry.readiness import Readiness
from tilewright.server.warming import Warming
from tilewright.server.web import HeadAsGet, SecurityHeaders, is_for_people
from tilewright.view.game_texts import listed_titles
from tilewright.view.language import DEFAULT

USUAL = Settings()
MINUTES_A_DAY = 24 * 60
UNCLEAR = 422
MEASURED_EVERY = 5.0
"""Seconds."""
logger = logging.getLogger("tilewright.server")
_ROUTERS = (
    live.router,  # the first, since after a restart everybody comes back at once
    api.router,
    review_pages.api,
    analysis_pages.public,
    analysis_pages.api,
    analysis_live.router,
    pictures.api,
    puzzle_pages.api,
    daily_pages.api,
    person.router,
    profile_pages.api,
    leaderboard.api,
    match_api.router,
    push_api.router,
    passkey_api.router,
    pages.router,
    review_pages.router,
    analysis_pages.router,
    puzzle_pages.router,
    daily_pages.router,
    profile_pages.router,
    leaderboard.router,
    previews.router,
    lessons.router,
    installing.router,
    readiness.router,
    warming.router,
)


def make_app(database: str | Path | Store = "tilewright.db", settings: Settings = USUAL) -> FastAPI:
    """The application over one database, an SQLite file or the URL of a PostgreSQL database."""
    app = FastAPI(
        title="Tilewright",
        version=tilewright.__version__,
        summary=f"{listed_titles(DEFAULT)}: tables for people and programs",
        description=INTRODUCTION,
        lifespan=lambda app: _running(app, database, settings),
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    compressed = partial(GZipMiddleware, minimum_size=1000, compresslevel=5)
    layers = (compressed, OwnPages, Metering, BodyLimit, HeadAsGet, SecurityHeaders, Observing)
    app.add_middleware(HttpMiddleware, layers=layers)
    for router in _ROUTERS:
        app.include_router(router)
    app.mount("/static", VersionedFiles(directory=STATIC), name="static")
    app.add_exception_handler(TilewrightError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _our_fault)
    return app


@contextlib.asynccontextmanager
async def _running(app: FastAPI, database: str | Path | Store, settings: Settings) -> AsyncIterator[None]:
    """From the start of the application to its end."""
    _rarely_collect_everything()
    store = database if isinstance(database, Store) else Store(database)
    _add_services(app, _rooms(store, settings), settings)
    chores = _start_chores(app, is_shared=store.database.is_shared)
    getting_ready = partial(_get_ready, app.state.readiness, app.state.rooms.warming)
    threading.Thread(target=getting_ready, name="warming", daemon=True).start()  # the server does not wait for it
    yield
    for chore in chores:
        chore.cancel()
    app.state.notifier.close()
    app.state.explorer.close()
    await app.state.reviews.close()
    app.state.rooms.close()
    await app.state.rooms.bots.disconnect()


def _add_services(app: FastAPI, rooms: Rooms, settings: Settings) -> None:
    """What requests find in ``app.state``."""
    rooms.listen()
    app.state.rooms = rooms
    app.state.limits = Limits(settings.limits)
    app.state.lobby = Lobby()
    app.state.shared_limits = SharedLimits(rooms, app.state.limits, app.state.lobby)
    app.state.reviews = Reviews(rooms)
    app.state.explorer = Explorer(app.state.rooms.warming, settings.review_budget)
    app.state.pictures = pictures.Pictures()
    app.state.puzzles = Puzzles(rooms)
    app.state.daily = DailyTables(rooms)
    app.state.readiness = Readiness(rooms)
    app.state.deadlines = DeadlineWatch(rooms)
    app.state.notifier = Notifier(rooms)


def _start_chores(app: FastAPI, *, is_shared: bool) -> list[asyncio.Task[None]]:
    """What is done in the background for as long as the server runs; more, if others use the same database."""
    state = app.state
    work = [
        _tidy(state.rooms),
        _compare(state.rooms, MixedSharing(state.rooms)),
        _measure(state.rooms),
        state.deadlines.run(),
        state.notifier.run(),
    ]
    if is_shared:
        work.append(state.shared_limits.run())
    return [asyncio.create_task(one) for one in work]


def _rooms(store: Store, settings: Settings) -> Rooms:
    store.database.tell_sharing(over_redis=settings.redis is not None)
    if settings.redis is None:
        return Rooms(store, settings, channel=store.database.channel())
    from tilewright.server.queued_bots import QueuedBots
    from tilewright.server.redis_channel import RedisChannel

    return Rooms(store, settings, channel=RedisChannel(settings.redis), bots=QueuedBots(settings.redis))


async def _tidy(rooms: Rooms) -> None:
    """Every day delete what the host does not keep, every minute close what nobody looks at.

    Every ten minutes, find what only the garbage collector can.
    """
    while True:
        try:
            await rooms.prune()
        except Exception:
            logger.exception("old games could not be deleted")
        for minute in range(MINUTES_A_DAY):
            await asyncio.sleep(60)
            rooms.close_idle()
            if minute % 10 == 9:
                gc.collect()


async def _compare(rooms: Rooms, sharing: MixedSharing) -> None:
    """Every few seconds look for what other processes have done without a message, and for those that send none."""
    while True:
        await asyncio.sleep(REPEAT)
        try:
            await rooms.compare()
            await sharing.look()
        except Exception:
            logger.exception("the open tables could not be compared with the database")


async def _measure(rooms: Rooms) -> None:
    """Every few seconds note how late the event loop is, and how much work there is for the workers."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + MEASURED_EVERY
        await asyncio.sleep(MEASURED_EVERY)
        LOOP_LAG.set(max(0.0, loop.time() - due))
        await rooms.bots.measure()


def _rarely_collect_everything() -> None:
    """Keep the pauses of the garbage collector short.

    A full collection walks every object of every open connection: half a second with five thousand of them. What
    connections leave behind is freed without it, so it is done on a schedule and not whenever many of them come.
    """
    gc.set_threshold(10_000, 10, 1_000_000)


def _get_ready(readiness: Readiness, games: Warming) -> None:
    """Compile, or load what is compiled, and draw in advance."""
    games.run()
    _warm_up()
    readiness.is_compiled = True


def _warm_up() -> None:
    """Draw in advance.

    What that and the compiler leave in memory stays for good: a full garbage collection that walked it would stop every
    table for a few tenths of a second.
    """
    previews.draw_all()
    gc.freeze()


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, TilewrightError)
    if isinstance(error, GameFault):
        logger.error("%s", error, exc_info=error)
    return refusal(request, error)


async def _invalid(request: Request, error: Exception) -> Response:
    """A program hears what was wrong; to a person an address with a mistake in it is one that does not exist."""
    assert isinstance(error, RequestValidationError)
    if is_for_people(request):
        return error_response(request, 404, "not_found")
    return error_response(request, UNCLEAR, "unclear", why_no_json(error) or _what_is_wrong(error))


def _what_is_wrong(error: RequestValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}"


async def _our_fault(request: Request, error: Exception) -> Response:
    """To whoever wanted to change a game it matters that it has not changed."""
    changes = request.method not in ("GET", "HEAD") and "table_id" in request.path_params
    status = UNAVAILABLE if request.app.state.rooms.has_lost(error) else 500
    return error_response(request, status, "our_fault" if changes else "server_error")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if told := why_no_json(error):
        return error_response(request, UNCLEAR, "unclear", told)
    code = {404: "not_found", 405: "wrong_method"}.get(error.status_code, "unclear")
    return error_response(request, error.status_code, code)
