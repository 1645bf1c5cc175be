"""The web table in a real browser: every page in every language, and none of another."""

from __future__ import annotations

import re
from functools import cache

import pytest
from driving import MISSING, PAGES, TABLES, MakeTab, often
from playwright.sync_api import expect

from tilewright.view.language import say, texts

pytestmark = pytest.mark.browser

WRITTEN = """() => {
  const found = new Set();
  const own = (one) => one.closest('[lang]') === document.documentElement && !one.closest('script, style, code');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (own(walker.currentNode.parentElement)) found.add(walker.currentNode.data.trim());
  for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
    for (const one of document.querySelectorAll(`[${name}]`)) if (own(one)) found.add(one.getAttribute(name).trim());
  }
  return [document.title, ...found].filter((text) => text);
}"""
"""Every text of a page, shown now or later, read aloud or not, that is in the language of the page."""
ENGLISH = re.compile(r"\b(?:the|and|your|you|with|takes|took|from|their|which|player|moves?|tiles?)\b", re.IGNORECASE)
NAMES = re.compile(r"[a-z]+_[a-z_]+|(?:page|points|bots|log|coach|prompt)\.\w+")


@cache  # hundreds of texts on a dozen pages; re keeps 512
def pattern(text: str) -> re.Pattern[str]:
    """What a text of the language files looks like when it is filled in."""
    return re.compile(r"\S.*".join(re.escape(part) for part in re.split(r"\{\w+\}", text)))


def english_left(shown: list[str], language: str) -> list[str]:
    """Texts that stand in the English language file and not in that of the language, or have English words."""
    known, ours = texts("en"), texts(language)
    said = [pattern(text) for text in ours.values()]
    foreign = [
        pattern(text) for key, text in known.items() if text != ours[key] and len(re.sub(r"\{\w+\}|\W", "", text)) > 3
    ]
    suspects = [text for text in shown if ENGLISH.search(text) or any(one.fullmatch(text) for one in foreign)]
    return [text for text in suspects if not any(one.fullmatch(text) for one in said)]


@pytest.mark.parametrize("language", often(("fr",), "en", "fr", "it"))
def test_each_language(tab: MakeTab, tables: dict[str, str], language: str):
    me = tab(locale=language)
    left: dict[str, list[str]] = {}
    for path in [*PAGES, *TABLES]:
        me.goto(path.format(**tables))
        assert me.page.get_attribute("html", "lang") == language
        shown = me.page.evaluate(WRITTEN)
        assert [text for text in shown if NAMES.fullmatch(text)] == [], f"{path} shows the names of texts"
        if language != "en" and (found := english_left(shown, language)):
            left[path] = found
    me.forgive(MISSING)
    me.set_up("azul").play(3)
    me.page.click("#seats button")
    shown = me.page.evaluate(WRITTEN)
    if language != "en" and (found := english_left(shown, language)):
        left["a game"] = found
    assert left == {}
    assert say(language, "page.your_turn") in shown
    other = {"en": "fr", "fr": "it", "it": "en"}[language]
    me.page.click("[data-opens=settings]")
    with me.page.expect_navigation():
        me.page.select_option("#settings [data-language-choice]", other)
    me.wait_for_table()
    assert me.page.get_attribute("html", "lang") == other
    expect(me.page.locator("#status")).to_have_text(say(other, "page.your_turn"))
