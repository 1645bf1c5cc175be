"""Environments for research: PettingZoo, Gymnasium, OpenSpiel, and many games at once on processor and graphics card.

Importing this package registers the games with whichever of the three is installed
(``pip install "tilewright[rl]"`` installs them all).
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from tilewright.envs.action_features import ActionDescriber
from tilewright.envs.observation import Observer
from tilewright.envs.symmetry import canonical, symmetries
from tilewright.envs.vector import Vector

__all__ = ["ActionDescriber", "Observer", "Vector", "canonical", "symmetries"]

_PACKAGES = {"pettingzoo": "pettingzoo", "gymnasium": "gymnasium", "pyspiel": "openspiel"}

for _package, _adapter in _PACKAGES.items():
    if find_spec(_package) is not None:
        import_module(f"tilewright.envs.{_adapter}").register()
