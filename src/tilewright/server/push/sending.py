"""Sending one notification: encrypted for the browser (RFC 8291), signed by the server, handed to the push service.

Used in threads: everything here waits for the network.
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
from enum import Enum
from functools import cache
from typing import Any, NamedTuple

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from tilewright.server.push.addresses import Address, parse, resolve
from tilewright.server.push.keys import decoded
from tilewright.server.push.subscriptions import Subscription

TIMEOUT = 10.0
"""Seconds for each step of a connection."""
SIGNED_FOR = 12 * 3600
"""Seconds for which a signature holds; the protocol allows a day."""
_LONGEST_ANSWER = 2000


class Outcome(Enum):
    """What became of a notification."""

    SENT = "sent"
    GONE = "gone"
    """Nobody is subscribed at this address any more."""
    LATER = "later"
    """The push service cannot take it now."""
    REFUSED = "refused"
    """The push service will never take it."""


class Message(NamedTuple):
    """What is sent."""

    content: dict[str, Any]
    topic: str
    """The push service keeps one undelivered message on each topic, the last; 32 letters at most."""
    lasts: int
    """Seconds after which a message that could not be delivered is worthless."""


class Answer(NamedTuple):
    """What the push service said."""

    outcome: Outcome
    why: str
    retry_after: float = 0.0
    """Seconds that it asks us to wait."""


def send(to: Subscription, message: Message, key: str, *, private: bool) -> Answer:
    """Send a message to a browser; ``key`` is the private key of the server."""
    address = parse(to.endpoint, private=private)
    body = encrypt(to, json.dumps(message.content, ensure_ascii=False).encode())
    headers = {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(message.lasts),
        "Topic": message.topic,
        "Urgency": "normal",
        "Authorization": signature(key, address.origin, to.site),
    }
    try:
        return _post(address, resolve(address, private=private), body, headers)
    except (OSError, http.client.HTTPException) as error:
        return Answer(Outcome.LATER, f"{type(error).__name__}: {error}")


def encrypt(to: Subscription, content: bytes) -> bytes:
    """Encrypt for a browser, so that the push service cannot read it."""
    own = ec.generate_private_key(ec.SECP256R1())
    encrypted: bytes = http_ece.encrypt(
        content, private_key=own, dh=decoded(to.public_key), auth_secret=decoded(to.secret), version="aes128gcm"
    )
    return encrypted


def signature(key: str, origin: str, site: str) -> str:
    """The header that proves who sends, to this push service only, and names where to complain."""
    claims = {"aud": origin, "exp": int(time.time()) + SIGNED_FOR, "sub": f"https://{site}"}
    return str(_signer(key).sign(claims)["Authorization"])


@cache
def _signer(key: str) -> Any:
    signer = Vapid02.from_raw(key.encode())
    signer.conf = {"no-strict": True}  # it would refuse the names of hosts in a home network
    return signer


def _post(address: Address, number: str, body: bytes, headers: dict[str, str]) -> Answer:
    """Send a request to the machine whose address was checked, under the name that the browser gave."""
    connection = http.client.HTTPConnection(address.host, address.port, timeout=TIMEOUT)
    plain = socket.create_connection((number, address.port), TIMEOUT)
    try:
        secured = address.scheme == "https"
        connection.sock = _tls().wrap_socket(plain, server_hostname=address.host) if secured else plain
        host = address.origin.partition("//")[2]
        connection.request("POST", address.path, body, {"Host": host, **headers})
        response = connection.getresponse()
        told = response.read(_LONGEST_ANSWER).decode(errors="replace")
        return classify(response.status, response.getheader("Retry-After", ""), told)
    finally:
        connection.close()
        plain.close()


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def classify(status: int, retry_after: str, told: str = "") -> Answer:
    """What an answer means. Redirects are not followed: no push service needs them.

    >>> [classify(status, "").outcome.value for status in (201, 404, 410, 503, 403, 301)]
    ['sent', 'gone', 'gone', 'later', 'refused', 'refused']
    >>> classify(429, "120").retry_after
    120.0
    """
    why = f"status {status} {told[:200]}".strip()
    if 200 <= status < 300:
        return Answer(Outcome.SENT, why)
    if status in (404, 410):
        return Answer(Outcome.GONE, why)
    if status in (408, 429) or status >= 500:
        return Answer(Outcome.LATER, why, float(retry_after) if retry_after.isdecimal() else 0.0)
    return Answer(Outcome.REFUSED, why)
