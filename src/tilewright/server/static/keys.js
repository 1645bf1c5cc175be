/** Moving the focus with arrow keys: to the nearest thing in a direction. */

const ASIDE = 2.2; // how much worse it is to lie aside than to lie far

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** The element nearest to the one that has the focus, in the direction [dx, dy]; the first if none has it. */
export function nearest(elements, focused, [dx, dy]) {
  if (!elements.includes(focused)) return elements[0];
  const [x, y] = middle(focused);
  let best = null;
  let least = Infinity;
  for (const element of elements) {
    if (element === focused) continue;
    const [left, top] = middle(element);
    const along = (left - x) * dx + (top - y) * dy;
    if (along < 2) continue;
    const aside = Math.abs((left - x) * dy) + Math.abs((top - y) * dx);
    const cost = along + ASIDE * aside;
    if (cost < least) [best, least] = [element, cost];
  }
  return best;
}
