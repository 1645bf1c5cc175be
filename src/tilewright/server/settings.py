"""What a host may choose about a server."""

from __future__ import annotations

from dataclasses import dataclass

PLEASANT_THINKING = 0.7
LONG_ABSENCE = 45.0


@dataclass(frozen=True)
class Settings:
    """The usual choices suit a club; ``tilewright serve`` has an option for each."""

    thinking: float = PLEASANT_THINKING
    """Seconds that a bot takes at least for a move that somebody watches, so that people can follow."""
    limits: float = 1.0
    """How many times the usual rates of requests are allowed; 0 for no limits."""
    absent: float = LONG_ABSENCE
    """Seconds after which the others may let a bot play on for somebody who is away."""
    network: str | None = None
    """Where others on the network reach this server, for invitations; None if they cannot, or nobody knows."""
