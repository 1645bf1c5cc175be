"""What a host may choose on the command line. Imports nothing heavy: help comes at once."""

from __future__ import annotations

import argparse

from tilewright.server.settings import LONG_ABSENCE, PLEASANT_THINKING, Settings

THIS_MACHINE = "127.0.0.1"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that ``tilewright serve`` and ``python -m tilewright.server.run`` share."""
    parser.add_argument(
        "--behind-proxy",
        nargs="?",
        const=THIS_MACHINE,
        metavar="ADDRESS",
        help="believe the X-Forwarded headers of a proxy at this address (127.0.0.1 if none is given)",
    )
    parser.add_argument(
        "--thinking",
        type=_not_negative,
        default=PLEASANT_THINKING,
        metavar="SECONDS",
        help=f"how long bots take at least, so that people can follow (default {PLEASANT_THINKING})",
    )
    parser.add_argument(
        "--absent",
        type=_not_negative,
        default=LONG_ABSENCE,
        metavar="SECONDS",
        help=f"how long somebody must be away until a bot may play on (default {LONG_ABSENCE:.0f})",
    )
    parser.add_argument(
        "--limits",
        type=_not_negative,
        default=1.0,
        metavar="TIMES",
        help="allow so many times the usual rates of requests; 0 for no limits (default 1)",
    )


def settings_of(arguments: argparse.Namespace) -> Settings:
    """What was chosen."""
    return Settings(thinking=arguments.thinking, limits=arguments.limits, absent=arguments.absent)


def _not_negative(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1e6:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} should be a number, 0 or more")
    return number
