"""The key with which this server signs its notifications (VAPID, RFC 8292).

It is made on the first start and kept in the database, so that all processes have the same one: browsers subscribe to
the notifications of one key only.
"""

from __future__ import annotations

import base64

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tilewright.server.store import Store

_NAME = "vapid"


def private_key(store: Store) -> str:
    """The private key of the server, 32 bytes in base64url; made now if there is none."""
    query = "select value from server_keys where name = ?"
    with store.transaction() as database:
        if not database.query(query, (_NAME,)):
            statement = "insert into server_keys (name, value) values (?, ?) on conflict (name) do nothing"
            database.execute(statement, (_NAME, _new_key()))  # another process may have been faster
        return str(database.query(query, (_NAME,))[0][0])


def public_key(private: str) -> str:
    """The key that browsers are given, an uncompressed point in base64url."""
    number = int.from_bytes(decoded(private))
    point = ec.derive_private_key(number, ec.SECP256R1()).public_key()
    return encoded(point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def _new_key() -> str:
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encoded(number.to_bytes(32))


def encoded(content: bytes) -> str:
    """Bytes as base64url without padding, as the protocol writes them."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """What base64url stands for; raises ValueError for anything else."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
