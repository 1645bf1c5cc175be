/** A sentence over the page about what went wrong; it goes by itself. */

import { byId } from "./dom.js";

const TIME = 6000;
let going = null;

export function toast(text) {
  const shown = byId("toast");
  shown.textContent = text;
  shown.hidden = false;
  clearTimeout(going);
  going = setTimeout(() => (shown.hidden = true), TIME);
}
