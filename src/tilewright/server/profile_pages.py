"""The page of one's own profile, its private link, and avatars; the same for programs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from tilewright.game.registry import GAMES
from tilewright.insight.grades import Grade
from tilewright.server.achievements import PEOPLE, Achievements, achievements_of
from tilewright.server.api import ERRORS
from tilewright.server.errors import NotFound
from tilewright.server.leaderboard import described
from tilewright.server.names import bot_title, clean_name
from tilewright.server.passkeys import passkeys_of
from tilewright.server.person import held_by, rooms_of
from tilewright.server.profiles import (
    Profile,
    key_behind,
    linked_at,
    new_secret,
    profile_of,
    remove_link,
    save_link,
    save_profile,
)
from tilewright.server.ratings import ratings_of
from tilewright.server.rendering import page
from tilewright.server.requests import ClaimRequest, ProfileRequest, VacationRequest
from tilewright.server.responses import (
    LinkMade,
    MistakesInfo,
    OwnRatingInfo,
    ProfileClaimed,
    ProfileInfo,
    ResultsInfo,
    VacationInfo,
)
from tilewright.server.seated_table import hash_key
from tilewright.server.store import Store
from tilewright.server.vacations import begin_vacation, end_vacation, vacation_of
from tilewright.server.web import give_key, key_of, language_of, new_key
from tilewright.view.grammar import decimal, percent
from tilewright.view.language import say
from tilewright.view.picture.avatar import derived_avatar, draw_avatar, is_avatar

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/person", tags=["person"], responses=ERRORS)

SUGGESTED = 22
"""Avatars to choose from, beside one's own."""
LINK = "/profile/link"


@router.get("/profile")
async def profile_page(request: Request) -> HTMLResponse:
    """One's own profile."""
    info, language = await profile(request), language_of(request)
    held = held_by(request)
    has_passkeys = bool(await rooms_of(request).read(lambda store: passkeys_of(store, held)))
    avatars = list(dict.fromkeys([info.avatar, *(derived_avatar(held, n) for n in range(SUGGESTED))]))
    opponents = {one.opponents: _opponents(one.opponents, language) for one in info.results}
    return page(
        request,
        "profile.html",
        areas=("profile", "push"),
        info=info,
        avatars=avatars,
        has_passkeys=has_passkeys,
        opponents=opponents,
        grades=[str(grade) for grade in Grade],
        percent=partial(percent, language=language),
        decimal=partial(decimal, language=language),
    )


@router.get(LINK)
async def link_page(request: Request) -> HTMLResponse:
    """Where a private link leads. The secret follows a #, so that no server or log sees it before somebody agrees."""
    info = await profile(request)
    has_own = bool(info.name or info.results)
    return page(request, "profile_link.html", areas=("profile",), info=info, has_own=has_own)


@router.get("/avatar/{avatar}.svg")
async def avatar_picture(avatar: str) -> Response:
    """An avatar as a picture, which never changes."""
    if not is_avatar(avatar):
        raise NotFound("no_picture")
    svg = await asyncio.to_thread(draw_avatar, avatar)
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=31536000, immutable"})


@api.get("/profile", summary="Your profile, and how you did")
async def profile(request: Request) -> ProfileInfo:
    """Results by game and opponents, and the grades of your moves in reviews."""
    held, rooms = held_by(request), rooms_of(request)
    own = await rooms.read(lambda store: profile_of(store, held))
    linked = await rooms.read(lambda store: linked_at(store, held))
    done = await achievements_of(rooms, held) if held else Achievements([], [])
    return ProfileInfo(
        name=own.name,
        avatar=own.avatar,
        linked=linked,
        vacation=await _vacation(request, held),
        ratings=[
            OwnRatingInfo(game=one.game, title=GAMES[one.game].spec.title, players=one.players, **described(one.rating))
            for one in await rooms.read(lambda store: ratings_of(store, held))
            if one.game in GAMES and one.rating.games
        ],
        results=[
            ResultsInfo(
                game=one.game,
                title=GAMES[one.game].spec.title,
                players=one.players,
                opponents=one.opponents,
                games=one.games,
                won=one.won,
                mean=round(one.mean, 1),
                best=one.best,
            )
            for one in done.results
            if one.game in GAMES
        ],
        mistakes=[
            MistakesInfo(
                game=one.game,
                title=GAMES[one.game].spec.title,
                reviewed=one.reviewed,
                moves=one.moves,
                grades={str(grade): number for grade, number in one.grades.items()},
            )
            for one in done.mistakes
            if one.game in GAMES
        ],
    )


@api.put("/profile", summary="Choose your name and your avatar")
async def change_profile(body: ProfileRequest, request: Request, response: Response) -> ProfileClaimed:
    """A request without a key gets one as a cookie."""
    key, chosen = key_or_new(request, response), Profile(clean_name(body.name), body.avatar)
    await rooms_of(request).write(lambda store: save_profile(store, hash_key(key), chosen))
    return ProfileClaimed(name=chosen.name, avatar=chosen.avatar)


@api.post("/link", status_code=201, summary="Make a private link that carries your profile to another device")
async def make_link(request: Request, response: Response) -> LinkMade:
    """A new link ends the one before. Devices that already have your profile keep it."""
    key, secret = key_or_new(request, response), new_secret()
    await rooms_of(request).write(lambda store: save_link(store, key, secret))
    return LinkMade(url=f"{LINK}#{secret}")


@api.delete("/link", status_code=204, summary="Deactivate your private link")
async def end_link(request: Request) -> Response:
    """Devices that already have your profile keep it."""
    held = held_by(request)
    await rooms_of(request).write(lambda store: remove_link(store, held))
    return Response(status_code=204)


@api.post("/vacation", summary="Go on vacation")
async def begin(body: VacationRequest, request: Request, response: Response) -> VacationInfo:
    """The deadlines of your correspondence games stand still for some days, and your opponents see until when."""
    held = hash_key(key_or_new(request, response))
    return await _change_vacation(request, held, lambda store: begin_vacation(store, held, body.days))


@api.delete("/vacation", summary="Come back from your vacation")
async def end(request: Request) -> VacationInfo:
    """The deadlines continue, and the remaining days can be taken later."""
    held = held_by(request)
    return await _change_vacation(request, held, lambda store: end_vacation(store, held))


async def _change_vacation(request: Request, held: str, change: Callable[[Store], list[str]]) -> VacationInfo:
    """Change the vacation of a person, and show it at all their tables."""
    rooms = rooms_of(request)
    await rooms.show_changed(await rooms.write(change))
    return await _vacation(request, held)


async def _vacation(request: Request, held: str) -> VacationInfo:
    vacation = await rooms_of(request).read(lambda store: vacation_of(store, held, time.time()))
    return VacationInfo(until=vacation.until, left=vacation.left)


@api.post("/claim", summary="Take over a profile on this device")
async def claim(body: ClaimRequest, request: Request, response: Response) -> ProfileClaimed:
    """The browser gets the profile's key as its cookie, in place of its own."""
    rooms = rooms_of(request)
    key = await rooms.read(lambda store: key_behind(store, body.secret))
    if key is None:
        raise NotFound("no_link")
    give_key(request, response, key)
    own = await rooms.read(lambda store: profile_of(store, hash_key(key)))
    return ProfileClaimed(name=own.name, avatar=own.avatar)


def key_or_new(request: Request, response: Response) -> str:
    """The key of whoever asks; those who have none get one."""
    given = key_of(request)
    key = given or new_key()
    if given is None:
        give_key(request, response, key)
    return key


def _opponents(opponents: str, language: str) -> str:
    return say(language, "profile.people") if opponents == PEOPLE else bot_title(opponents, language)
