"""What a program can see that is wrong with a page: words outside the screen, cut off, or written over others.

Whether everybody can use the page, by eye, ear and keyboard, is a question for axe.
"""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

FAULTS = r"""() => {
  const found = [];
  const words = (one) => one.textContent.replace(/\s+/g, ' ').trim().slice(0, 50);
  const say = (what, one) => found.push(`${what}: ${(one.id && '#' + one.id) || one.tagName} “${words(one)}”`);
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth + 1) found.push(`the page is ${scrollWidth} wide on a screen of ${clientWidth}`);
  const dialog = [...document.querySelectorAll('dialog[open]')].pop();
  if (dialog && dialog.scrollWidth > dialog.clientWidth + 1) say('wider than its box', dialog);
  const scrolls = (one, way) => {
    for (let up = one; up && up !== document.body; up = up.parentElement) {
      if (['auto', 'scroll'].includes(getComputedStyle(up)[way])) return true;
    }
    return false;
  };
  const shownPart = (one, box) => {
    let { left, right, top, bottom } = box;
    for (let up = one; up && up !== document.body; up = up.parentElement) {
      const { overflowX, overflowY, clipPath } = getComputedStyle(up);
      if (clipPath !== 'none') return null;
      if (up instanceof SVGElement || (overflowX === 'visible' && overflowY === 'visible')) continue;
      const frame = up.getBoundingClientRect();
      [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
    }
    return right - left > 2 && bottom - top > 2 ? new DOMRect(left, top, right - left, bottom - top) : null;
  };
  const quiet = (one) =>
    one.closest('.hidden, .skip, .badge, option, script, style, noscript, title, [hidden]') !== null;
  const seen = [];
  const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    const seenAtAll = one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const hidden = !seenAtAll || !one.getBoundingClientRect().width;
    if (!node.data.trim() || quiet(one) || hidden) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const whole of range.getClientRects()) {
      const box = shownPart(one, whole);
      if (!box) continue;
      if (!scrolls(one, 'overflowX') && (box.left < -1 || box.right > clientWidth + 1)) say('outside the screen', one);
      seen.push({ one, box });
    }
    const cut = getComputedStyle(one);
    const holder = one.clientWidth > 0 && cut.clipPath === 'none' && !(one instanceof SVGElement);
    const clipped = holder && one.scrollWidth > one.clientWidth + 1;
    if (clipped && cut.overflowX === 'hidden' && cut.textOverflow !== 'ellipsis') say('cut off', one);
    if (clipped && cut.overflowX === 'visible' && cut.display !== 'inline') say('wider than its box', one);
  }
  for (const one of (dialog ?? document).querySelectorAll('select')) {
    const narrow = one.clientWidth && one.scrollWidth > one.clientWidth + 1;
    if (narrow && getComputedStyle(one).maxWidth === 'none') say('cut off', one);
  }
  const visible = ({ one, box }) => {
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return true;
    const top = document.elementsFromPoint(x, y);
    return one instanceof SVGElement || top.slice(0, 1).some((hit) => hit.contains(one) || one.contains(hit));
  };
  const shown = seen.filter(visible).sort((a, b) => a.box.top - b.box.top);
  shown.forEach((a, n) => {
    for (const b of shown.slice(n + 1)) {
      if (b.box.top >= a.box.bottom) break;
      if (a.one === b.one || a.one.contains(b.one) || b.one.contains(a.one)) continue;
      if (a.one instanceof SVGElement !== b.one instanceof SVGElement || words(a.one) === words(b.one)) continue;
      const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (across > 2 && down > 0.35 * Math.min(a.box.height, b.box.height)) {
        say(`over “${words(b.one)}”`, a.one);
      }
    }
  });
  const bar = document.querySelector('.at-table #bar:not([hidden]), .at-table #end:not([hidden])');
  const low = bar?.checkVisibility() && bar.getBoundingClientRect();
  if (low && low.bottom > innerHeight + 1 && !dialog) say('below the screen', bar);
  const head = document.getElementById('top');
  if (head && innerWidth > 800 && head.offsetHeight > 74) say(`a head of ${head.offsetHeight} pixels`, head);
  return [...new Set(found)];
}"""
"""A function of a page that lists its faults; an element that scrolls may hold more than it shows."""


def axe_violations(page: Page, *rules: str) -> list[str]:
    """What axe finds on a page as it is now: by all of its rules, or by some."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    found = page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return [f"axe: {one['id']}: {node['html'][:120]} {node['any'][:1]}" for one in found for node in one["nodes"]]
