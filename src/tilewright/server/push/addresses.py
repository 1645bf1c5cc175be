"""Which push services the server talks to: any on the internet, none inside the network of the host.

A browser names the address, and the server sends requests there: without a check anybody could make it talk to
machines that only it can reach. The address that was checked is the one that is connected to, since the name might lead
elsewhere a moment later.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

from tilewright.server.errors import RequestError

LONGEST = 1000
"""Characters of an address."""
_PORTS = {"https": 443, "http": 80}
_UNICAST = ipaddress.ip_network("2000::/3")
"""All of IPv6 that the internet uses so far; what is outside may lead into some network."""
_TRANSLATION = ipaddress.ip_network("64:ff9b::/96")
"""Where gateways reach IPv4 addresses from networks that have none (RFC 6052)."""


class Address(NamedTuple):
    """The parts of the address of a push service."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """Whom a signature is meant for."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{name}" + ("" if self.port == _PORTS[self.scheme] else f":{self.port}")


def parse(endpoint: str, *, private: bool) -> Address:
    """An address that may be sent to, as far as it tells by itself; raises ``RequestError`` for any other.

    With ``private``, push services in the network of the host are allowed, and need no encrypted connection.
    """
    try:
        parts = urlsplit(endpoint)
        port, host = parts.port, parts.hostname or ""
    except ValueError as error:
        raise _refused(str(error)) from None
    if len(endpoint) > LONGEST or not endpoint.isascii() or any(character <= " " for character in endpoint):
        raise _refused(f"it must be ASCII without spaces, at most {LONGEST} characters")
    if parts.scheme != "https" and not (private and parts.scheme == "http"):
        raise _refused("it must begin with https://")
    if not host or parts.username is not None or parts.password is not None:
        raise _refused("it must name a host and no user")
    if port not in (None, _PORTS[parts.scheme]) and not private:
        raise _refused("it must use the usual port")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    found = Address(parts.scheme, host, port or _PORTS[parts.scheme], path)
    if not private and _is_number(host):
        _check_public(host)
    return found


def resolve(address: Address, *, private: bool) -> str:
    """The number of the machine to connect to; raises ``RequestError`` if any number of the name is not public."""
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise OSError(f"{address.host} cannot be found: {error}") from None
    numbers = [str(one[4][0]) for one in found]
    if not private:
        for number in numbers:
            _check_public(number)
    return numbers[0]


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _check_public(number: str) -> None:
    found = ipaddress.ip_address(number.partition("%")[0])
    embedded = _embedded(found) if isinstance(found, ipaddress.IPv6Address) else []
    is_outside = isinstance(found, ipaddress.IPv6Address) and found not in _UNICAST and not embedded
    if any(not one.is_global or one.is_multicast for one in (found, *embedded)) or is_outside:
        raise _refused("it is not an address of the public internet")


def _embedded(number: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """The IPv4 addresses to which a gateway may forward what is sent to an IPv6 address."""
    found = [number.ipv4_mapped, number.sixtofour, *(number.teredo or ())]
    if number in _TRANSLATION:
        found.append(ipaddress.IPv4Address(int(number) & 0xFFFFFFFF))
    return [one for one in found if one is not None]


def _refused(why: str) -> RequestError:
    return RequestError("bad_subscription", exactly=f"the endpoint cannot be used: {why}")
