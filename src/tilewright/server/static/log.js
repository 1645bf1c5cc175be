/** The log of moves: the newest on top. */

import { element } from "./dom.js";

const LENGTH = 200;

export class Log {
  constructor(list, nameOf) {
    this.list = list;
    this.nameOf = nameOf;
    this.entries = [];
  }

  get length() {
    return this.entries.length;
  }

  newest() {
    return this.entries.slice(-1);
  }

  fill(entries) {
    this.entries = [...entries];
    this.list.replaceChildren(...entries.map((entry) => this.line(entry)).reverse());
  }

  /** Adds what was missed while the line was down; what is here already stays. */
  extend(entries) {
    const last = this.entries.at(-1)?.number ?? 0;
    for (const entry of entries) if (entry.number > last) this.add(entry);
  }

  add(entry) {
    this.entries.push(entry);
    this.list.prepend(this.line(entry));
    while (this.list.children.length > LENGTH) this.list.lastElementChild.remove();
  }

  line({ seat, text }) {
    const name = seat ? element("b", { class: `seat-${seat}` }, this.nameOf(seat)) : "";
    return element("li", {}, name, ` ${text}`);
  }
}
