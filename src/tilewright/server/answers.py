"""What programs are answered, as it is described to them at ``/api``."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class Complaint(BaseModel):
    """Why something was refused. The game is as it was."""

    error: str = Field(description="What was wrong, in English", examples=["it is the turn of Ada"])
    code: str = Field(description="The same for programs: it stays when the words change", examples=["not_your_turn"])
    said: str = Field(description="The same in the language of the reader (`Accept-Language`, or `?language=fr`)")


class GameOffered(BaseModel):
    """A game that can be played here."""

    name: str = Field(examples=["azul"])
    title: str = Field(examples=["Azul"])
    players: list[int] = Field(description="How many may play")
    options: dict[str, list[str | bool]] = Field(description="For each option its choices, the usual one first")
    bots: list[str] = Field(description="Names of bots that may be seated, the usual one first")


class TableListed(BaseModel):
    """A table in a list."""

    id: str
    game: str
    title: str
    options: dict[str, str | bool]
    players: list[str] = Field(description="Names by seat, in the reader's language")
    status: str = Field(description="`playing` or `over`")
    url: str
    scores: list[int] | None = Field(None, description="When the game is over: the points by seat")
    winners: list[int] | None = Field(None, description="When the game is over: the seats that won")
    ended: float | None = Field(None, description="When that was, in seconds since 1970")


class TableMade(BaseModel):
    """A table that was opened."""

    id: str = Field(description="20 hexadecimal digits that nobody can guess")
    url: str = Field(description="The page of the table on this server; who has it may watch, and take a free seat")
    seats: list[int] = Field(description="Your seats, counted from 1")
    key: str | None = Field(None, description="A new key that holds your seats, if you sent none. It is told once")


class Joined(BaseModel):
    """A seat that was taken."""

    seat: int = Field(description="Counted from 1")
    key: str | None = Field(None, description="A new key that holds it, if you sent none. It is told once")


class Returned(BaseModel):
    """The seats that you play again yourself."""

    seats: list[int] = Field(description="Counted from 1")


class Played(BaseModel):
    """A move that is on the server's disk."""

    event: int = Field(description="The number of the last event")


class SeatShown(BaseModel):
    """Who sits where."""

    seat: int = Field(description="Counted from 1")
    name: str = Field(description="In the reader's language; `Ada (bot)` if a bot plays on for Ada")
    kind: str = Field(description="Who plays: `human`, `bot`; or `invite`, `open` if the seat is free")
    you: bool = Field(description="Whether you play here")
    yours: bool = Field(description="Whether your key holds the seat, even if a bot plays on for you")
    present: bool = Field(description="Whether the player has a live connection")
    replaceable: bool = Field(description="Away for so long that the others may let a bot play on")
    substitute: bool = Field(description="Whether a bot plays on for a person; see `POST .../return`")
    timed_out: bool = Field(description="Whether that is to the end, because the person's clock ran out")


class LegalMove(BaseModel):
    """A move of the player whose turn it is."""

    number: int
    text: str = Field(examples=["3b2"])


class TableRead(BaseModel):
    """A table at a moment."""

    id: str
    game: str
    players: int
    options: dict[str, str | bool]
    seats: list[SeatShown]
    event: int = Field(description="The number of the last event, counted from 1")
    events: list[str] = Field(
        description="The events after `after`: `draw bbyw kkkr` for tiles drawn, `1 3b2` for a move of seat 1,"
        " `takeback 2` when the last two events that stood were undone",
        examples=[["draw bbyw kkkr yyrw rrbw ykww", "1 1b2"]],
    )
    position: str = Field(description="The position as a line of text; `tilewright.read_position` reads it")
    phase: str
    turn: int | None = Field(description="The seat whose turn it is; null when the game is over")
    legal: list[LegalMove] = Field(description="All legal moves of that seat")
    scores: list[int]
    over: dict[str, Any] | None = Field(
        description="null while the game goes on; then `winners` (seats), `scores`, `points` (by source, for each"
        " seat), `seed` (the dealer's secret) and `result` (a sentence)"
    )
    seed_hash: str = Field(description="The SHA-256 of the dealer's secret, the same from the first event on")
