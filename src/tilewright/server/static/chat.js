/** Friendly phrases: chosen from a list, shown beside the name of whoever says them, unless they are muted. */

import { Bubble } from "./bubble.js";
import { byId } from "./dom.js";
import * as settings from "./settings.js";
import { say } from "./words.js";

export class Chat {
  /** send(phrase) says it; announce(text) tells those who cannot see the bubble. */
  constructor(layer, seats, { send, announce }) {
    Object.assign(this, { seats, announce });
    this.bubble = new Bubble(layer);
    byId("phrases").addEventListener("click", (event) => {
      const { phrase } = event.target.dataset;
      if (!phrase) return;
      byId("chat").close();
      send(phrase);
    });
    byId("muted").addEventListener("change", (event) => settings.set("muted", event.target.checked));
  }

  /** Phrases are for tables with other people. */
  show(seats) {
    const others = seats.some((seat) => seat.kind === "human" && !seat.yours);
    byId("open-chat").hidden = !others || !this.seats.owns;
    byId("muted").checked = settings.get("muted");
  }

  said({ seat, phrase }) {
    const mine = this.seats.mine.includes(seat);
    if (!mine && settings.get("muted")) return;
    const text = say(`chat.${phrase}`);
    const chip = byId("seats").children[seat - 1];
    if (!chip) return;
    this.bubble.show(text, chip.getBoundingClientRect());
    if (!mine) this.announce(say("chat.told", { name: this.seats.nameOf(seat), text }));
  }
}
