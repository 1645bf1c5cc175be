"""The stamp of a kernel changes when its machine code would, and not otherwise."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tilewright.kernels.digest import digest_of

CALLEE = """
LIMIT = 3
LOOKUP_TABLE = np.array([1, 2, 3])

def helper(x):
    return x + LIMIT
"""
CALLER = """
def caller(x, bonus=1):
    '''What it is for.'''
    return helper(x) * LOOKUP_TABLE[x] + bonus
"""


def stamp(callee: str = CALLEE, caller: str = CALLER, **options: Any) -> str:
    """The stamp of ``caller``, which uses what another module defines."""
    other: dict[str, Any] = {"np": np}
    exec(callee, other)
    own: dict[str, Any] = {name: other[name] for name in ("helper", "LOOKUP_TABLE")}
    exec(caller, own)
    return digest_of(own["caller"], options)


def edited(text: str, before: str, after: str) -> str:
    assert before in text
    return text.replace(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [("x + LIMIT", "x - LIMIT"), ("LIMIT = 3", "LIMIT = 4"), ("LIMIT = 3", "LIMIT = 3.0"), ("[1, 2, 3]", "[1, 2, 4]")],
)
def test_an_edit_of_what_is_called_changes_the_stamp(before: str, after: str):
    assert stamp(callee=edited(CALLEE, before, after)) != stamp()


@pytest.mark.parametrize(("before", "after"), [("* LOOKUP_TABLE", "+ LOOKUP_TABLE"), ("bonus=1", "bonus=2")])
def test_an_edit_of_the_function_changes_the_stamp(before: str, after: str):
    assert stamp(caller=edited(CALLER, before, after)) != stamp()


@pytest.mark.parametrize(
    ("before", "after"),
    [("'''What it is for.'''", "'''Something else.'''"), ("def caller", "# a comment\n\ndef caller")],
)
def test_comments_and_docstrings_do_not_change_the_stamp(before: str, after: str):
    assert stamp(caller=edited(CALLER, before, after)) == stamp()


def test_an_unused_name_does_not_change_the_stamp():
    assert stamp(callee=CALLEE + "UNUSED = 5\n") == stamp()


def test_compiler_options_change_the_stamp():
    assert stamp(forceinline=True) != stamp()


def test_field_names_are_part_of_the_stamp():
    def reads(field: str) -> str:
        own: dict[str, Any] = {}
        exec(f"def read(row):\n    '''A field.'''\n    return row[{field!r}]", own)
        return digest_of(own["read"], {})

    assert reads("score") != reads("bonus")


def test_a_constant_of_a_module_is_part_of_the_stamp():
    def uses(limit: int) -> str:
        rules = ModuleType("rules")
        rules.LIMIT = limit  # type: ignore[attr-defined]
        own: dict[str, Any] = {"rules": rules}
        exec("def over(x):\n    return x > rules.LIMIT", own)
        return digest_of(own["over"], {})

    assert uses(3) != uses(4)


def test_a_function_that_calls_itself_has_a_stamp():
    def counted(step: int) -> str:
        own: dict[str, Any] = {}
        exec(f"def count(n):\n    return count(n - {step}) if n > 0 else 0", own)
        return digest_of(own["count"], {})

    assert counted(1) == counted(1) != counted(2)
