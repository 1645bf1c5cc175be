"""Who sits at a table, and who may."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from tilewright.game.dealer import SecretDealer
from tilewright.server.errors import Forbidden
from tilewright.server.names import clean_name, names_of
from tilewright.server.stored import FREE, StoredSeat, StoredTable


def hash_key(key: str) -> str:
    """Keys are stored as hashes: nobody who reads the database can take a player's seat."""
    return hashlib.sha256(key.encode()).hexdigest()


def new_id() -> str:
    """An unguessable name for a table: 80 bits."""
    return secrets.token_hex(10)


@dataclass(frozen=True, eq=False, slots=True)
class SeatedTable:
    """The seats of a table at one moment."""

    stored: StoredTable

    @property
    def id(self) -> str:
        """The unguessable name of the table."""
        return self.stored.id

    @property
    def commitment(self) -> str:
        """The hash of the dealer's secret, published from the start."""
        return SecretDealer(self.stored.secret).commitment

    def names(self, language: str) -> list[str]:
        """The names by seat, in a viewer's language."""
        return names_of(self.stored.seats, language)

    def owned_by(self, key: str | None) -> list[int]:
        """The seats that a key holds, including those where a bot plays on for its holder."""
        return self.held_by(hash_key(key)) if key else []

    def held_by(self, held: str) -> list[int]:
        """The same for the hash of a key; empty for somebody who has none."""
        return [n for n, seat in enumerate(self.stored.seats) if seat.kind == "human" and seat.key_hash == held]

    def seats_of(self, key: str | None) -> list[int]:
        """The seats where the holder of a key plays."""
        return self.played_among(self.owned_by(key))

    def played_among(self, owned: list[int]) -> list[int]:
        """Those of a person's seats where no bot plays on."""
        return [seat for seat in owned if not self.bot_of(seat)]

    def bot_of(self, seat: int) -> str | None:
        """The bot that plays in a seat, in its own right or for a person; None if a person plays."""
        stored = self.stored.seats[seat]
        return stored.bot if stored.kind == "bot" else stored.substitute

    @property
    def people(self) -> set[int]:
        """The seats where people play."""
        return {n for n, seat in enumerate(self.stored.seats) if seat.kind == "human" and not seat.substitute}

    @property
    def holders(self) -> set[int]:
        """The seats that belong to people, even where a bot plays on for them."""
        return {n for n, seat in enumerate(self.stored.seats) if seat.kind == "human"}

    @property
    def waits_for_players(self) -> bool:
        """Whether a seat is still free."""
        return any(seat.kind in FREE for seat in self.stored.seats)

    def free_for(self, key: str | None) -> list[int]:
        """The free seats that the holder of a key may take, first those that are kept for them."""
        held = hash_key(key) if key else None
        free = [n for n, seat in enumerate(self.stored.seats) if seat.kind in FREE and seat.key_hash in (None, held)]
        return sorted(free, key=lambda n: self.stored.seats[n].key_hash is None)

    def seat_for(self, key: str, name: str, seat: int | None = None) -> tuple[int, StoredSeat]:
        """The seat that a newcomer gets, and who then sits in it; the first free one if none is named."""
        held = self.owned_by(key)
        if held and seat is not None and self.stored.rated:
            raise Forbidden("rated_one_seat")
        if held and seat is None:  # a second click does not take a second seat
            return held[0], self.stored.seats[held[0]]
        free = self.free_for(key)
        if not free and self.waits_for_players:
            raise Forbidden("seats_kept")
        if seat is None:
            if not free:
                raise Forbidden("seats_taken")
            seat = free[0]
        if seat not in free:
            raise Forbidden("seat_taken", seat=seat + 1)
        return seat, StoredSeat("human", clean_name(name), hash_key(key))

    @property
    def is_by_invitation(self) -> bool:
        """Whether people sit here who all opened the table or followed its link, and play for nothing but the game."""
        holders = {seat.key_hash for seat in self.stored.seats if seat.kind == "human" and seat.key_hash}
        return len(holders) > 1 and not self.stored.public and not self.stored.is_contest

    def seat_with_substitute(self, seat: int, bot: str, *, timed_out: bool) -> StoredSeat:
        """The seat of a person for whom a bot plays on; it stays theirs."""
        return replace(self.stored.seats[seat], substitute=bot, timed_out=timed_out)

    def seat_taken_back(self, seat: int) -> StoredSeat:
        """The seat of a person who is back."""
        if self.stored.seats[seat].timed_out:
            raise Forbidden("clock_ran_out")
        return replace(self.stored.seats[seat], substitute=None)

    def with_seats(self, changed: Mapping[int, StoredSeat]) -> Self:
        """The same game with other people or bots in some seats."""
        return replace(self, stored=self.stored.with_seats(changed))

    def with_rematch(self, rematch: str) -> Self:
        """The same finished game, with the table where its players meet again."""
        return replace(self, stored=replace(self.stored, rematch=rematch))

    def for_rematch(self, by: int) -> StoredTable:
        """A new table for the same people, each one seat further on, so that another player begins.

        Whoever does not come loses a rated game: there only the player who asks for it, in the seat ``by``, is seated,
        and the seats of the others are kept for them.
        """
        seats = [_seat_again(seat, comes=n == by or not self.stored.rated) for n, seat in enumerate(self.stored.seats)]
        return StoredTable(
            id=new_id(),
            game=self.stored.game,
            players=self.stored.players,
            options=self.stored.options,
            secret=SecretDealer().secret,
            minutes=self.stored.minutes,
            increment=self.stored.increment,
            days=self.stored.days,
            rated=self.stored.rated,
            public=self.stored.public,
            seats=(*seats[1:], seats[0]),
        )


def _seat_again(seat: StoredSeat, *, comes: bool) -> StoredSeat:
    """A seat in a rematch: free if somebody has left for good, and kept free for whoever must come by themselves."""
    if seat.kind == "human" and (seat.key_hash is None or not comes):
        return StoredSeat("invite", key_hash=seat.key_hash)
    return replace(seat, substitute=None, timed_out=False)
