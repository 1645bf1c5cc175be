"""Environments for research: PettingZoo, Gymnasium, OpenSpiel, and many games at once on the CPU or a GPU.

Importing this package registers the games with whichever of the three is installed
(``pip install "tilewright[rl]"`` installs them all).
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from tilewright.envs.action_features import ActionDescriber
from tilewright.envs.observation import NetworkObserver, Observer
from tilewright.envs.symmetry import canonical, symmetries
from tilewright.envs.vector import Vector

if TYPE_CHECKING:
    from tilewright.envs.cuda_vector import CudaVector

__all__ = ["ActionDescriber", "CudaVector", "NetworkObserver", "Observer", "Vector", "canonical", "symmetries"]

_PACKAGES = {"pettingzoo": "pettingzoo", "gymnasium": "gymnasium", "pyspiel": "openspiel"}

for _package, _adapter in _PACKAGES.items():
    if find_spec(_package) is not None:
        import_module(f"tilewright.envs.{_adapter}").register()


def __getattr__(name: str) -> Any:
    """What needs a GPU is imported when it is first used."""
    if name == "CudaVector":
        return import_module("tilewright.envs.cuda_vector").CudaVector
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
