"""A reason why one move is better than another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TEXT_KEY = "text:"


def text_key(key: str) -> str:
    """A field that is said in the reader's language: the key of a text in the game's translations."""
    return TEXT_KEY + key


@dataclass(frozen=True)
class Reason:
    """What kind of reason it is, the facts that its text needs, and how much it matters.

    The texts are in the game's translations under ``reason.KIND``, those of the kinds that every game has in the
    engine's under ``insight.reason.KIND``. The field ``seat`` becomes the ``{name}`` of the player. The text of an
    expected reason says only what that player does: the condition and the name are put before it. In hints, what is
    said to that player is under ``yours.KIND``.
    """

    kind: str
    fields: Mapping[str, int | str] = field(default_factory=dict)
    weight: float = 0.0
    """In points, roughly: reasons are listed in this order, the heaviest first."""
    is_expected: bool = False
    """Whether it holds if everybody plays well, and not by what the move does; it then needs the field ``seat``."""
    round_points: int = field(default=0, compare=False)
    """Points of the player in ``seat`` by the end of the round that it accounts for. Only for choosing reasons."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "kind": self.kind,
            "fields": dict(self.fields),
            "weight": round(self.weight, 3),
            "is_expected": self.is_expected,
        }

    @classmethod
    def from_dict(cls, told: dict[str, Any]) -> Reason:
        """What ``to_dict`` wrote."""
        return cls(told["kind"], dict(told["fields"]), told["weight"], told["is_expected"])
