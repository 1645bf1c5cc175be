/** Scrolling on small screens, where the table is longer than the screen. */

import { byId } from "./dom.js";
import * as settings from "./settings.js";

/** Scroll to what is wanted on the table, unless all of it is in sight between the head and the bar. */
export function scrollTo(root, bar, wanted) {
  const chosen = [...root.querySelectorAll(".chosen")]; // whose board stays in sight while one pays
  const figure = [...wanted, ...chosen].map((element) => element.closest("figure")).find(Boolean);
  if (byId("stage").dataset.layout !== "flow" || !figure) return;
  const floor = (byId("below") ?? bar).getBoundingClientRect().top;
  const ceiling = byId("top").getBoundingClientRect().bottom;
  const boxes = wanted.filter((element) => figure.contains(element)).map((element) => element.getBoundingClientRect());
  const whole = figure.getBoundingClientRect();
  const { top, bottom } = whole;
  if (figure.dataset.part === "focus" && bottom - top <= floor - ceiling) boxes.push(whole);
  if (boxes.every((box) => box.top >= ceiling && box.bottom <= floor)) return;
  const by = bottom - top > floor - ceiling || top < ceiling ? top - ceiling - 8 : bottom - floor + 8;
  window.scrollBy({ top: by, behavior: settings.get("speed") === "off" ? "auto" : "smooth" });
}
