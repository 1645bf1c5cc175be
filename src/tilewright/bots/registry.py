"""The bots by name, and the small grammar that names them.

``search``, ``search:100ms``, ``search:4000`` (simulations), ``search:20000nodes``: a name, and after a colon a budget.
``champion`` takes budgets too, and a number of threads: ``champion:1s:4threads``. ``level1`` to ``level6`` have their
own budgets. ``my_module:MyBot`` is a class of your own; packages may also give their bots names, with an entry point in
the group ``tilewright.bots``.
``run:./my_bot --fast @100ms`` is a program in any language that speaks the protocol of docs/bots.md: a command line,
and after an @ its budget.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache, partial
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, cast

from tilewright.bots.bot import Bot
from tilewright.bots.champion import ChampionBot
from tilewright.bots.engine.client import EngineBot
from tilewright.bots.greedy import GreedyBot
from tilewright.bots.levels import LEVEL_NAMES, LEVELS, is_level, make_level
from tilewright.bots.random import RandomBot
from tilewright.bots.search import SearchBot
from tilewright.game.errors import BadOption, TilewrightError, describe_error
from tilewright.game.validation import echo
from tilewright.search.budget import Budget
from tilewright.search.parallel_search import read_threads

ENTRY_POINTS = "tilewright.bots"
RUN = "run"
"""The prefix of a command line. It is not an entry of BOTS, because web users must not run commands."""

Maker = Callable[..., Bot]
"""A class of bots, or a function that makes one. ``seed``, ``budget`` and ``threads`` are passed if it takes them."""

BOTS: dict[str, Maker] = {
    "champion": ChampionBot,
    "search": SearchBot,
    "greedy": GreedyBot,
    "random": RandomBot,
}
"""Our own bots."""

OFFERED = (*LEVEL_NAMES, "random")
"""The bots that people choose from, also on the web; all of them are part of this package."""
USUAL_OPPONENT = "level2"
"""The default for people: a pleasant first game."""
_GIVEN = ("seed", "budget", "threads")
"""What a maker may take."""
_ARGUMENTS = {"budget": "budget", "threads": "number of threads"}
"""What may follow a name, as people say it."""


def make_bot(text: str, seed: int | None = None) -> Bot:
    """A bot from its name and budget; with a seed, and no budget in time, its play is reproducible.

    >>> type(make_bot("random")).__name__
    'RandomBot'
    """
    if not isinstance(text, str):
        raise BadOption(f"a bot is named by a string like 'search:100ms', not by {echo(text)}")
    name, argument = split_bot(text)
    if name == RUN:
        return EngineBot.read(argument, seed)
    maker = find_maker(name)
    if not argument and text.rstrip().endswith(":"):
        raise BadOption(f"{echo(text)}: the budget after the colon is missing, as in {name}:100ms")
    return _make(maker, text, argument, seed)


def split_bot(text: str) -> tuple[str, str]:
    """The name of a bot and what follows it: a budget, a number of threads, both or nothing.

    >>> split_bot("search:100ms"), split_bot("my.module:MyBot"), split_bot("my.module:MyBot:2s:4threads")
    (('search', '100ms'), ('my.module:MyBot', ''), ('my.module:MyBot', '2s:4threads'))
    """
    name, _, rest = text.strip().partition(":")
    if name in BOTS or is_level(name) or name in named_elsewhere() or name == RUN or not rest:
        return name, rest
    class_name, _, argument = rest.partition(":")
    return f"{name}:{class_name}", argument


@cache
def named_elsewhere() -> dict[str, Any]:
    """The bots of other installed packages, by the names of their entry points."""
    return {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}


def find_maker(name: str) -> Maker:
    """The class or function that makes the bots of a name."""
    if name in BOTS:
        return BOTS[name]
    if name in LEVEL_NAMES:
        return partial(make_level, LEVELS[LEVEL_NAMES.index(name)])
    if name in named_elsewhere():
        return _checked(name, _load(name, named_elsewhere()[name].load))
    module, _, class_name = name.partition(":")
    if class_name and all(part.isidentifier() for part in [*module.split("."), class_name]):
        return _import_maker(module, class_name)
    if is_level(name):
        raise BadOption(f"no bot is called {echo(name)}: the levels are 1 to {LEVELS[-1]}, as in level3")
    known = [*BOTS, *named_elsewhere()]
    near = get_close_matches(name, [*known, *OFFERED], n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise BadOption(
        f"no bot is called {echo(name)}; the bots are {', '.join(known)}, level1 to level{LEVELS[-1]}, "
        f"module:Class for a class of your own, 'run:COMMAND' for a program{hint}"
    )


def _import_maker(module: str, class_name: str) -> Maker:
    name = f"{module}:{class_name}"
    found = _load(name, lambda: import_module(module))
    if not hasattr(found, class_name):
        raise BadOption(f"the module {echo(module)} has no {echo(class_name)}")
    return _checked(name, getattr(found, class_name))


def _load(name: str, load: Callable[[], Any]) -> Any:
    """Import a bot. The module is the user's own, and importing it may do anything."""
    try:
        return load()
    except ModuleNotFoundError as error:
        raise BadOption(f"the bot {name} cannot be imported: {error}") from error
    except (Exception, SystemExit) as error:
        raise BadOption(f"the bot {name} cannot be imported: {describe_error(error)}") from error


def _checked(name: str, found: Any) -> Maker:
    if not callable(found):
        raise BadOption(f"{name} is not a class of bots")
    return cast(Maker, found)


def _make(maker: Maker, text: str, argument: str, seed: int | None) -> Bot:
    """Call a maker with the seed, the budget and the number of threads, if it takes them."""
    taken = _parameters(maker, text)
    given: dict[str, Any] = {"seed": seed} if "seed" in taken else {}
    for part in argument.split(":") if argument else ():
        threads = read_threads(part)
        name = "budget" if threads is None else "threads"
        if name not in taken:
            raise BadOption(f"{echo(text)}: this bot takes no {_ARGUMENTS[name]}")
        value = threads or Budget.read(part)
        if name in given:
            raise BadOption(f"{echo(text)}: the {_ARGUMENTS[name]} is given twice")
        given[name] = value
    try:
        bot = maker(**given)
    except TilewrightError:
        raise
    except (Exception, SystemExit) as error:
        raise BadOption(f"the bot {echo(text)} cannot be made: {describe_error(error)}") from error
    if not callable(getattr(bot, "choose", None)):
        raise BadOption(f"{echo(text)} is not a bot: it has no method 'choose'")
    return bot


def _parameters(maker: Maker, text: str) -> Mapping[str, inspect.Parameter]:
    """The parameters of a maker; raises BadOption, clearer than Python's own errors, if we cannot provide them."""
    if inspect.isabstract(maker):
        raise BadOption(f"{echo(text)} is not a bot: it has no method 'choose'")
    try:
        taken = inspect.signature(maker).parameters
    except (TypeError, ValueError):
        raise BadOption(f"{echo(text)} is not a class of bots") from None
    unknown = [
        name
        for name, one in taken.items()
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD) and name not in _GIVEN
    ]
    if unknown:
        if not inspect.isclass(maker):
            raise BadOption(f"{echo(text)} is a function, not a bot; a bot is a class with a method 'choose'")
        raise BadOption(
            f"the bot {echo(text)} cannot be made: its class requires {', '.join(unknown)};"
            " only seed, budget and threads are passed"
        )
    return taken
