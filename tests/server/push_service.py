"""A push service on this machine, and a browser that is subscribed to it.

It checks what a real one checks, and reads what only the browser may read, with the primitives of the standards (RFC
8188, 8291 and 8292) and not with the library that the server uses.
"""

from __future__ import annotations

import base64
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

P256 = ec.SECP256R1()


def to_text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def to_bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


class Device:
    """A browser with keys of its own."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._key = ec.generate_private_key(P256)
        self._secret = secrets.token_bytes(16)

    @property
    def subscription(self) -> dict[str, Any]:
        """What the browser tells the page."""
        keys = {"p256dh": to_text(point_of(self._key.public_key())), "auth": to_text(self._secret)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def read(self, body: bytes) -> dict[str, Any]:
        """Decrypt a message (RFC 8291)."""
        salt, length = body[:16], body[20]
        sender, encrypted = body[21 : 21 + length], body[21 + length :]
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(P256, sender))
        info = b"WebPush: info\0" + point_of(self._key.public_key()) + sender
        secret = derived(self._secret, shared, info, 32)
        key = derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(salt, secret, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, encrypted, None).rstrip(b"\0")
        assert padded[-1] == 2, "the delimiter of the last record"
        content: dict[str, Any] = json.loads(padded[:-1])
        return content


@dataclass
class Delivery:
    """A message that was accepted, or refused on purpose."""

    path: str
    headers: dict[str, str]
    body: bytes
    claims: dict[str, Any]
    key: str
    """The public key that it was signed with."""


@dataclass
class PushService:
    """What was sent, and what is answered: 201, unless a test wants something else for a path."""

    url: str
    received: list[Delivery] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)

    def device(self, name: str) -> Device:
        """A browser that gets its messages at an address of its own."""
        return Device(f"{self.url}/push/{name}")

    def at(self, device: Device) -> list[Delivery]:
        """What came for a browser."""
        return [one for one in self.received if self.url + one.path == device.endpoint]


def checked_signature(header: str, audience: str) -> tuple[dict[str, Any], str]:
    """The claims of a signature that is right, and the key it was made with (RFC 8292)."""
    scheme, _, rest = header.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    signed, _, signature = parts["t"].rpartition(".")
    raw = to_bytes(signature)
    encoded = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(P256, to_bytes(parts["k"]))
    key.verify(encoded, signed.encode(), ec.ECDSA(hashes.SHA256()))
    head, claims = (json.loads(to_bytes(part)) for part in signed.split("."))
    assert head["alg"] == "ES256"
    assert claims["aud"] == audience
    assert time.time() < claims["exp"] < time.time() + 24 * 3600
    return claims, parts["k"]


@contextmanager
def push_service() -> Iterator[PushService]:
    """A push service on a free port; it refuses whatever is not signed for it."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                claims, key = checked_signature(self.headers["Authorization"], service.url)
            except Exception:
                self.send_response(403)
            else:
                service.received.append(Delivery(self.path, dict(self.headers), body, claims, key))
                self.send_response(service.statuses.get(self.path, 201))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = PushService(f"http://127.0.0.1:{server.server_port}")
    running = threading.Thread(target=server.serve_forever, daemon=True)
    running.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        running.join()
