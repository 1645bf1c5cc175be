/** Tips for newcomers, each shown once: that tiles can be dragged, and that moves need not be confirmed. */

import { element } from "./dom.js";
import * as settings from "./settings.js";
import { say } from "./texts.js";

const DRAG_AFTER = 1; // moves played on this device
const CONFIRM_AFTER = 3;

export class Tips {
  constructor() {
    this.box = document.getElementById("tip");
  }

  /** A move was played, by dragging or not. */
  moved(dragged) {
    this.hide();
    if (settings.get("moves") < CONFIRM_AFTER) settings.set("moves", settings.get("moves") + 1);
    if (dragged) this.know("drag");
  }

  /** It is the player's turn; draggable: whether tiles are brought from one place to another. */
  offer(draggable) {
    if (document.body.classList.contains("guided")) return;
    const moves = settings.get("moves");
    if (moves >= CONFIRM_AFTER && settings.get("confirm") && !this.knows("confirm")) this.offerSpeed();
    else if (draggable && moves >= DRAG_AFTER && !this.knows("drag")) {
      this.know("drag");
      this.show(say("tip_drag"), [say("tip_seen"), () => undefined]);
    }
  }

  offerSpeed() {
    this.show(
      say("tip_confirm"),
      [say("tip_confirm_yes"), () => settings.set("confirm", false)],
      [say("tip_confirm_no"), () => undefined],
    );
    for (const button of this.box.querySelectorAll("button")) button.addEventListener("click", () => this.know("confirm"));
  }

  /** A text and what can be answered, the first answer in the colours of a button that leads on. */
  show(text, ...answers) {
    const buttons = answers.map(([label, act], order) =>
      element("button", { type: "button", class: order ? "" : "primary", on: { click: () => [act(), this.hide()] } }, label),
    );
    this.box.replaceChildren(element("p", {}, text), ...buttons);
    this.box.hidden = false;
  }

  hide() {
    this.box.hidden = true;
  }

  knows(tip) {
    return settings.get("tips").includes(tip);
  }

  know(tip) {
    if (!this.knows(tip)) settings.set("tips", [...settings.get("tips"), tip]);
  }
}
