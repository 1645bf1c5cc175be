"""What programs and pages may ask for, as it is read from JSON. Unknown fields and wrong types are mistakes."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr


class Wish(BaseModel):
    """Nothing is guessed: ``true`` is no number, ``"2"`` is none either."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SeatWish(Wish):
    """Who is to sit somewhere."""

    kind: Literal["me", "friend", "invite", "open", "bot"] = Field(
        description="`me`: you. `friend`: somebody else on your device, held by your key too. `invite`: whoever has"
        " the link. `open`: anybody, the table is listed. `bot`: a bot of the server"
    )
    name: str = Field(
        "", max_length=200, description="For `me` and `friend`; 20 characters are shown. Empty for a default name"
    )
    bot: str | None = Field(None, max_length=50, description="For `bot`: its name, from `GET /api/games`")


class ClockWish(Wish):
    """Time for thinking. Who runs out of it is replaced by a bot to the end of the game."""

    minutes: float = Field(ge=0.1, le=600, description="For the whole game and each player")
    increment: float = Field(0, ge=0, le=600, description="Seconds added for each move")


class TableWish(Wish):
    """A table to open."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "game": "azul",
                "players": 2,
                "options": {"wall": "coloured", "jokers": False},
                "seats": [{"kind": "me", "name": "my bot"}, {"kind": "bot", "bot": "random"}],
                "clock": None,
            }
        }
    )

    game: str = Field("azul", max_length=50, description="A name from `GET /api/games`")
    players: int = Field(2, ge=2, le=4)
    options: dict[str, StrictStr | StrictBool] = Field(
        default_factory=dict, max_length=5, description="Options of the game, from `GET /api/games`; all have defaults"
    )
    seats: list[SeatWish] = Field(min_length=2, max_length=4, description="One for each player, in the order of play")
    clock: ClockWish | None = Field(None, description="None: nobody is hurried")


class JoinWish(Wish):
    """A seat to take."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "my bot", "seat": None}})

    name: str = Field("", max_length=200, description="20 characters are shown. Empty for a default name")
    seat: int | None = Field(None, ge=1, le=4, description="None: the first free one")


class MoveWish(Wish):
    """A move, meant for the table as it was after an event."""

    model_config = ConfigDict(json_schema_extra={"example": {"move": "3b2", "after": 12}})

    move: StrictInt | StrictStr = Field(description="Its number or its text, both as in `legal`")
    after: int | None = Field(
        None, ge=0, description="The last event that you have seen: if there is a later one, the move is refused"
    )
