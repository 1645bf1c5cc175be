"""Show the examples in docstrings as sessions: an extension for griffe, which reads the docstrings of the reference."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

_SESSION = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)


class FenceDoctests(Extension):  # type: ignore[misc]  # griffe is not checked here
    """Put a fence around every block that begins with ``>>>``."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring of a module, a class, a function or an attribute, once it is read."""
        if obj.docstring is not None:
            obj.docstring.value = _SESSION.sub(lambda found: f"```pycon\n{found[0]}\n```", obj.docstring.value)
