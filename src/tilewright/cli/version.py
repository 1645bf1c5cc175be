"""``tilewright version``: what is installed, found without loading it."""

from __future__ import annotations

import json
import platform
from argparse import Namespace
from importlib import metadata

import tilewright


def run(arguments: Namespace) -> int:
    """Print the versions."""
    versions = {"tilewright": tilewright.__version__, "python": platform.python_version()}
    for package in ("numpy", "numba"):
        versions[package] = metadata.version(package)
    if arguments.json:
        print(json.dumps(versions))
    else:
        print("\n".join(f"{name:10} {version}" for name, version in versions.items()))
    return 0
