"""``docs/security.md`` names tests for every risk; they exist, and the list of risks is complete."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_test_that_the_page_names_exists():
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    there = {name for path in HERE.glob("test_*.py") for name in re.findall(r"^def (test_\w+)", path.read_text(), re.M)}
    assert len(named) > 40
    assert named - there == set()


def test_every_risk_of_the_list_has_a_section_with_tests():
    sections = re.split(r"^## ", PAGE, flags=re.M)
    risks = [section for section in sections if section.startswith("API")]
    assert [int(section.partition(":")[0].removeprefix("API")) for section in risks] == list(range(1, 11))
    assert all("Tests:" in section for section in risks)
