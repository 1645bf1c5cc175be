"""Where people want to be notified: the addresses that their browsers got from a push service."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec

from tilewright.server.errors import RequestError
from tilewright.server.push.keys import decoded
from tilewright.server.store import Store

MOST_OF_PERSON = 10
"""Browsers of one person; the one that was added first is forgotten first."""
_SECRET_BYTES = 16


class Subscription(NamedTuple):
    """A browser that wants to be notified."""

    endpoint: str
    """Where to send notifications to."""
    key_hash: str
    public_key: str
    """The key of the browser, with which they are encrypted, and a secret that the push service does not know."""
    secret: str
    site: str
    """The host by which the browser knows this server; a push service may complain there."""
    language: str


def check_keys(public_key: str, secret: str) -> None:
    """Raise ``RequestError`` for keys with which nothing could be encrypted."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(public_key))
        if len(decoded(secret)) != _SECRET_BYTES:
            raise ValueError(f"{_SECRET_BYTES} bytes are needed")
    except ValueError as error:
        raise RequestError("bad_subscription", exactly=f"these keys cannot be used for encryption: {error}") from None


def subscribe(store: Store, subscription: Subscription) -> None:
    """Remember where to notify somebody; whoever used the browser before is no longer notified there."""
    with store.transaction() as database:
        database.execute(
            f"insert into subscriptions ({_COLUMNS}, at) values (?, ?, ?, ?, ?, ?, ?) on conflict (endpoint)"
            " do update set key_hash = excluded.key_hash, public_key = excluded.public_key, secret = excluded.secret,"
            " site = excluded.site, language = excluded.language, at = excluded.at",
            (*subscription, time.time()),
        )
        others = "delete from notices where endpoint = ? and key_hash <> ?"
        database.execute(others, (subscription.endpoint, subscription.key_hash))
        query = "select endpoint from subscriptions where key_hash = ? order by at desc"
        for (surplus,) in database.query(query, (subscription.key_hash,))[MOST_OF_PERSON:]:
            unsubscribe(store, surplus)


def unsubscribe(store: Store, endpoint: str, key_hash: str | None = None) -> None:
    """Notify nobody there any more; only if it is a certain person's, if one is named."""
    with store.transaction() as database:
        query = "select 1 from subscriptions where endpoint = ? and key_hash = ?"
        if key_hash is not None and not database.query(query, (endpoint, key_hash)):
            return
        database.execute("delete from notices where endpoint = ?", (endpoint,))
        database.execute("delete from subscriptions where endpoint = ?", (endpoint,))


def subscriptions_of(store: Store, key_hash: str) -> list[Subscription]:
    """Where somebody wants to be notified, the oldest first."""
    query = f"select {_COLUMNS} from subscriptions where key_hash = ? order by at"
    return [Subscription(*row) for row in store.database.read(query, (key_hash,))]


def exported_subscriptions(store: Store, key_hash: str) -> list[dict[str, Any]]:
    """What is stored of where somebody wants to be notified."""
    return [{"endpoint": one.endpoint, "language": one.language} for one in subscriptions_of(store, key_hash)]


def forget_subscriptions(store: Store, key_hash: str) -> None:
    """Notify somebody nowhere any more."""
    with store.transaction() as database:
        for (endpoint,) in database.query("select endpoint from subscriptions where key_hash = ?", (key_hash,)):
            unsubscribe(store, endpoint)


_COLUMNS = "endpoint, key_hash, public_key, secret, site, language"
