"""``docs/security.md`` names tests for every risk; they exist, and the list of risks is complete."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
_SETTINGS = (HERE.parent / "conftest.py").read_text(encoding="utf-8")
SLOW = set(re.findall(r'"server/(.*)"', _SETTINGS.partition("\nSLOW = (")[2].partition("\n)")[0]))
"""The files that ``make test`` leaves out."""
PAGE = (HERE.parents[1] / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_test_that_the_page_names_exists():
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    there = {name for path in HERE.glob("test_*.py") for name in re.findall(r"^def (test_\w+)", path.read_text(), re.M)}
    assert len(named) > 40
    assert named - there == set()


def test_every_finding_has_tests_that_are_not_left_to_the_slow_run():
    _, _, findings = PAGE.partition("## What a hostile test found")
    rows = [line for line in findings.partition("## ")[0].splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 16
    assert len(SLOW) > 20
    quick = set().union(*(_quick_tests(path) for path in HERE.glob("test_*.py") if path.name not in SLOW))
    for row in rows:
        named = set(re.findall(r"`(test_\w+)`", row))
        assert named, row
        assert named - quick == set()


def _quick_tests(path: Path) -> set[str]:
    """The tests of a file that are not marked as slow."""
    found = re.findall(r"((?:^@.*\n(?:^[ )].*\n)*)*)^def (test_\w+)", path.read_text(encoding="utf-8"), re.M)
    return {name for decorators, name in found if "mark.slow" not in decorators}


def test_every_risk_of_the_list_has_a_section_with_tests():
    sections = re.split(r"^## ", PAGE, flags=re.M)
    risks = [section for section in sections if section.startswith("API")]
    assert [int(section.partition(":")[0].removeprefix("API")) for section in risks] == list(range(1, 11))
    assert all("Tests:" in section for section in risks)
