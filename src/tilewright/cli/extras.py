"""What to install when a command needs packages that a plain installation does without."""

from __future__ import annotations

WEB_PACKAGES = frozenset(
    {
        "alembic",
        "cryptography",
        "fastapi",
        "h11",
        "http_ece",
        "jinja2",
        "markdown_it",
        "prometheus_client",
        "py_vapid",
        "pydantic",
        "sqlalchemy",
        "starlette",
        "uvicorn",
        "webauthn",
        "websockets",
        "werkzeug",
    }
)
"""The modules that the server imports and the extra ``web`` installs."""


def missing_extra(error: ModuleNotFoundError, command: str) -> str | None:
    """Which extra brings the module that a command lacks; None for a module that is not optional."""
    package = (error.name or "").partition(".")[0]
    if package not in WEB_PACKAGES:
        return None
    told = f"'tilewright {command}' needs the package {package}: pip install 'tilewright[web]'"
    return f"{told}; 'tilewright play --terminal' does without it" if command == "play" else told
