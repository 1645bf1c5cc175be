"""Pictures of positions to share: any moment of a game that is over, or of a record, as SVG or PNG."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from typing import Annotated, Literal, NamedTuple

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathParameter
from pydantic import BeforeValidator

from tilewright.server.api import ERRORS, reviewed_game
from tilewright.server.audience import owner_of
from tilewright.server.errors import NotFound
from tilewright.server.fair_slots import FairSlots, Owner
from tilewright.server.reviews import ReviewedGame
from tilewright.server.web import language_of
from tilewright.view import narrator
from tilewright.view.picture.fallback import shown_svg
from tilewright.view.picture.png import can_draw_png, to_png

api = APIRouter(prefix="/api/reviews", tags=["reviews"], responses=ERRORS)

WIDTH = 1200
"""Of a PNG: what messengers show large."""
KEPT = 64
"""Pictures in memory: a PNG has about 300 kB."""
_KINDS = {"svg": "image/svg+xml", "png": "image/png"}

ReviewId = Annotated[
    str, PathParameter(pattern="^[0-9a-f]{20}$", description="The id of a table whose game is over, or of a record")
]
Event = Annotated[int, PathParameter(ge=0, le=10_000, description="The number of events that have happened")]
Form = Annotated[Literal["svg", "png"], PathParameter(description="PNG only if the host has installed the package")]
_BEGINS_WITH_NUMBER = re.compile(r"-?\d{1,9}")


def _moment(text: object) -> int | None:
    """The number in a link, which may have been mangled on its way: pages open all the same."""
    found = _BEGINS_WITH_NUMBER.match(text) if isinstance(text, str) else None
    return max(0, int(found[0])) if found else None


At = Annotated[int | None, Query(), BeforeValidator(_moment)]
Theme = Annotated[Literal["light", "dark"], Query(description="The colours: `light` or `dark`")]


class Wanted(NamedTuple):
    """A picture that somebody asks for."""

    review_id: str
    event: int
    form: str
    language: str
    theme: str


class Pictures:
    """The pictures that were drawn last. One is drawn at a time, in a thread, and those who ask take turns."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Wanted, bytes] = OrderedDict()
        self._slots = FairSlots(1, "pictures")

    async def get(self, wanted: Wanted, game: ReviewedGame, owner: Owner) -> bytes:
        """A picture, drawn now unless it was drawn before."""
        if wanted not in self._kept:
            async with self._slots.slot([owner]):
                if wanted not in self._kept:  # somebody else may have asked for the same one
                    self._kept[wanted] = await asyncio.to_thread(_drawn, wanted, game)
        self._kept.move_to_end(wanted)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[wanted]


def _drawn(wanted: Wanted, game: ReviewedGame) -> bytes:
    position = list(game.record.positions())[wanted.event]
    svg = shown_svg(position, game.names(wanted.language), wanted.language, wanted.theme)
    return svg.encode() if wanted.form == "svg" else to_png(svg, WIDTH)


@api.get("/{review_id}/picture/{event}.{form}", summary="A picture of a position", response_class=Response)
async def picture(review_id: ReviewId, event: Event, form: Form, request: Request, theme: Theme = "light") -> Response:
    """The table after a number of events, as an SVG or PNG file, in your language or the one that `language` names."""
    game = await reviewed_game(request, review_id)
    if event > len(game.record.events) or (form == "png" and not can_draw_png()):
        raise NotFound("no_picture")
    wanted = Wanted(review_id, event, form, language_of(request), theme)
    content = await request.app.state.pictures.get(wanted, game, owner_of(request))
    headers = {
        "Content-Disposition": f'inline; filename="{game.record.game.name}-{review_id[:6]}-{event}.{form}"',
        "Cache-Control": "private, max-age=3600",
        "Vary": "Cookie, Accept-Language",
    }
    return Response(content, media_type=_KINDS[form], headers=headers)


def preferred_form() -> str:
    """What a link to a picture should name."""
    return "png" if can_draw_png() else "svg"


class Shared(NamedTuple):
    """What messengers show of a page whose link is shared."""

    title: str
    result: str
    url: str
    picture: str | None
    """The address of a PNG; they show no SVG."""


def shared(request: Request, game: ReviewedGame, title: str, at: int | None) -> Shared:
    """A page about a game, with the picture of a moment; of the last one unless the link says another."""
    language, last = language_of(request), len(game.record.events)
    event = last if at is None else min(at, last)
    address = f"{request.base_url}api/reviews/{game.id}/picture/{event}.png?language={language}"
    return Shared(
        title=f"{game.record.game.title} · {title}",
        result=narrator.awaited(game.record.replay(), game.names(language), language),
        url=str(request.url),
        picture=address if can_draw_png() else None,
    )
