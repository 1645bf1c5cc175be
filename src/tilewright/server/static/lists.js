/** The lists of the home page, kept up to date while somebody looks at them. */

import { byId } from "./dom.js";
import { showDue } from "./due.js";
import { locale } from "./locale.js";
import { markTab } from "./tab.js";

const INTERVAL = 3000;
const INTERVAL_HIDDEN = 60_000;

/** When games ended, in the reader's own time and manner of writing it. */
export function showTimes(root) {
  const manner = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  for (const time of root.querySelectorAll("time")) time.textContent = manner.format(new Date(time.dateTime));
}

export class Lists {
  constructor(root) {
    this.root = root;
    this.title = document.title;
    this.known = null;
    this.dressed();
    if (root.querySelector(".loading")) this.refresh(); // a page that was kept has nobody's games
    setInterval(() => document.hidden || this.refresh(), INTERVAL);
    setInterval(() => document.hidden && this.refresh(), INTERVAL_HIDDEN); // for the title and the icon of the tab
    for (const kind of ["focus", "pageshow"]) window.addEventListener(kind, () => this.refresh());
    document.addEventListener("visibilitychange", () => this.refresh());
  }

  /** Asks for the lists; what has not changed stays, and so does what has the focus. */
  async refresh() {
    if (this.asking) return;
    this.asking = true;
    try {
      const answer = await fetch("/lists", { credentials: "same-origin" });
      if (answer.ok) this.show(await answer.text());
      showDue(this.root);
      byId("unreachable").hidden = true;
    } catch {
      byId("unreachable").hidden = false; // what is shown stays until the server can be reached again
    } finally {
      this.asking = false;
    }
  }

  show(html) {
    if (html === this.known) return;
    this.known = html;
    const at = this.root.contains(document.activeElement) ? document.activeElement : null;
    const same = at && (at.dataset.table ? `[data-table="${at.dataset.table}"]` : `a[href="${at.getAttribute("href")}"]`);
    this.root.innerHTML = html;
    this.dressed();
    if (same) this.root.querySelector(same)?.focus();
  }

  /** Times as the reader writes them; in the title how many games wait for a move, and on the icon whether any does. */
  dressed() {
    showTimes(this.root);
    const waiting = this.root.querySelectorAll("a.mine").length;
    showDue(this.root);
    markTab(waiting > 0);
    document.title = waiting ? `(${waiting}) ${this.title}` : this.title;
  }
}
