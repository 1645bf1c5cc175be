"""Every code block of a page runs: sessions as doctests, programs in their own tests, commands as far as they parse."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from doc_pages import ROOT, blocks
from tilewright.cli.parser import parse

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TARGETS = set(re.findall(r"^([\w -]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
RUN_ELSEWHERE = {
    "adapters.md": "tools/check_adapters.py runs them, each in an environment of its own",
    "add-a-game.md": "tests/games/test_add_a_game_page.py compares them with the package that tests/games plays",
    "web.md": "tests/server/test_web_page.py runs the program",
    "vector.md": "the block for a GPU, which tests/envs/test_cuda.py plays on one",
}


def commands() -> Iterator[tuple[str, list[str]]]:
    """The commands of all shell blocks, each with its page; continued lines are one."""
    for page, text in blocks("sh", "console"):
        if "while read" in text or "curl" in text:
            continue  # programs, which tests/bots and tests/server run
        for line in text.replace("\\\n", " ").splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            if "--" in words:
                words = words[words.index("--") + 1 :]  # what another command runs, such as `ray job submit`
            if words:
                yield page.name, words


@pytest.mark.parametrize(("page", "words"), [one for one in commands() if one[1][0].endswith("tilewright")])
def test_commands_are_ours(page: str, words: list[str]):
    if any("courtyard" in word for word in words):
        pytest.skip("needs the example package, with which tests/games runs")
    assert parse(words[1:]).command


@pytest.mark.parametrize(("page", "words"), [one for one in commands() if one[1][:2] == ["pip", "install"]])
def test_extras_exist(page: str, words: list[str]):
    for word in words[2:]:
        if word.startswith("tilewright"):
            assert Requirement(word).extras <= PROJECT["optional-dependencies"].keys()
        elif word.startswith("./"):
            assert (ROOT / word).is_dir()


@pytest.mark.parametrize(("page", "words"), [one for one in commands() if one[1][0] == "make"])
def test_targets_exist(page: str, words: list[str]):
    assert any(words[1] in line.split() for line in TARGETS)


@pytest.mark.parametrize(("page", "words"), [one for one in commands() if one[1][0].endswith("python")])
def test_scripts_exist(page: str, words: list[str]):
    scripts = [word for word in words[1:] if word.endswith(".py") and "/" in word]
    assert all((ROOT / script).is_file() for script in scripts)


@pytest.mark.parametrize(("page", "text"), list(blocks("python", "pycon", "py")), ids=lambda one: str(one)[-24:])
def test_python_is_a_session_or_run_by_another_test(page: Path, text: str):
    assert text.startswith(">>> ") or page.name in RUN_ELSEWHERE
