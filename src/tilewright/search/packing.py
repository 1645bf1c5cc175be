"""Weights as they are stored: matrices as bytes with a scale for each row, vectors in half precision."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tilewright.game.errors import BadOption

FORMAT = 3
"""Of weights and checkpoints; it rises when networks change so that older ones cannot be read."""
LARGEST = 127
_SCALE = ":scale"
_ABOUT = "about"

Arrays = dict[str, NDArray[np.float32]]


def write_weights(path: Path, weights: Arrays, about: dict[str, Any], precision: str = "float16") -> None:
    """Store weights, in ``float16`` or in half of that as ``int8``, and what is to be known about them."""
    stored: dict[str, NDArray[Any]] = {_ABOUT: np.array(json.dumps({**about, "format": FORMAT}))}
    for name, values in weights.items():
        if precision == "int8" and values.ndim == 2:
            scale = (np.abs(values).max(axis=1) / LARGEST).astype(np.float16).clip(min=np.float16(1e-6))
            stored[name + _SCALE] = scale
            stored[name] = np.rint(values / scale[:, None].astype(np.float32)).clip(-LARGEST, LARGEST).astype(np.int8)
        else:
            stored[name] = values.astype(np.float16)
    np.savez_compressed(path, allow_pickle=False, **stored)


def read_arrays(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """Stored weights in single precision, and what is said about them."""
    try:
        weights, about = _read_arrays(path)
        found = about.get("format")
    except (ValueError, TypeError, AttributeError, KeyError, EOFError, OSError, RuntimeError, BadZipFile) as error:
        raise BadOption(
            f"{path} does not hold exported weights, which tilewright train writes to weights.npz"
        ) from error
    if found != FORMAT:
        raise BadOption(
            f"{path} holds weights of format {found}, but this version of Tilewright reads format {FORMAT}: "
            "train them again"
        )
    return weights, about


def _read_arrays(path: Path) -> tuple[Arrays, dict[str, Any]]:
    with path.open("rb") as stream, np.load(stream) as file:
        about: dict[str, Any] = json.loads(str(file[_ABOUT]))
        weights: Arrays = {}
        for name in file.files:
            if name == _ABOUT or name.endswith(_SCALE):
                continue
            weights[name] = file[name].astype(np.float32)
            if name + _SCALE in file.files:
                weights[name] *= file[name + _SCALE].astype(np.float32)[:, None]
    return weights, about
