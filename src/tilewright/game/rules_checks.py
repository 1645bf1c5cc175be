"""What the rules of a game must define, and what its rows must be like: told when the spec is made."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from tilewright.game.errors import BadOption
from tilewright.game.validation import echo
from tilewright.kernels.playing import Kernels

REQUIRED = ("POSITION", "set_up", "is_over", "count_actions", "count_moves", "nth_move", "apply_move")
"""What the rules of a game must define; for everything else there is a default."""
FIELDS = ("players", "turn", "phase", "round_number", "score")
"""Fields that every position must have."""
WORD = 8
"""Bytes: positions are copied word by word on a GPU."""


def check_rules(title: str, kernels: Kernels) -> None:
    """Raise ``BadOption`` for the first thing that the rules of a game lack or define wrongly."""
    if not isinstance(kernels.rules, ModuleType):
        raise BadOption(f"the rules of {title} must be a module, not {echo(kernels.rules)}")
    missing = [name for name in REQUIRED if name not in kernels.names]
    if missing:
        raise BadOption(f"the rules of {title} must define {', '.join(missing)}")
    for name in REQUIRED[1:]:
        if not callable(kernels.names[name]):
            raise BadOption(f"{name} in the rules of {title} must be a kernel, not {echo(kernels.names[name])}")
    if not isinstance(kernels.dtype, np.dtype):
        raise BadOption(f"POSITION in the rules of {title} must be a NumPy dtype, not {echo(kernels.dtype)}")
    _check_fields(title, kernels.dtype)


def _check_fields(title: str, position: np.dtype[Any]) -> None:
    fields: Mapping[str, Any] = position.fields or {}
    missing = [field for field in FIELDS if field not in fields]
    if missing:
        raise BadOption(f"POSITION of {title} must have the field{'s' * (len(missing) > 1)} {', '.join(missing)}")
    for field, (kind, offset, *_) in fields.items():
        if kind.base.kind not in "iu":
            raise BadOption(
                f"POSITION of {title}: the field {field} must hold whole numbers, such as np.int8, not {kind.base}"
            )
        if offset % kind.base.alignment:
            raise BadOption(f"POSITION of {title}: the field {field} is not aligned; list the widest types first")
    if position.itemsize % WORD:
        missing_bytes = -position.itemsize % WORD
        raise BadOption(
            f"POSITION of {title} has {position.itemsize} bytes, not a multiple of {WORD}: "
            f'add ("_padding", np.uint8, {missing_bytes})'
        )
