"""The page that lists the public API and the package agree."""

from __future__ import annotations

import re

import tilewright as tw
import tilewright.arena
import tilewright.envs
from doc_pages import ROOT

PAGE = (ROOT / "docs" / "public-api.md").read_text(encoding="utf-8")
REFERENCE = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "reference").glob("*.md"))


def test_the_page_lists_what_the_package_exports():
    listed = re.findall(r"`tw\.(\w+)`", PAGE)
    assert sorted(listed) == sorted(tw.__all__)


def test_the_reference_describes_every_public_class_and_function():
    described = set(re.findall(r"^::: [\w.]+\.(\w+)$", REFERENCE, re.MULTILINE))
    at_home = {"bot": "make_bot"}
    values = {"GAMES"}  # a mapping, described by the guide
    public = {at_home.get(name, name) for name in tw.__all__} - values
    assert public | set(tilewright.envs.__all__) | set(tilewright.arena.__all__) <= described


def test_everything_in_the_reference_exists():
    from importlib import import_module

    for path in re.findall(r"^::: ([\w.]+)$", REFERENCE, re.MULTILINE):
        module, _, name = path.rpartition(".")
        assert hasattr(import_module(module), name) or import_module(path), path
