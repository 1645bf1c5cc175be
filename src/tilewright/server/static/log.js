/** The log of moves: the newest on top. */

import { element } from "./dom.js";
import { lineContent, roundHeading } from "./log_line.js";

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
    this.entries = [];
    this.list.replaceChildren();
    for (const entry of entries) this.add(entry);
  }

  /** Adds what was missed while the connection was down; what is here already stays. */
  extend(entries) {
    const last = this.entries.at(-1)?.number ?? 0;
    for (const entry of entries) if (entry.number > last) this.add(entry);
  }

  /** The heading of a round stands over the newest of its moves. */
  add(entry) {
    const before = this.entries.at(-1);
    this.entries.push(entry);
    const line = element("li", {}, ...lineContent(entry, this.nameOf));
    if (before?.round === entry.round) line.prepend(...this.list.firstElementChild.querySelectorAll(".round"));
    else if (entry.round > 0) line.prepend(roundHeading(entry.round));
    this.list.prepend(line);
    while (this.list.children.length > LENGTH) this.list.lastElementChild.remove();
  }
}
