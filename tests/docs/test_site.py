"""The site builds, and a link that leads nowhere stops the build."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from doc_pages import ROOT


def build(target: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(target)]
    environment = os.environ | {"RUN_NOTEBOOKS": "no", "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    done = build(target)
    assert done.returncode == 0, done.stderr
    return target


def test_every_page_is_there(site: Path):
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").with_suffix("")
        folder = site / (name.parent if name.name == "index" else name)
        assert (folder / "index.html").is_file(), page


def test_nothing_is_fetched_from_elsewhere(site: Path):
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        assert re.findall(r'<(?:script|img|iframe)[^>]* src="(?:https?:)?//', html) == [], page
        assert (
            re.findall(r'<link[^>]* rel="(?:stylesheet|preconnect|preload)"[^>]* href="(?:https?:)?//', html) == []
        ), page
        assert "api.github.com" not in html


def test_pages_can_be_searched(site: Path):
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "grey wall" in index
    assert "without_dealer" in index


def test_the_rules_come_with_our_own_pictures(site: Path):
    html = (site / "learn" / "summer-pavilion" / "index.html").read_text(encoding="utf-8")
    pictures = re.findall(r'src="(pictures/[\w-]+\.svg)#only-(?:light|dark)"|src="(\.\./pictures/[\w-]+\.svg)', html)
    assert len(pictures) >= 8


def test_the_reference_says_what_a_class_takes(site: Path):
    html = (site / "reference" / "environments" / "index.html").read_text(encoding="utf-8")
    signature = re.sub("<[^>]+>", "", html).partition("Many games of one rule set, stepped together.")[0]
    assert re.search(r"Vector\(.*autoreset: bool = True", signature, re.DOTALL)


def test_the_page_of_commands_has_all_of_them(site: Path):
    from tilewright.cli.commands import COMMANDS

    html = (site / "reference" / "command-line" / "index.html").read_text(encoding="utf-8")
    assert all(f"tilewright {command}" in html for command in COMMANDS)
