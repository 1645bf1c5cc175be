"""Profiles as they are stored: a name and an avatar, and the private link that carries them to another device.

A person is known by a key that only their browser has. The link holds a secret, and the store the key, sealed with
that secret, and the secret's hash: whoever reads the database can neither take a seat nor follow a link. Both devices
then have the same key, so everything else that is stored about the person needs no change.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass
from typing import Any

from tilewright.server.seated_table import hash_key
from tilewright.server.store import Store
from tilewright.view.picture.avatar import derived_avatar

_SECRET_BYTES = 24


@dataclass(frozen=True)
class Profile:
    """How a person is shown to others."""

    name: str
    """As it was typed, made harmless; empty if the person has typed none."""
    avatar: str


def profile_of(store: Store, key_hash: str) -> Profile:
    """The profile of a person; without a name, and with an avatar that follows from their key, if they saved none."""
    rows = store.database.read("select name, avatar from profiles where key_hash = ?", (key_hash,))
    return Profile(*rows[0]) if rows else Profile("", derived_avatar(key_hash))


def save_profile(store: Store, key_hash: str, profile: Profile) -> None:
    """Store a profile."""
    with store.transaction() as database:
        database.execute(
            "insert into profiles (key_hash, name, avatar, at) values (?, ?, ?, ?) on conflict (key_hash)"
            " do update set name = excluded.name, avatar = excluded.avatar, at = excluded.at",
            (key_hash, profile.name, profile.avatar, time.time()),
        )


def name_newcomer(store: Store, key_hash: str, name: str) -> None:
    """Whoever has not chosen a name is known by the one under which they played."""
    with store.transaction() as database:
        database.execute(
            "insert into profiles (key_hash, name, avatar, at) values (?, ?, ?, ?) on conflict (key_hash)"
            " do update set name = excluded.name where profiles.name = ''",
            (key_hash, name, derived_avatar(key_hash), time.time()),
        )


def new_secret() -> str:
    """A secret for a link that nobody can guess."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def save_link(store: Store, key: str, secret: str) -> None:
    """Let a secret open the profile of whoever has a key; the link that they had before no longer does."""
    with store.transaction() as database:
        database.execute(
            "insert into links (key_hash, secret_hash, sealed_key, at) values (?, ?, ?, ?) on conflict (key_hash)"
            " do update set secret_hash = excluded.secret_hash, sealed_key = excluded.sealed_key, at = excluded.at",
            (hash_key(key), hash_key(secret), sealed(key, secret), time.time()),
        )


def remove_link(store: Store, key_hash: str) -> None:
    """The link of a person no longer opens anything."""
    with store.transaction() as database:
        database.execute("delete from links where key_hash = ?", (key_hash,))


def linked_at(store: Store, key_hash: str) -> float | None:
    """When the link of a person was made, in seconds since 1970; None if there is none."""
    rows = store.database.read("select at from links where key_hash = ?", (key_hash,))
    return float(rows[0][0]) if rows else None


def key_behind(store: Store, secret: str) -> str | None:
    """The key that a secret opens; None if it opens none, or no longer."""
    rows = store.database.read("select sealed_key from links where secret_hash = ?", (hash_key(secret),))
    return unsealed(rows[0][0], secret) if rows else None


def exported_profile(store: Store, key_hash: str) -> dict[str, Any]:
    """What is stored of a person's profile."""
    profile = profile_of(store, key_hash)
    return {"name": profile.name, "avatar": profile.avatar, "linked": linked_at(store, key_hash)}


def forget_profile(store: Store, key_hash: str) -> None:
    """Delete the profile of a person and their link."""
    with store.transaction() as database:
        database.execute("delete from profiles where key_hash = ?", (key_hash,))
        database.execute("delete from links where key_hash = ?", (key_hash,))


def sealed(key: str, secret: str) -> str:
    """A key that nobody can read without the secret, in hexadecimal digits."""
    return _mixed(key.encode(), secret).hex()


def unsealed(sealed_key: str, secret: str) -> str:
    """The key that was sealed with a secret."""
    return _mixed(bytes.fromhex(sealed_key), secret).decode()


def _mixed(text: bytes, secret: str) -> bytes:
    """Seal a text, or open a sealed one: a one-time pad, since every secret is random and seals one key only."""
    pad = hashlib.shake_256(f"link {secret}".encode()).digest(len(text))
    return bytes(a ^ b for a, b in zip(text, pad, strict=True))
