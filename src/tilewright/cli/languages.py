"""The language of a command: as asked for, or as the environment says."""

from __future__ import annotations

import os

from tilewright.view.language import DEFAULT, LANGUAGES

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def chosen_language(asked: str | None, for_programs: bool = False) -> str:
    """``--language``; else English for programs, and for people the language of their environment if it is ours."""
    if asked is not None:
        return asked
    spoken = next(filter(None, map(os.environ.get, _VARIABLES)), "")[:2]
    return spoken if spoken in LANGUAGES and not for_programs else DEFAULT
