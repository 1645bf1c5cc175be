"""The command ``tilewright``. It loads the games only when a command needs them, so that help is immediate."""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from typing import Any

from tilewright.cli.extras import missing_extra
from tilewright.cli.parser import parse
from tilewright.cli.terminal import flush, forgive_output, harmless

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


def main(argv: list[str] | None = None) -> int:
    """Run a command. The exit code is 0 for success, 1 for a failure or bad input, 2 for a wrong command line."""
    forgive_output()
    with warnings.catch_warnings():
        warnings.showwarning = _warn
        return _run(sys.argv[1:] if argv is None else argv)


def _run(argv: list[str]) -> int:
    try:
        arguments = parse(argv)
    except SystemExit as leaving:  # argparse has said why
        return leaving.code if isinstance(leaving.code, int) else USAGE
    _find_modules_here()
    try:
        command = import_module(f"tilewright.cli.{arguments.command}")
        code = int(command.run(arguments))
        flush()
        return code
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # somebody like head has seen enough
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception as error:
        message = _message_of(error, arguments.command)
        if message is None:
            raise
        print(f"tilewright: {harmless(message)}", file=sys.stderr)
        return USAGE if _is_usage(error) else FAILED


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning in one line, without the line of our code that raised it: most are about somebody's package."""
    print(f"tilewright: warning: {harmless(' '.join(str(message).split()))}", file=sys.stderr)


def _find_modules_here() -> None:
    """Look for users' own bots, ``my_module:MyBot``, in the current folder too, after everything else."""
    with suppress(OSError):  # a folder that is gone
        here = os.getcwd()
        if here not in sys.path:
            sys.path.append(here)


def _is_usage(error: Exception) -> bool:
    """Whether the command line is to blame: options and names of games and bots come from there."""
    from tilewright.game.errors import BadOption

    return isinstance(error, BadOption)


def _message_of(error: Exception, command: str) -> str | None:
    """One line for an error that the input or a missing package caused; None for a bug of ours."""
    from tilewright.game.errors import TilewrightError

    if isinstance(error, ModuleNotFoundError):
        return missing_extra(error, command)
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return " ".join(str(error).split()) if isinstance(error, TilewrightError) else None


if __name__ == "__main__":
    sys.exit(main())
