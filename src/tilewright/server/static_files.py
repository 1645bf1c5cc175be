"""Static files at addresses that name their content, so that browsers may keep them for good.

Scripts import one another by relative names, so one digest stands for all files: a page never mixes two versions.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path, PurePath

from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

from tilewright.view.picture.icon import draw_icon
from tilewright.view.picture.palette import stylesheet

STATIC = Path(__file__).parent / "static"
DRAWN: dict[str, Callable[[], str]] = {
    "palette.css": stylesheet,
    "icon.svg": draw_icon,
    "icon-turn.svg": partial(draw_icon, marked=True),
}
"""Files that are made in Python, where the colours of pages and drawings are defined once."""
_KINDS = {".css": "text/css", ".svg": "image/svg+xml"}
FOR_GOOD = "public, max-age=31536000, immutable"
_DIGEST = re.compile(r"[0-9a-f]{12}")


@cache
def static_names() -> tuple[str, ...]:
    """The names of all static files."""
    return (*DRAWN, *sorted(path.name for path in STATIC.iterdir() if path.is_file()))


@cache
def static_digest() -> str:
    """What changes whenever a static file does."""
    content = hashlib.sha256()
    for name in static_names():
        content.update(name.encode() + b"\0" + _content(name) + b"\0")
    return content.hexdigest()[:12]


def _content(name: str) -> bytes:
    return DRAWN[name]().encode() if name in DRAWN else (STATIC / name).read_bytes()


def static_url(name: str) -> str:
    """The address of a static file."""
    if name not in static_names():
        raise FileNotFoundError(f"there is no static file {name!r}")
    return f"/static/{static_digest()}/{name}"


class VersionedFiles(StaticFiles):
    """The static files of this version; a page of another version gets them too, but must not keep them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or "not modified"."""
        version, _, rest = PurePath(path).as_posix().partition("/")
        name = rest if rest and _DIGEST.fullmatch(version) else path
        if name in DRAWN:
            response = Response(_content(name), media_type=_KINDS[PurePath(name).suffix])
        else:
            response = await super().get_response(name, scope)
        response.headers["Cache-Control"] = FOR_GOOD if version == static_digest() else "no-cache"
        return response
