"""The games for OpenSpiel: ``pyspiel.load_game("tilewright_<game>(players=2)")`` after ``register()``.

Needs the package ``open_spiel``. Every draw of a tile is a chance node, every decision an action, and all information
is public.
"""

from __future__ import annotations

try:
    from tilewright.envs.openspiel.games import OpenSpielGame, register, short_name
    from tilewright.envs.openspiel.states import OpenSpielState
except ModuleNotFoundError as error:
    if error.name is None or error.name.startswith("tilewright"):
        raise
    raise ModuleNotFoundError(
        f'tilewright.envs.openspiel needs the package open_spiel: pip install "tilewright[rl]" (no {error.name})',
        name=error.name,
    ) from error

__all__ = ["OpenSpielGame", "OpenSpielState", "register", "short_name"]
