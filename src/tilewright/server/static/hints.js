/** Hints for whoever plays against bots alone: first where to look, then a good move and why. */

import { byId, element } from "./dom.js";
import { say } from "./texts.js";

export class Hints {
  /** moves lights up the things to look at; ask(more) sends the question, propose() asks the other players. */
  constructor(moves, { ask, propose }) {
    Object.assign(this, { moves, ask, propose });
    this.button = byId("hint");
    this.box = byId("hint-box");
    this.button.addEventListener("click", () => this.press());
  }

  /** A new moment. The same decision may be announced again when the hint itself becomes part of the game. */
  show(offer, decision) {
    this.offer = offer;
    this.button.hidden = !offer;
    this.button.title = offer === "by_consent" ? say("review.hint_consent") : "";
    if (offer && decision === this.decision) return;
    this.decision = decision;
    this.stage = 0;
    this.box.hidden = true;
    this.button.textContent = say("review.hint");
    this.button.disabled = false;
  }

  press() {
    if (this.offer === "by_consent") {
      this.propose();
      return;
    }
    if (!this.ask(this.stage > 0)) return;
    this.button.disabled = true;
    this.say(say("review.hint_thinking"));
  }

  say(...content) {
    this.box.hidden = false;
    byId("hint-text").replaceChildren(...content);
  }

  /** The server has found something. */
  given({ spots, told, other, reasons = [] }) {
    const named = this.moves.pointAt(spots);
    this.stage = told ? 2 : 1;
    this.button.disabled = Boolean(told);
    this.button.textContent = say("review.hint_more");
    if (!told) {
      this.say(element("span", {}, say("review.hint_where", { place: named })));
      return;
    }
    const why = reasons.map((reason) => element("li", {}, reason));
    this.say(
      element("span", {}, say("review.hint_move", { move: told })),
      ...(why.length ? [element("span", { class: "instead" }, say("review.hint_instead", { move: other })), element("ul", {}, ...why)] : []),
    );
  }

  /** The server refused: the question may be asked again. */
  refused() {
    if (this.stage < 2) this.button.disabled = false;
    if (!this.stage) this.box.hidden = true;
  }
}
