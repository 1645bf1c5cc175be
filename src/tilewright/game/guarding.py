"""The code of a game, called so that its errors are reported as its own: which game, which part, what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import update_wrapper, wraps
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar, cast

from tilewright.game.errors import GameFault, TilewrightError, describe_error
from tilewright.game.validation import echo

if TYPE_CHECKING:
    from tilewright.game.position import Position

P = ParamSpec("P")
T = TypeVar("T")
Types: TypeAlias = tuple[Any, ...]
"""The types that a result may have, as ``isinstance`` takes them."""
NOTHING: Mapping[str, Types] = MappingProxyType({})


def guarded(title: str, part: str, function: Callable[P, T], returns: Types = (object,)) -> Callable[P, T]:
    """A function of the game with this title that raises ``GameFault``, also if it returns something of another type.

    Errors of ours pass through it.

    >>> guarded("Ludo", "points", lambda seat: {}[seat])(0)
    Traceback (most recent call last):
    tilewright.game.errors.GameFault: Ludo has a fault: its points raised KeyError: 0
    """
    inner = getattr(function, "__wrapped__", function)  # another spec may have been made from this one

    @wraps(inner)
    def call(*arguments: P.args, **options: P.kwargs) -> T:
        try:
            result = inner(*arguments, **options)
        except TilewrightError:
            raise
        except (Exception, SystemExit) as error:
            raise GameFault(title, f"its {part} raised {describe_error(error)}") from error
        if not isinstance(result, returns):
            wanted = " or ".join(kind.__name__ for kind in returns)
            raise GameFault(title, f"its {part} returned {echo(result)} instead of {wanted}")
        return cast(T, result)

    return call


def guarded_account(
    title: str, part: str, function: Callable[..., object], check: Callable[[Position, object], T]
) -> Callable[..., T]:
    """A function that tells something about a position: it is given a copy, and what it returns is checked."""
    inner = getattr(function, "__wrapped__", function)

    def account(position: Position, about: object) -> T:
        return check(position, inner(position.without_dealer(), about))

    return update_wrapper(guarded(title, part, account), inner)


def guarded_part(title: str, part: str, inner: T, returns: Mapping[str, Types] = NOTHING) -> T:
    """An object or module of a game, all of whose functions are guarded; ``returns`` names the types of results."""
    kind = _GuardedModule if isinstance(inner, ModuleType) else _Guarded
    return cast(T, kind(title, part, unguarded(inner), returns))


def unguarded(part: object) -> object:
    """What a guarded part stands for; another object is returned as it is."""
    return part._inner if isinstance(part, _Guarded) else part


class _NotThere(GameFault, AttributeError):
    """Something that a part of a game should have, unless there is a default: ``getattr`` can be given one."""


class _Guarded:
    """Stands for an object; each of its functions is guarded when it is first asked for."""

    def __init__(self, title: str, part: str, inner: object, returns: Mapping[str, Types]) -> None:
        self._title, self._part, self._inner, self._returns = title, part, inner, returns

    def __getattr__(self, name: str) -> Any:
        try:
            value = getattr(self.__dict__["_inner"], name)
        except AttributeError:
            raise _NotThere(self._title, f"its {self._part} has no {name}") from None
        if callable(value):
            value = guarded(self._title, f"{self._part}.{name}", value, self._returns.get(name, (object,)))
            setattr(self, name, value)
        return value


class _GuardedModule(_Guarded, ModuleType):
    """Stands for a module."""
