"""The observation of a game that has no part ``observation``: the fields of its record, from the observer's seat.

- The field ``turn`` becomes a one-hot vector over the seats, counted from the observer, and ``phase`` one over the
  phases. Fields that tell rule sets apart (``GameSpec.rule_set_fields``) and fields whose name begins with an
  underscore are left out.
- Arrays by seat begin with the observer's own entry and go on in turn order. Which arrays these are the rules say with
  ``BY_SEAT``; otherwise they are those whose first axis is as long as that of ``score``.
- Numbers are divided by the largest absolute value that occurs in a few random games.
- Unsigned integers of 32 or 64 bits are taken for bit masks and written bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.envs.parts import Part, seat_after, write_choice
from tilewright.game.game import Game
from tilewright.kernels.compile import Cells, Row, Specialiser, jit_options

if TYPE_CHECKING:  # bound for each field
    FIELD = ""
    SHAPE: tuple[int, ...] = ()
    FACTOR = np.float32(1)
    COUNT = 0
    write_element: Any = None
    write_field: Any = None
    write_rest: Any = None

SAMPLE_GAMES = 8
"""Random games of each rule set that numbers are scaled by."""
MASK_BYTES = 4
"""Unsigned integers of this size or more are bit masks: a 32-bit float could not hold them as numbers."""

# ------------------------------------------------------------------------------------------------- Kernels


@jit_options(forceinline=True)
def write_scaled(value: Any, out: Cells, at: int) -> int:
    """A number."""
    out[at] = np.float32(value) * FACTOR
    return at + 1


@jit_options(forceinline=True)
def write_mask(value: Any, out: Cells, at: int) -> int:
    """The bits of a mask, the lowest first."""
    for bit in range(COUNT):
        out[at + bit] = np.float32((np.uint64(value) >> np.uint64(bit)) & np.uint64(1))
    return at + COUNT


@jit_options(forceinline=True)
def write_single(position: Row, observer: int, out: Cells, at: int) -> int:
    """A field that is not an array."""
    return write_element(position[FIELD], out, at)


@jit_options(forceinline=True)
def write_array(position: Row, observer: int, out: Cells, at: int) -> int:
    """An array that is the same for every observer."""
    for index in np.ndindex(SHAPE):
        at = write_element(position[FIELD][index], out, at)
    return at


@jit_options(forceinline=True)
def write_seats(position: Row, observer: int, out: Cells, at: int) -> int:
    """One element for each seat, the observer's first."""
    players = int(position.players)
    for step in range(players):
        at = write_element(position[FIELD][seat_after(observer, step, players)], out, at)
    return at


@jit_options(forceinline=True)
def write_arrays_of_seats(position: Row, observer: int, out: Cells, at: int) -> int:
    """An array for each seat, the observer's first."""
    players = int(position.players)
    for step in range(players):
        seat = seat_after(observer, step, players)
        for index in np.ndindex(SHAPE):
            at = write_element(position[FIELD][(seat, *index)], out, at)
    return at


@jit_options(forceinline=True)
def write_turn(position: Row, observer: int, out: Cells, at: int) -> int:
    """Whose turn it is, counted from the observer."""
    players = int(position.players)
    return write_choice((int(position.turn) - observer + players) % players, players, out, at)


@jit_options(forceinline=True)
def write_phase(position: Row, observer: int, out: Cells, at: int) -> int:
    """What the game waits for."""
    return write_choice(int(position.phase), COUNT, out, at)


@jit_options(forceinline=True)
def write_fields(position: Row, observer: int, out: Cells, at: int) -> int:
    """One field, then those after it: a loop over fields of different types would not compile."""
    return write_rest(position, observer, out, write_field(position, observer, out, at))


@jit_options(forceinline=True)
def write_nothing(position: Row, observer: int, out: Cells, at: int) -> int:
    """After the last field."""
    return at


@jit_options(forceinline=True)
def observe(position: Row, observer: int, out: Cells) -> None:
    """Write the observation of a seat."""
    write_rest(position, observer, out, 0)


# -------------------------------------------------------------------------------------------------- Fields


@dataclass(frozen=True)
class Field:
    """A field of the record, and how it is written."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    """Of one seat's entry, if the field is an array by seat."""
    by_seat: bool
    scale: float

    @property
    def is_mask(self) -> bool:
        """Whether it is written bit by bit."""
        return self.dtype.kind == "u" and self.dtype.itemsize >= MASK_BYTES

    @property
    def bits(self) -> int:
        """Of a mask."""
        return 8 * self.dtype.itemsize

    @property
    def writer(self) -> Callable[..., int]:
        """The kernel that writes it."""
        if self.by_seat:
            return write_arrays_of_seats if self.shape else write_seats
        return write_array if self.shape else write_single

    def part(self, players: int) -> Part:
        """The part of the observation that it becomes."""
        shape = (*((players,) if self.by_seat else ()), *self.shape)
        if self.is_mask:
            return Part(self.name, (*shape, self.bits), 1, 1, f"the bits of {self.name}")
        low, high = _limits(self.dtype)
        shape = shape or (1,)
        return Part(self.name, shape, self.scale, high / self.scale, f"the field {self.name}", low / self.scale)


def _limits(dtype: np.dtype[Any]) -> tuple[float, float]:
    """The least and the greatest value of a type."""
    if dtype.kind == "b":
        return 0.0, 1.0
    if dtype.kind == "f":
        return -np.inf, np.inf
    limits = np.iinfo(dtype)
    return float(limits.min), float(limits.max)


def _fields(game: Game) -> list[Field]:
    """The fields that are observed, besides ``turn`` and ``phase``."""
    record: Any = game.kernels.dtype
    scales = _scales(type(game))  # type: ignore[arg-type]  # mypy takes classes for unhashable
    fields = []
    for name in record.names:
        dtype = record[name]
        if name in ("turn", "phase", *game.spec.rule_set_fields) or name.startswith("_"):
            continue
        own = name in game.kernels.fields_by_seat
        fields.append(Field(name, dtype.base, dtype.shape[1:] if own else dtype.shape, own, scales[name]))
    return fields


@cache
def _scales(game_class: type[Game]) -> dict[str, float]:
    """The largest absolute value of each field in random games of every rule set."""
    names = game_class.spec.kernels.dtype.names or ()
    largest = dict.fromkeys(names, 0.0)
    for chosen in game_class.spec.rule_sets():
        batch = game_class(**chosen).batch(SAMPLE_GAMES, seed=0)
        while True:
            for name in names:
                largest[name] = max(largest[name], float(np.abs(batch.states[name].astype(np.float64)).max()))
            if batch.over.all():
                break
            batch.push(batch.random_moves())
    return {name: value or 1.0 for name, value in largest.items()}


@cache
def default_observation(game_class: type[Game]) -> ModuleType:
    """A part ``observation`` for a game that has none."""
    game = game_class(**game_class.spec.rule_sets()[0])
    fields, phases = _fields(game), game.spec.phases

    def parts_of(rule_set: Game) -> list[Part]:
        return [
            Part("turn", (rule_set.players,), 1, 1, "whose turn it is, counted from the observer"),
            Part("phase", (len(phases),), 1, 1, f"the phase: {', '.join(phases)}"),
            *(field.part(rule_set.players) for field in fields),
        ]

    def bound(function: Callable[..., Any], name: str, **names: Any) -> Any:
        return Specialiser(names, f"{game.kernels.name}.{name}").compile(function)

    rest: Any = bound(write_nothing, "end")
    for field in reversed(fields):
        names = {"FIELD": field.name, "SHAPE": field.shape, "FACTOR": np.float32(1 / field.scale), "COUNT": field.bits}
        element = bound(write_mask if field.is_mask else write_scaled, field.name, **names)
        writer = bound(field.writer, field.name, **names, write_element=element)
        rest = bound(write_fields, field.name, write_field=writer, write_rest=rest)
    rest = bound(write_fields, "phase", write_field=bound(write_phase, "phase", COUNT=len(phases)), write_rest=rest)
    rest = bound(write_fields, "turn", write_field=bound(write_turn, "turn"), write_rest=rest)
    part: Any = ModuleType("default_observation")
    part.parts_of, part.observe = parts_of, bound(observe, "all", write_rest=rest)
    module: ModuleType = part
    return module
