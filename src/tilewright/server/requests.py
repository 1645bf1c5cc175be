"""The bodies of requests, as read from JSON. Unknown fields and wrong types are errors."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from tilewright.game.registry import GAMES
from tilewright.server.vacations import ALLOWANCE
from tilewright.view.picture.avatar import LETTERS

MAX_PLAYERS = 12
"""More than any game has; the game itself knows how many it is for."""


class RequestBody(BaseModel):
    """Nothing is converted: neither ``true`` nor ``"2"`` is accepted as a number."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SeatRequest(RequestBody):
    """Who gets a seat."""

    kind: Literal["me", "friend", "invite", "open", "bot"] = Field(
        description="`me`: you. `friend`: somebody else on your device, held by your key too. `invite`: whoever has"
        " the link. `open`: anybody, the table is listed. `bot`: a bot of the server"
    )
    name: str = Field(
        "", max_length=200, description="For `me` and `friend`; 20 characters are shown. Empty for a default name"
    )
    bot: str | None = Field(None, max_length=50, description="For `bot`: its name, from `GET /api/games`")


class ClockRequest(RequestBody):
    """Time to think. A player who runs out of it is replaced by a bot until the end of the game."""

    minutes: float = Field(ge=0.1, le=600, description="For the whole game, for each player")
    increment: float = Field(0, ge=0, le=600, description="Seconds added for each move")


class TableRequest(RequestBody):
    """A table to open."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "game": next(iter(GAMES), ""),
                "players": 2,
                "options": {},
                "seats": [{"kind": "me", "name": "my bot"}, {"kind": "bot", "bot": "random"}],
                "clock": None,
            }
        }
    )

    game: str = Field(
        default_factory=lambda: next(iter(GAMES)), max_length=50, description="A name from `GET /api/games`"
    )
    players: int = Field(2, ge=1, le=MAX_PLAYERS)
    options: dict[str, StrictStr | StrictBool] = Field(
        default_factory=dict, max_length=20, description="Options of the game, from `GET /api/games`; all have defaults"
    )
    seats: list[SeatRequest] = Field(
        min_length=1, max_length=MAX_PLAYERS, description="One for each player, in turn order"
    )
    starter: Literal["random"] | Annotated[int, Field(ge=1, le=MAX_PLAYERS)] = Field(
        1, description="The seat that starts, or `random`; the others follow in their order"
    )
    clock: ClockRequest | None = Field(None, description="`null` for a game without a clock")
    days: int | None = Field(
        None, ge=1, le=14, description="Days for each move of a correspondence game, instead of a `clock`"
    )
    rated: StrictBool = Field(
        False, description="Whether the result counts for ratings: no `friend`, no hints, no takebacks, no `days`"
    )


class JoinRequest(RequestBody):
    """A seat to take."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "my bot", "seat": None}})

    name: str = Field("", max_length=200, description="20 characters are shown. Empty for a default name")
    seat: int | None = Field(None, ge=1, le=MAX_PLAYERS, description="`null` for the first free one")


class ReviewRequest(RequestBody):
    """A game to review that was played elsewhere."""

    model_config = ConfigDict(json_schema_extra={"example": {"record": "tilewright record 1\ngame: NAME\n..."}})

    record: str = Field(max_length=15_000, description="A game record, as `GET /api/tables/{id}/record` gives it")


class PracticeRequest(RequestBody):
    """A moment of a game to play on from."""

    model_config = ConfigDict(json_schema_extra={"example": {"event": 12}})

    event: int = Field(ge=0, le=10_000, description="The number of the move to try again, counted from 0")
    name: str = Field("", max_length=200, description="Your name; 20 characters are shown")


class MatchRequest(RequestBody):
    """A search for an opponent."""

    model_config = ConfigDict(json_schema_extra={"example": {"game": next(iter(GAMES), ""), "rated": True}})

    game: str = Field(
        default_factory=lambda: next(iter(GAMES)), max_length=50, description="A name from `GET /api/games`"
    )
    rated: StrictBool = Field(False, description="Whether the result counts for ratings")
    name: str = Field("", max_length=200, description="Your name; 20 characters are shown")
    table: str | None = Field(
        None,
        pattern="^[0-9a-f]{20}$",
        description="The table at which you wait, from the previous response; null at first",
    )


class ProfileRequest(RequestBody):
    """How you are shown to others."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "Ada", "avatar": "bybywybyb"}})

    name: str = Field("", max_length=200, description="20 characters are shown")
    avatar: str = Field(pattern=f"^[{''.join(LETTERS)}]{{9}}$", description="Nine tiles, by their letters")


class ClaimRequest(RequestBody):
    """A private link that was opened on another device."""

    model_config = ConfigDict(json_schema_extra={"example": {"secret": "what follows the # in the link"}})

    secret: str = Field(min_length=16, max_length=100)


class VacationRequest(RequestBody):
    """Days off from correspondence games."""

    model_config = ConfigDict(json_schema_extra={"example": {"days": 7}})

    days: int = Field(ge=1, le=ALLOWANCE)


class AnswerRequest(RequestBody):
    """An answer to a puzzle."""

    model_config = ConfigDict(json_schema_extra={"example": {"move": 37}})

    move: StrictInt | StrictStr | None = Field(description="The number or the text of a move; null to give up")


class DailyRequest(RequestBody):
    """An attempt at the daily table."""

    name: str = Field("", max_length=200, description="Your name in the results; 20 characters are shown")


class MoveRequest(RequestBody):
    """A move, meant to follow a certain event."""

    model_config = ConfigDict(json_schema_extra={"example": {"move": "3b2", "after": 12}})

    move: StrictInt | StrictStr = Field(description="Its number or its text, both as in `legal`")
    after: int | None = Field(
        None, ge=0, description="The last event that you have seen: if there is a later one, the move is refused"
    )
