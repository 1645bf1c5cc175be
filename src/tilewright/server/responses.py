"""The bodies of responses, as described at ``/api``."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class ErrorBody(BaseModel):
    """Why a request was refused. The game has not changed."""

    error: str = Field(description="What was wrong, in English", examples=["it is Ada’s turn"])
    code: str = Field(description="A code for programs, which never changes", examples=["not_your_turn"])
    said: str = Field(description="The message in the reader's language (`Accept-Language`, or `?language=fr`)")


class GameInfo(BaseModel):
    """A game that can be played here."""

    name: str = Field(description="In requests and addresses")
    title: str = Field(description="For people")
    players: list[int] = Field(description="Possible numbers of players")
    options: dict[str, list[str | bool]] = Field(description="For each option its choices, the default first")
    bots: list[str] = Field(description="Names of the bots that can be seated")


class TableSummary(BaseModel):
    """A table in a list."""

    id: str
    game: str
    title: str
    options: dict[str, str | bool]
    players: list[str] = Field(description="Names by seat, in the reader's language")
    rated: bool = Field(description="Whether the result counts for ratings")
    days: int | None = Field(description="Days for each move of a correspondence game; null for other games")
    status: str = Field(description="`playing` or `over`")
    url: str
    scores: list[int] | None = Field(None, description="When the game is over: the points by seat")
    winners: list[int] | None = Field(None, description="When the game is over: the seats that won")
    ended: float | None = Field(None, description="When the game ended, in seconds since 1970")


class TableCreated(BaseModel):
    """A table that was opened."""

    id: str = Field(description="20 hexadecimal digits that nobody can guess")
    url: str = Field(description="The table's page on this server; whoever has it may watch and take a free seat")
    seats: list[int] = Field(description="Your seats, counted from 1")
    key: str | None = Field(None, description="A new key that holds your seats, if you sent none. It is sent only once")


class SeatTaken(BaseModel):
    """A seat that you took."""

    seat: int = Field(description="Counted from 1")
    key: str | None = Field(None, description="A new key that holds it, if you sent none. It is sent only once")


class SeatsReturned(BaseModel):
    """The seats that you play yourself again."""

    seats: list[int] = Field(description="Counted from 1")


class PuzzleGame(BaseModel):
    """A game with puzzles, and how you do at them."""

    game: str
    title: str
    puzzles: int = Field(description="How many there are")
    rating: int = Field(description="Yours, on the scale of the puzzles")
    deviation: int = Field(description="The standard deviation of your rating")
    streak: int = Field(description="How many you have solved in a row")
    best_streak: int
    solved: int
    tried: int


class ResultsInfo(BaseModel):
    """How you did against opponents of one kind."""

    game: str
    title: str
    players: int
    opponents: str = Field(description="`people`, or the strongest bot at the table")
    games: int
    won: int = Field(description="Shared wins count")
    mean: float = Field(description="Points in a game, on average")
    best: int


class MistakesInfo(BaseModel):
    """How your moves were graded in reviews."""

    game: str
    title: str
    reviewed: int = Field(description="Games")
    moves: int = Field(description="Graded moves")
    grades: dict[str, int] = Field(description="How many moves had each grade")


class ProfileInfo(BaseModel):
    """Your profile."""

    name: str = Field(description="Empty if you have typed none")
    avatar: str = Field(description="Nine tiles, by their letters; `/avatar/NINE_LETTERS.svg` shows them")
    linked: float | None = Field(description="When your private link was made; null if there is none")
    vacation: VacationInfo
    ratings: list[OwnRatingInfo]
    results: list[ResultsInfo] = Field(description="Of your latest 200 games")
    mistakes: list[MistakesInfo] = Field(description="Of those games that were reviewed")


class VacationInfo(BaseModel):
    """Your days off, on which the deadlines of your correspondence games stand still."""

    until: float | None = Field(description="When you are back, in seconds since 1970; null if you are not away")
    left: int = Field(description="Days that you may still take")


class RatingInfo(BaseModel):
    """A rating, on a scale like Elo's, on which newcomers have 1000."""

    rating: int
    deviation: int = Field(description="Its standard deviation")
    provisional: bool = Field(description="Whether too little is known to compare it with others")
    games: int = Field(description="Rated games; 0 for bots, whose strength was measured in matches")


class OwnRatingInfo(RatingInfo):
    """Your rating in a game with a number of players."""

    game: str
    title: str
    players: int


class LeaderboardEntry(RatingInfo):
    """A line of the leaderboard."""

    rank: int | None = Field(description="null for bots and provisional ratings")
    name: str
    avatar: str | None = Field(description="null for bots")
    bot: str | None = Field(description="The name of a bot; null for people")
    you: bool


class Leaderboard(BaseModel):
    """The strongest players of this server in a game with a number of players."""

    game: str
    title: str
    players: int
    entries: list[LeaderboardEntry] = Field(description="The highest rating first")


class MatchInfo(BaseModel):
    """How a search for an opponent stands."""

    status: str = Field(description="`found`: go to the table. `waiting`: ask again in two seconds, with `table`")
    table: str
    url: str
    waited: float = Field(description="Seconds")
    bot: str | None = Field(
        description="After a while, the bot that is offered, about as strong as you; null until then"
    )


class LinkMade(BaseModel):
    """The private link to your profile. It is shown only once: the server keeps nothing but a hash of it."""

    url: str = Field(description="The page on this server; whoever opens it can play as you")


class ProfileClaimed(BaseModel):
    """The profile that this browser has now."""

    name: str
    avatar: str


class DailyEntry(BaseModel):
    """How somebody did at a daily table."""

    rank: int
    name: str
    score: int
    opposing: int = Field(description="The score of the bot")
    won: bool
    you: bool
    replay: str = Field(description="The page that shows the game move by move")
    review: str = Field(description="The page of its review")


class DailyDay(BaseModel):
    """The results of a day."""

    day: str = Field(examples=["2026-01-31"])
    players: int = Field(description="How many finished their game")
    results: list[DailyEntry] = Field(description="Wins first, then by the margin; the first 50, and you")


class DailyInfo(BaseModel):
    """The daily table."""

    day: str = Field(description="Today, in UTC")
    game: str
    title: str
    bot: str = Field(description="Whom everybody plays against")
    status: str = Field(description="`open`, `playing` or `over`: whether you have begun, and finished")
    table: str | None = Field(description="The id of your table")
    today: DailyDay | None = Field(description="When your game is over: everybody's results")
    yesterday: DailyDay


class ReviewFound(BaseModel):
    """A game that can be reviewed."""

    id: str = Field(description="That of the table, or of the record")
    url: str = Field(description="The page of the review on this server; whoever has it may read it")
    progress: float | None = Field(description="From 0 to 1, when it is complete; null if it has not begun")


class SeatsLeft(BaseModel):
    """The seats that you no longer have."""

    seats: list[int] = Field(description="Counted from 1")


class MoveAccepted(BaseModel):
    """A move that is on the server's disk."""

    event: int = Field(description="The number of the last event")


class SeatInfo(BaseModel):
    """Who sits where."""

    seat: int = Field(description="Counted from 1")
    name: str = Field(description="In the reader's language; `Ada (bot)` if a bot plays on for Ada")
    kind: str = Field(description="Who plays: `human`, `bot`; or `invite`, `open` if the seat is free")
    you: bool = Field(description="Whether you play here")
    yours: bool = Field(description="Whether your key holds the seat, even if a bot plays on for you")
    present: bool = Field(description="Whether the player has a live connection")
    replaceable: bool = Field(description="Whether the player has been away so long that a bot may play on")
    substitute: bool = Field(description="Whether a bot plays on for a person; see `POST .../return`")
    timed_out: bool = Field(description="Whether the bot plays to the end, because the person's clock ran out")
    vacation: float | None = Field(
        description="In a correspondence game: until when the player is on vacation, in seconds since 1970"
    )


class LegalMove(BaseModel):
    """A legal move of the player to move."""

    number: int
    text: str = Field(examples=["3b2"])


class TableInfo(BaseModel):
    """A table as it is now."""

    id: str
    game: str
    players: int
    options: dict[str, str | bool]
    seats: list[SeatInfo]
    event: int = Field(description="The number of the last event, counted from 1; 0 before the first deal")
    events: list[str] = Field(
        description="The events after `after`: `draw bbyw kkkr` for tiles drawn, `1 3b2` for a move of seat 1,"
        " `takeback 2` when the last two moves were undone, `help 1` when seat 1 asked for a hint, `practice ID`"
        " after what was copied from the game with the review of that id",
        examples=[["draw bbyw kkkr yyrw rrbw ykww", "1 1b2"]],
    )
    position: str = Field(description="The position as a line of text; `tilewright.read_position` reads it")
    phase: str
    turn: int | None = Field(description="The seat to move; null while a seat is free and when the game is over")
    legal: list[LegalMove] = Field(description="All legal moves of that seat")
    scores: list[int]
    over: dict[str, Any] | None = Field(
        description="null while the game is being played; then `winners` (seats), `scores`, `points` (by source, for"
        " each seat), `seed` (the dealer's secret), `helped` (who asked for hints), `result` (who won, in a"
        " sentence) and `summary` (by how much, and what decided it)"
    )
    seed_hash: str = Field(description="The SHA-256 of the dealer's secret, published when the table is opened")
    clock: dict[str, Any] | None = Field(
        description="`remaining` (seconds by seat), `running` (the seat whose time runs) and, in a correspondence game,"
        " `due` (when the time for the move is over, in seconds since 1970); null without a clock"
    )
    rematch: str | None = Field(description="The id of the table where the players meet again, if there is one")
