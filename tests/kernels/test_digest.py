"""The stamp of a kernel changes when its machine code would, and not otherwise."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tilewright.kernels import linking
from tilewright.kernels.cache import KernelCache
from tilewright.kernels.digest import digest_of, digest_of_module

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


LINKING = """
MARK = "linked"

def plain(x):
    return x

class Library:
    is_optimised = True

    @classmethod
    def read(cls, data):
        '''A library from the cache.'''
        return cls(), data

    @property
    def codegen(self):
        return 1
"""


def module_stamp(text: str) -> str:
    module = ModuleType("tilewright.kernels.linked")
    exec(text, module.__dict__)
    return digest_of_module(module)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"linked"', '"other"'),
        ("return x", "return -x"),
        ("= True", "= False"),
        ("cls(), data", "data, cls()"),
        ("return 1", "return 2"),
    ],
)
def test_an_edit_of_a_module_changes_its_stamp(before: str, after: str):
    assert module_stamp(edited(LINKING, before, after)) != module_stamp(LINKING)


def test_comments_and_docstrings_of_a_module_do_not_change_its_stamp():
    assert module_stamp(edited(LINKING, "A library from the cache.", "Something else.")) == module_stamp(LINKING)
    assert module_stamp(edited(LINKING, "def plain", "# a comment\ndef plain")) == module_stamp(LINKING)


def test_how_kernels_are_linked_is_part_of_every_stamp(monkeypatch: pytest.MonkeyPatch):
    def stamped() -> str:
        return KernelCache(module_stamp, {}, is_inner=False)._stamp

    before = stamped()
    assert stamped() == before
    monkeypatch.setattr(linking, "OPTIMISED_LATER", "somewhere.else.")
    monkeypatch.setattr("tilewright.kernels.cache.HOW_LINKED", digest_of_module(linking))
    assert stamped() != before


def test_a_stamp_is_the_same_in_every_process():
    program = "from tilewright.kernels.cache import HOW_LINKED; print(HOW_LINKED)"
    stamps = {subprocess.check_output([sys.executable, "-c", program], text=True) for _ in range(2)}
    assert stamps == {f"{digest_of_module(linking)}\n"}
