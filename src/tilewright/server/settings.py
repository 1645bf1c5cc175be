"""The settings of a server."""

from __future__ import annotations

from dataclasses import dataclass

PLEASANT_THINKING = 0.7
LONG_ABSENCE = 45.0
KEEP_FINISHED, KEEP_ABANDONED = 730.0, 180.0


@dataclass(frozen=True)
class Settings:
    """The defaults suit a club; ``tilewright serve`` has an option for each setting."""

    thinking: float = PLEASANT_THINKING
    """The least time in seconds a bot takes for a move that somebody watches, so that people can follow."""
    limits: float = 1.0
    """A factor for the limits of one visitor; 0 for no limits."""
    absent: float = LONG_ABSENCE
    """Seconds after which the others may let a bot take over for an absent player."""
    keep_finished: float = KEEP_FINISHED
    """Days after which a finished game is deleted; 0 to keep all of them."""
    keep_abandoned: float = KEEP_ABANDONED
    """Days without a move after which an unfinished game is deleted; 0 to keep all of them."""
    review_budget: str | None = None
    """The budget of each evaluation in reviews and hints; None for one that suits the game."""
    redis: str | None = None
    """The URL of a Redis server for messages between processes and for workers; None if there is none."""
    private_push: bool = False
    """Whether notifications may be sent to push services inside the network of the host."""
    drain: float = 0.0
    """Seconds after SIGTERM in which visitors move on to other servers; 0 to end at once."""
    network: str | None = None
    """The URL of this server on the local network, for invitations; None if there is none, or it is unknown."""
