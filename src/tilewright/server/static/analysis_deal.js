/** The deal of a real table, entered tile by tile: clicked, or typed as letters. Nothing is drawn by itself. */

import { byId, element } from "./dom.js";
import { say } from "./texts.js";

export class Deal {
  /** draw(event): what the server makes of it; show(moment): on the board; dealt(answer): the deal is complete. */
  constructor({ board, draw, show, dealt, fail }) {
    Object.assign(this, { board, draw, show, dealt, fail });
    this.typed = "";
    byId("deal-random").addEventListener("click", () => this.random());
    byId("deal-back").addEventListener("click", () => this.enter(this.typed.slice(0, -1)));
    byId("deal-text").addEventListener("input", ({ target }) => this.enter(target.value));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** A position that awaits tiles, or not. */
  offer(moment) {
    this.moment = moment.draw ? moment : null;
    this.typed = "";
    byId("deal").hidden = !this.moment;
    if (this.moment) this.refresh(moment);
  }

  refresh(moment) {
    const { tiles, wanted } = moment.draw;
    byId("deal-prompt").textContent = say("analysis.deal_prompt", { n: wanted });
    byId("deal-text").value = this.typed.replace(/(.{4})(?=.)/g, "$1 ");
    byId("deal-back").disabled = !this.typed;
    byId("deal-random").textContent = say(this.typed ? "analysis.deal_rest" : "analysis.deal_random");
    const names = this.board().view.tile_names;
    const focused = document.activeElement?.dataset?.tile;
    const kinds = Object.keys(names).filter((kind) => kind.length === 1 && (kind in tiles || kind in this.moment.draw.tiles));
    byId("deal-tiles").replaceChildren(
      ...kinds.map((kind) => {
        const left = tiles[kind] ?? 0;
        const label = say("analysis.deal_left", { tile: names[kind], n: left });
        const button = element("button", {
          type: "button", "data-tile": kind, "aria-label": label, title: label, on: { click: () => this.enter(this.typed + kind) },
        });
        button.disabled = !left;
        button.append(this.board().pictureOf(`deal-${kind}`) ?? kind, element("span", { "aria-hidden": "true" }, String(left)));
        return button;
      }),
    );
    if (focused) byId("deal-tiles").querySelector(`[data-tile="${focused}"]`)?.focus();
  }

  /** These tiles have been drawn so far. */
  async enter(text) {
    const typed = text.toLowerCase().replace(/[\s,]/g, "");
    const { moment } = this;
    if (!moment || typed === this.typed) return;
    const before = this.typed;
    this.typed = typed;
    if (!typed) {
      this.refresh(moment);
      this.show(moment);
      return;
    }
    try {
      const answer = await this.draw(`draw ${typed}`);
      if (this.moment !== moment || this.typed !== typed) return;
      if (answer.moment.draw) {
        this.refresh(answer.moment);
        this.show(answer.moment);
      } else this.dealt(answer);
    } catch (error) {
      this.typed = before;
      byId("deal-text").value = before;
      this.fail(error.message);
    }
  }

  async random() {
    const { moment, typed } = this;
    try {
      const first = typed ? await this.draw(`draw ${typed}`) : null;
      const rest = await this.draw("deal", first?.moment.position);
      const tiles = rest.node.event.replace("draw ", "");
      const whole = first ? await this.draw(`draw ${typed} ${tiles}`) : rest;
      if (this.moment === moment) this.dealt(whole);
    } catch (error) {
      this.fail(error.message);
    }
  }

  key(event) {
    if (!this.moment || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (["SELECT", "INPUT", "TEXTAREA"].includes(event.target.tagName) || document.querySelector("dialog[open]")) return;
    if (document.body.classList.contains("editing") || document.body.classList.contains("opening")) return;
    const kind = event.key.toLowerCase();
    if (event.key === "Backspace" && this.typed) this.enter(this.typed.slice(0, -1));
    else if (kind.length === 1 && kind in this.moment.draw.tiles) this.enter(this.typed + kind);
    else return;
    event.preventDefault();
  }
}
