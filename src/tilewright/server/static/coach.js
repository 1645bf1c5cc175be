/** The coach of a guided first game: what to think of now, and on demand a good move. */

import { element } from "./dom.js";
import { say } from "./texts.js";

export class Coach {
  /** moves lights up the things to click for a move and says what they are called. */
  constructor(moves) {
    this.moves = moves;
    this.box = document.getElementById("coach");
    this.text = document.getElementById("coach-text");
    this.button = document.getElementById("show-me");
    this.button.addEventListener("click", () => this.point());
  }

  /** Shows what the coach says; while others think, what it said last stays. */
  show(guided, advice) {
    document.body.classList.toggle("guided", guided);
    this.box.hidden = !guided;
    this.advice = advice;
    this.box.classList.toggle("resting", !advice);
    if (advice) this.said = advice.text;
    if (!this.pointed && this.text.textContent !== this.said) this.text.textContent = this.said ?? "";
    this.button.disabled = (advice?.move ?? null) === null;
  }

  /** A new moment: forget what was pointed at. */
  turnOver() {
    this.pointed = false;
  }

  point() {
    const move = this.moves.hint(this.advice.move);
    if (!move) return;
    this.pointed = true;
    const { other, reasons = [] } = this.advice;
    this.text.replaceChildren(
      element("span", {}, say("coach_plays", { move })),
      ...(reasons.length ? [element("span", { class: "instead" }, say("review.hint_instead", { move: other }))] : []),
      ...(reasons.length ? [element("ul", {}, ...reasons.map((reason) => element("li", {}, reason)))] : []),
    );
  }
}
