/** The evaluation bar: how well everybody stands. It is off until somebody turns it on, for this game alone. */

import { byId, element } from "./dom.js";
import { say } from "./texts.js";

export class EvaluationBar {
  /** send(on) turns the bar on or off at the server, propose() asks the other players whether they agree. */
  constructor(table, { send, propose }) {
    Object.assign(this, { send, propose });
    this.memory = `evaluation-${table}`;
    this.isOn = sessionStorage.getItem(this.memory) === "on";
    this.check = byId("evaluate");
    this.check.addEventListener("change", () => this.turn(this.check.checked));
  }

  /** A new moment: what the server offers may have changed. */
  show(offer) {
    this.offer = offer;
    byId("evaluate-row").hidden = !offer;
    byId("evaluate-note").textContent = offer ? say(`review.evaluation_${offer}`) : "";
    if (offer === "by_consent") this.remember(false);
    this.check.checked = this.isOn;
    byId("evaluation").hidden = !offer || !this.isOn;
  }

  turn(on) {
    if (on && this.offer === "by_consent") {
      this.check.checked = false;
      byId("settings").close();
      this.propose();
      return;
    }
    this.remember(on);
    byId("evaluation").hidden = !on;
    if (on) byId("evaluation-text").textContent = say("review.hint_thinking");
    this.send(on);
  }

  remember(on) {
    this.isOn = on;
    if (on) sessionStorage.setItem(this.memory, "on");
    else sessionStorage.removeItem(this.memory);
  }

  /** The connection is back; the server does not know what the page shows. */
  connected() {
    if (this.isOn) this.send(true);
  }

  given({ chances, shares, text }) {
    const part = (chance, n) => {
      const shown = element("span", { class: `seat-${n + 1}` }, chance < 0.1 ? "" : shares[n]);
      shown.style.flexGrow = chance;
      return shown;
    };
    byId("evaluation-bar").replaceChildren(...(chances ?? []).map(part));
    byId("evaluation-bar").hidden = !chances;
    byId("evaluation-text").textContent = text;
  }
}
