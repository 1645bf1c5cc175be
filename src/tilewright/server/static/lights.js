/** How things on the table look that can be clicked: lit, leading another way, chosen. And how they are named. */

import { isButton } from "./paths.js";

const LOOKS = ["lit", "other", "chosen", "hinted"];

function undress(element) {
  element.classList.remove(...LOOKS, "near");
  element.removeAttribute("tabindex");
  if (element.dataset.slot) {
    element.removeAttribute("role");
    element.removeAttribute("aria-label");
  } else element.setAttribute("role", "img");
}

/** All elements of a spot look so; the first of them stands for it on the keyboard and for screen readers. */
function dress(board, spot, look) {
  if (isButton(spot)) return;
  board.elementsOf(spot).forEach((element, order) => {
    element.classList.add(look);
    if (order > 0) return;
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "button");
    if (element.dataset.slot) element.setAttribute("aria-label", board.nameOf(spot));
  });
}

/** Marks the elements of spots; on loose paths, where single tiles are chosen, as many as the spot occurs. */
function mark(board, spots, look, loose) {
  for (const spot of new Set(spots)) {
    const times = loose ? spots.filter((other) => other === spot).length : Infinity;
    for (const element of board.elementsOf(spot).slice(0, times)) element.classList.add(look);
  }
}

/** Shows where one stands on the paths, and what the coach points at. */
export function light(board, { chosen, lit }, others, { loose, hinted }) {
  board.root.querySelectorAll(LOOKS.map((look) => `.${look}`).join()).forEach(undress);
  for (const spot of others) dress(board, spot, "other");
  for (const spot of lit) dress(board, spot, "lit");
  mark(board, chosen, "chosen", loose);
  mark(board, hinted, "hinted", loose);
}
