"""The command-line options of the server. Imports nothing heavy, so that ``--help`` is immediate."""

from __future__ import annotations

import argparse
from ipaddress import ip_address, ip_network

from tilewright.server.settings import KEEP_ABANDONED, KEEP_FINISHED, LONG_ABSENCE, PLEASANT_THINKING, Settings
from tilewright.server.telemetry.options import add_telemetry_options

THIS_MACHINE = "127.0.0.1"
_MOST = 1_000_000


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that ``tilewright serve`` and ``python -m tilewright.server.run`` share."""
    _add_play_options(parser)
    _add_storage_options(parser)
    _add_service_options(parser)
    add_telemetry_options(parser)


def _add_play_options(parser: argparse.ArgumentParser) -> None:
    """What visitors notice."""
    parser.add_argument(
        "--behind-proxy",
        nargs="?",
        const=THIS_MACHINE,
        type=_proxies,
        metavar="ADDRESS",
        help="trust the X-Forwarded headers of a proxy at this address or in this network (127.0.0.1 if none is given)",
    )
    parser.add_argument(
        "--thinking",
        type=_not_negative,
        default=PLEASANT_THINKING,
        metavar="SECONDS",
        help=f"make bots take at least this long over a move, so that people can follow (default {PLEASANT_THINKING})",
    )
    parser.add_argument(
        "--absent",
        type=_not_negative,
        default=LONG_ABSENCE,
        metavar="SECONDS",
        help=f"how long a player must be away before a bot may take over (default {LONG_ABSENCE:.0f})",
    )
    parser.add_argument(
        "--limits",
        type=_not_negative,
        default=1.0,
        metavar="TIMES",
        help="multiply the limits of one visitor by this factor; 0 for no limits (default 1)",
    )


def _add_storage_options(parser: argparse.ArgumentParser) -> None:
    """How long games are kept, and how long a review may take."""
    parser.add_argument(
        "--keep-finished",
        type=_not_negative,
        default=KEEP_FINISHED,
        metavar="DAYS",
        help=f"delete games this long after they ended; 0 to keep all of them (default {KEEP_FINISHED:.0f})",
    )
    parser.add_argument(
        "--keep-abandoned",
        type=_not_negative,
        default=KEEP_ABANDONED,
        metavar="DAYS",
        help=f"delete unfinished games this long after the last move; 0 to keep all of them"
        f" (default {KEEP_ABANDONED:.0f})",
    )
    parser.add_argument(
        "--review-budget",
        type=_budget,
        metavar="BUDGET",
        help="how long each evaluation of a review or hint may take, such as 4000 or 50ms (by default it depends on the"
        " length of the game)",
    )


def _add_service_options(parser: argparse.ArgumentParser) -> None:
    """What the host has beside the server."""
    parser.add_argument(
        "--redis",
        metavar="URL",
        help="a Redis or Valkey server, redis://..., which carries messages between servers and jobs to workers",
    )
    parser.add_argument(
        "--private-push",
        action="store_true",
        help="allow push services at private addresses, for networks that have one of their own",
    )
    parser.add_argument(
        "--drain",
        type=_not_negative,
        default=0.0,
        metavar="SECONDS",
        help="keep serving for this long after SIGTERM, while a proxy sends visitors to other servers (default 0)",
    )
    parser.add_argument(
        "--ignore-damage",
        action="store_true",
        help="serve a database even if SQLite finds damage in it",
    )


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The settings that the options give."""
    return Settings(
        thinking=arguments.thinking,
        limits=arguments.limits,
        absent=arguments.absent,
        redis=arguments.redis,
        drain=arguments.drain,
        private_push=arguments.private_push,
        keep_finished=arguments.keep_finished,
        keep_abandoned=arguments.keep_abandoned,
        review_budget=arguments.review_budget,
    )


def host(text: str) -> str:
    """An address to listen on; an IPv6 address may have the brackets that it has in URLs."""
    return text[1:-1] if text.startswith("[") and text.endswith("]") else text


def _budget(text: str) -> str:
    """The text of a budget; whoever asks for help need not wait until the search is imported."""
    from tilewright.game.errors import TilewrightError
    from tilewright.search.budget import Budget

    try:
        return str(Budget.read(text))
    except TilewrightError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _proxies(text: str) -> str:
    """Addresses or networks; with anything else no proxy would be trusted, and all visitors would share one address."""
    for part in text.split(","):
        if part.strip() != "*":
            _check_network(part.strip())
    return text


def _check_network(text: str) -> None:
    try:
        network = ip_network(text, strict=False)
    except ValueError:
        wanted = "must be an address or a network, such as 127.0.0.1 or 10.0.0.0/8"
        raise argparse.ArgumentTypeError(f"{text[:40]!r} {wanted}") from None
    address = text.partition("/")[0]
    if "/" in text and ip_address(address) != network.network_address:
        raise argparse.ArgumentTypeError(f"{text!r} must be {network}, the whole network, or {address}, one address")


def _not_negative(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= _MOST:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} must be a number from 0 to {_MOST}")
    return number
