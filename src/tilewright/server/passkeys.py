"""Passkeys as they are stored: another way to carry a profile to another device.

A passkey holds a secret, its user handle, which authenticators tell this site alone, when their owner agrees.
As with a private link, the store has the person's key sealed with that secret, so nobody who reads the database can use
it. Nor is the secret alone enough: the passkey must sign a challenge.
"""

from __future__ import annotations

import secrets
import time
from typing import Any, NamedTuple

from tilewright.server.errors import RequestError
from tilewright.server.profiles import sealed, unsealed
from tilewright.server.seated_table import hash_key
from tilewright.server.store import Store

CHALLENGE_LASTS = 300.0
"""Seconds in which a challenge must be answered, once."""
_BYTES = 32


class Passkey(NamedTuple):
    """A passkey that opens a profile."""

    key_hash: str
    public_key: bytes
    sign_count: int
    sealed_key: str


def new_challenge(store: Store, sealed_key: str | None, key_hash: str | None) -> bytes:
    """A challenge that a passkey must answer; for a new passkey with what will be stored for it."""
    challenge, now = secrets.token_bytes(_BYTES), time.time()
    with store.transaction() as database:
        database.execute("delete from challenges where at < ?", (now - CHALLENGE_LASTS,))
        row = (challenge.hex(), key_hash, sealed_key, now)
        database.execute("insert into challenges (challenge, key_hash, sealed_key, at) values (?, ?, ?, ?)", row)
    return challenge


def take_challenge(store: Store, challenge: bytes) -> tuple[str | None, str | None] | None:
    """What belongs to a challenge, which nobody can answer again; None if there is none, or no longer."""
    with store.transaction() as database:
        query = "select key_hash, sealed_key from challenges where challenge = ? and at > ?"
        rows = database.query(query, (challenge.hex(), time.time() - CHALLENGE_LASTS))
        taken = database.execute("delete from challenges where challenge = ?", (challenge.hex(),))
    return (rows[0][0], rows[0][1]) if rows and taken else None


def sealed_for_passkey(key: str) -> tuple[bytes, str]:
    """The user handle of a new passkey, and a key sealed with it."""
    handle = secrets.token_bytes(_BYTES)
    return handle, sealed(key, handle.hex())


def key_behind_passkey(passkey: Passkey, handle: bytes) -> str | None:
    """The key that a passkey opens with its user handle; None if it is another passkey's."""
    try:
        key = unsealed(passkey.sealed_key, handle.hex())
    except UnicodeDecodeError:
        return None
    return key if hash_key(key) == passkey.key_hash else None


def save_passkey(store: Store, credential_id: bytes, passkey: Passkey) -> None:
    """Store a passkey, unless there is one with this id: authenticators choose them at random, but anybody can lie."""
    with store.transaction() as database:
        added = database.execute(
            "insert into passkeys (id, key_hash, public_key, sign_count, sealed_key, at) values (?, ?, ?, ?, ?, ?)"
            " on conflict (id) do nothing",
            (
                credential_id.hex(),
                passkey.key_hash,
                passkey.public_key.hex(),
                passkey.sign_count,
                passkey.sealed_key,
                time.time(),
            ),
        )
        if not added:
            raise RequestError("bad_passkey", exactly="there is a passkey with this id already")


def passkey_with_id(store: Store, credential_id: bytes) -> Passkey | None:
    """The passkey with an id; None if there is none."""
    query = "select key_hash, public_key, sign_count, sealed_key from passkeys where id = ?"
    rows = store.database.read(query, (credential_id.hex(),))
    return Passkey(rows[0][0], bytes.fromhex(rows[0][1]), *rows[0][2:]) if rows else None


def note_use(store: Store, credential_id: bytes, sign_count: int) -> None:
    """A passkey was used: a copy of it, which counts from where it was copied, is found out."""
    with store.transaction() as database:
        database.execute("update passkeys set sign_count = ? where id = ?", (sign_count, credential_id.hex()))


def passkeys_of(store: Store, key_hash: str) -> list[str]:
    """The ids of a person's passkeys, in hexadecimal digits, the oldest first."""
    rows = store.database.read("select id from passkeys where key_hash = ? order by at", (key_hash,))
    return [row[0] for row in rows]


def exported_passkeys(store: Store, key_hash: str) -> list[dict[str, Any]]:
    """What is stored of a person's passkeys."""
    rows = store.database.read("select id, at from passkeys where key_hash = ? order by at", (key_hash,))
    return [{"id": name, "made": at} for name, at in rows]


def remove_passkeys(store: Store, key_hash: str) -> None:
    """None of a person's passkeys opens anything any more."""
    with store.transaction() as database:
        database.execute("delete from passkeys where key_hash = ?", (key_hash,))
        database.execute("delete from challenges where key_hash = ?", (key_hash,))
