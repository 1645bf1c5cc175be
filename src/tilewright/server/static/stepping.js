/** Going through a game move by move: buttons, keys, the address, and the line in the list of moves. */

import { byId } from "./dom.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
const FIELDS = ["SELECT", "INPUT", "TEXTAREA"];
const ADDRESS_PAUSE = 250; // browsers ignore addresses that change more often

/** The buttons named in acts (first, back, on, last) and their keys call them; other keys have acts of their own.
 *
 * ready(target) says whether a key pressed there is meant for this.
 */
export function tieSteps(acts, { keys = {}, ready = () => true } = {}) {
  for (const [name, act] of Object.entries(acts)) byId(name).addEventListener("click", act);
  document.addEventListener("keydown", (event) => {
    const act = keys[event.key] ?? acts[KEYS[event.key]];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    if (FIELDS.includes(event.target.tagName) || document.querySelector("dialog[open]") || !ready(event.target)) return;
    if (event.key === " " && event.target.closest("button, a")) return; // which it presses
    event.preventDefault();
    act();
  });
}

/** Buttons that lead nowhere cannot be pressed. */
export function showEnds(isFirst, isLast) {
  for (const name of ["first", "back"]) if (byId(name)) byId(name).disabled = isFirst;
  for (const name of ["on", "last"]) if (byId(name)) byId(name).disabled = isLast;
}

/** The moment of a game that a page shows: a number that is also in its address, and a line in its list of moves. */
export class Cursor {
  /** last: the number of the last moment; show(): draws the one at `at`, whose number has changed. */
  constructor(last, show) {
    this.last = last;
    this.show = show;
    this.at = -1;
    window.addEventListener("hashchange", () => this.go(this.inAddress()));
  }

  /** The number in the address, which may have lost its hash when it was shared, or a usual one. */
  inAddress(usual = 0) {
    const given = location.hash.slice(1) || new URLSearchParams(location.search).get("at");
    const at = Number.parseInt(given, 10);
    return Number.isNaN(at) ? usual : at;
  }

  get isLast() {
    return this.at === this.last;
  }

  go(index) {
    const at = Math.max(0, Math.min(this.last, index));
    if (at === this.at) return;
    this.put(at);
    this.show();
  }

  /** Moves there without drawing it. */
  put(at) {
    this.at = at;
    clearTimeout(this.addressing);
    this.addressing = setTimeout(() => history.replaceState(null, "", `#${this.at}`), ADDRESS_PAUSE);
    showEnds(at === 0, this.isLast);
    this.point();
  }

  point() {
    const lines = byId("log-lines");
    lines.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = lines.children[this.at]?.querySelector("a");
    if (!link) return;
    link.setAttribute("aria-current", "step");
    lines.scrollTop += link.getBoundingClientRect().top - lines.getBoundingClientRect().top - lines.clientHeight / 2;
  }
}
