"""The language of a command: as asked for, or as the environment says."""

from __future__ import annotations

from babel import default_locale

from tilewright.view.language import DEFAULT, LANGUAGES

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def chosen_language(asked: str | None, for_programs: bool = False) -> str:
    """``--language``; else English for programs, and for people the language of their environment if it is ours."""
    if asked is not None:
        return asked
    spoken = (default_locale(_VARIABLES) or "")[:2]
    return spoken if spoken in LANGUAGES and not for_programs else DEFAULT
