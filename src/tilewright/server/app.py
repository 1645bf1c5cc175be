"""The web application: pages for people, a JSON interface for programs, and a live stream for both."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

import tilewright
from tilewright.game.errors import TilewrightError
from tilewright.server import api, lessons, live, pages
from tilewright.server.rooms import Rooms
from tilewright.server.store import Store
from tilewright.server.table import NotAllowed
from tilewright.server.warm import warm_up_all
from tilewright.server.web import BodyLimit, guard, refuse

HERE = Path(__file__).parent


def make_app(database: str | Path | Store = "tilewright.db") -> FastAPI:
    """The application over one SQLite file."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.rooms = Rooms(database if isinstance(database, Store) else Store(database))
        tidying = asyncio.create_task(_tidy(app.state.rooms))
        warming = asyncio.create_task(asyncio.to_thread(warm_up_all))
        yield
        warming.cancel()
        tidying.cancel()
        app.state.rooms.close()

    app = FastAPI(
        title="Tilewright",
        version=tilewright.__version__,
        summary="Azul, Azul Mini and Summer Pavilion: tables for people and programs",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.middleware("http")(guard)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.add_middleware(BodyLimit)
    app.include_router(api.router)
    app.include_router(live.router)
    app.include_router(pages.router)
    app.include_router(lessons.router)
    app.mount("/static", FreshFiles(directory=HERE / "static"), name="static")
    app.add_exception_handler(NotAllowed, _not_allowed)
    app.add_exception_handler(TilewrightError, _bad_request)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _our_fault)
    return app


class FreshFiles(StaticFiles):
    """Static files that browsers ask for anew each time (and mostly hear that nothing changed).

    Modules import one another by plain names, so an old one must never meet a new one.
    """

    def file_response(self, *arguments: Any, **options: Any) -> Response:
        """A file, or the word that the browser's copy is still good."""
        response = super().file_response(*arguments, **options)
        response.headers["Cache-Control"] = "no-cache"
        return response


async def _tidy(rooms: Rooms) -> None:
    while True:
        await asyncio.sleep(60)
        rooms.close_idle()


async def _not_allowed(request: Request, error: Exception) -> Response:
    return refuse(403, str(error))


async def _bad_request(request: Request, error: Exception) -> Response:
    return refuse(400, str(error))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    if not request.url.path.startswith("/api/"):
        return pages.error_page(request, 404)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return refuse(422, f"{where}: {first['msg']}")


async def _our_fault(request: Request, error: Exception) -> Response:
    return refuse(500, "something went wrong on the server; the game is as it was")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if request.url.path.startswith(("/api/", "/static/")):
        return refuse(error.status_code, str(error.detail))
    return pages.error_page(request, error.status_code)
