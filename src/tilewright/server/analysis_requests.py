"""The bodies of the requests of the analysis board."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr

from tilewright.server.requests import MAX_PLAYERS, RequestBody

MOST_LINES = 5
PositionText = Annotated[str, Field(max_length=3000)]
Names = Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=MAX_PLAYERS)]
Comment = Annotated[str, Field(max_length=2000)]
Event = Annotated[str, Field(max_length=300)]
StudyNode = Annotated[tuple[StrictInt, Event, Comment], Field(strict=False)]
"""JSON has no tuples: a list of these three."""


class AnalysisRequest(RequestBody):
    """A position to analyse."""

    model_config = ConfigDict(json_schema_extra={"example": {"position": "NAME players=2 ...; ...", "lines": 3}})

    position: str = Field(max_length=3000, description="As `GET /api/tables/{id}` gives it")
    lines: int = Field(3, ge=1, le=MOST_LINES, description="How many of the best moves are searched with equal effort")


class OpenRequest(RequestBody):
    """A record or a position to open, or a new game."""

    text: str | None = Field(None, max_length=15_500)
    game: str | None = Field(None, max_length=50)
    players: int = Field(2, ge=1, le=MAX_PLAYERS)
    options: dict[str, StrictStr | StrictBool] = Field(default_factory=dict, max_length=20)


class MomentRequest(RequestBody):
    """A position to show."""

    position: PositionText
    names: Names = Field(default_factory=list)


class PlayRequest(MomentRequest):
    """An event to play there: a move, ``draw`` and tiles, or ``deal`` for a random deal."""

    event: Event


class AboutRequest(RequestBody):
    """A move to explain."""

    position: PositionText
    move: StrictInt


class WhatIfRequest(RequestBody):
    """What somebody might take: the first thing that is clicked for a move."""

    position: PositionText
    spot: str = Field(max_length=100)


class StudyRequest(RequestBody):
    """A study to save: for each event the number of the one before, its text and its comment."""

    start: PositionText
    names: Names
    comment: Comment = ""
    nodes: list[StudyNode] = Field(max_length=2000)


class DraftRequest(RequestBody):
    """A change of a draft."""

    game: PositionText = Field(description="The text of any position of the rule set")
    text: PositionText | None = None
    names: Names
    act: Literal["", "put", "change"] = ""
    name: str = Field("", max_length=100)
    value: str = Field("", max_length=100)
