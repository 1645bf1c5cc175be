"""The README works wherever it is shown: on PyPI, on GitHub, on the site."""

from __future__ import annotations

import re

import pytest

from doc_pages import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
SITE = "https://tilewright.github.io/tilewright/"
FILES = (
    "https://github.com/tilewright/tilewright/blob/main/",
    "https://raw.githubusercontent.com/tilewright/tilewright/main/",
)
LINKS = [*re.findall(r"^\[[^]]+\]: (\S+)$", README, re.MULTILINE), *re.findall(r"\]\(([^)]+)\)", README)]


def test_there_are_links():
    assert len(LINKS) > 20


@pytest.mark.parametrize("link", LINKS)
def test_links_are_absolute_and_lead_somewhere(link: str):
    address, _, anchor = link.partition("#")
    if address.startswith(SITE):
        page = address.removeprefix(SITE).strip("/")
        found = [path for path in (ROOT / "docs" / f"{page}.md", ROOT / "docs" / page / "index.md") if path.is_file()]
        assert found, f"there is no page {page!r} in docs/"
        headings = re.findall(r"^#+ (.*)$", found[0].read_text(encoding="utf-8"), re.MULTILINE)
        assert not anchor or anchor in {
            re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-")) for heading in headings
        }
    else:
        (start,) = (start for start in FILES if address.startswith(start))
        assert (ROOT / address.removeprefix(start)).is_file()


def test_every_reference_is_defined_and_used():
    defined = set(re.findall(r"^\[([^]]+)\]:", README, re.MULTILINE))
    body = re.sub(r"^\[[^]]+\]: .*$", "", README, flags=re.MULTILINE)
    used = {name or text for text, name in re.findall(r"\[([^][]+)\](?:\[([^]]+)\])?", body)}
    assert {" ".join(name.lower().split()) for name in used} >= defined
