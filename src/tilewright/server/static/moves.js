/** Making a move: the spots that light up, what was chosen, what it would bring, confirm and undo. */

import { byId } from "./dom.js";
import { isButton, choose, completedBy, everything, follow, forbidden, otherWays, unchoose } from "./paths.js";
import { Bubble } from "./bubble.js";
import { capital, choiceButton, showButtons } from "./choices.js";
import { Drag } from "./drag.js";
import { nearest } from "./keys.js";
import { light } from "./lights.js";
import { showPreviewLines } from "./preview.js";
import { scrollTo } from "./scrolling.js";
import * as settings from "./settings.js";
import { Tips } from "./tips.js";
import { say } from "./texts.js";

const FORCED_WAIT = 700;
const HOVER_WAIT = 120;
const TWICE = 350; // two clicks within this time are a double click: one choice
const GUARD = 400; // a button that has just come must not catch the second half of a double click
const REACH = 12; // pixels by which a finger may miss what it means
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Moves {
  /** send(move), takeBack(), preview(move) and why(move) reach the server; announce(text) reaches those who listen; every() lists
   * all moves of the game, legal or not, for the seat to move. Where all is free nothing is forced or confirmed. */
  constructor(board, { send, takeBack, preview, why, every, announce, layer, free = false }) {
    Object.assign(this, { board, send, takeBack, askPreview: preview, askWhy: why, every, announce, free });
    this.bubble = new Bubble(layer);
    this.bar = byId("bar");
    this.possible = [];
    this.hinted = [];
    this.clicks = [];
    this.previews = new Map();
    this.here = follow([], []);
    this.sent = false;
    this.byKeyboard = false;
    this.offered = this.committed = this.undone = 0;
    this.picked = { spot: null, at: 0 };
    this.drag = new Drag(board, layer, {
      begins: (spot) => this.takes(spot),
      picks: (spot) => this.pick(spot),
      drops: (spot) => this.here.lit.has(spot) && this.pick(spot),
      chosen: (spot) => this.clicks.includes(spot),
    });
    this.tips = new Tips();
    this.listen();
  }

  listen() {
    const { root } = this.board;
    root.addEventListener("click", (event) => {
      if (this.drag.justDropped()) return;
      const spot = this.spotAt(event.target) ?? (event.pointerType === "touch" ? this.spotNear(event) : null);
      if (spot) this.pick(spot);
      else this.explain(event);
    });
    for (const kind of ["pointerover", "focusin"]) {
      root.addEventListener(kind, (event) => this.consider(this.spotAt(event.target)));
    }
    root.addEventListener("pointerleave", () => this.consider(null));
    byId("confirm").addEventListener("click", () => this.commit());
    byId("undo").addEventListener("click", () => this.undo());
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", () => (this.byKeyboard = false), true);
  }

  /** The player may choose among these moves. */
  offer(possible, prompt) {
    clearTimeout(this.timer);
    this.possible = possible;
    this.prompt = prompt;
    this.clicks = everything(possible);
    this.previews.clear();
    this.hinted = [];
    this.considered = null;
    this.sent = false;
    this.offered = performance.now();
    this.refresh();
    this.wantPreviewNow();
    if (possible.length && !this.free) this.tips.offer(possible.some(({ spots, loose }) => !loose && spots.filter((spot) => !isButton(spot)).length > 1));
    if (possible.length === 1 && settings.get("forced") && !this.free) {
      this.timer = setTimeout(() => this.force(), FORCED_WAIT);
    } else if (possible.length && !this.free) {
      this.focusFirst();
      this.bringIntoView();
    }
  }

  /** Whether a click comes so soon that it may have been meant for what was there before. */
  isFresh(event) {
    return event.detail > 0 && performance.now() - Math.max(this.offered, this.committed) < GUARD;
  }

  /** Nothing to choose now. */
  rest() {
    this.offer([], "");
  }

  get isChoosing() {
    return this.possible.length > 0 && !this.sent;
  }

  get isLoose() {
    return this.possible.some((option) => option.loose);
  }

  /** Whether what was chosen is only a button, while something on the table could still be chosen: ask, then. */
  get isRash() {
    const plain = (spots) => spots.every(isButton);
    return this.here.move !== null && plain(this.here.chosen) && this.possible.some(({ spots }) => !plain(spots));
  }

  force() {
    if (this.sent || this.possible.length !== 1) return;
    this.announce(say("forced_move"));
    this.sent = this.send(this.possible[0].move);
    this.refresh();
  }

  /** Whether a click on a spot means something now. */
  takes(spot) {
    return this.isChoosing && (this.here.lit.has(spot) || this.others.has(spot) || this.clicks.includes(spot));
  }

  spotAt(element) {
    return this.board.spotsAt(element).find((spot) => this.takes(spot)) ?? null;
  }

  /** The nearest thing that can be chosen, for a finger that has just missed it. */
  spotNear({ clientX: x, clientY: y }) {
    let best = null;
    let least = REACH;
    for (const element of this.board.root.querySelectorAll(".lit, .other, .chosen")) {
      const box = element.getBoundingClientRect();
      const [aside, above] = [Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)];
      const spot = Math.hypot(aside, above) < least ? this.spotAt(element) : null;
      if (spot) [best, least] = [spot, Math.hypot(aside, above)];
    }
    return best;
  }

  pick(spot) {
    if (!this.isChoosing) return;
    const last = this.clicks[this.clicks.length - 1];
    if (this.here.move !== null && spot === last && !this.here.lit.has(spot)) {
      this.commit();
      return;
    }
    const again = this.clicks.includes(spot) && !this.here.lit.has(spot);
    const since = performance.now() - this.picked.at;
    if (again && this.picked.spot === spot && since < TWICE) return;
    this.picked = { spot, at: performance.now() };
    this.clicks = again ? unchoose(this.possible, this.clicks, spot) : choose(this.possible, this.clicks, spot);
    this.moved();
  }

  /** A click on something that cannot be chosen now: which rule forbids it, or what to choose first. */
  explain({ target, clientX: x, clientY: y }) {
    const spot = this.board.tileAt(x, y) ?? this.board.spotsAt(target)[0];
    const thing = target.closest("[role=group][aria-label]");
    if (!spot && thing && !thing.querySelector("[data-place]")) this.name(thing);
    if (!spot || !this.isChoosing) return;
    const move = forbidden(this.every(), this.possible, this.clicks, spot);
    this.asked = { move, spot };
    if (move !== null) this.askWhy(move);
    else if (this.possible.some(({ spots }) => spots.includes(spot))) this.remark(spot, this.prompt);
  }

  /** What something is that is never chosen: it explains itself, on touch screens too. */
  name(thing) {
    this.bubble.show(capital(thing.getAttribute("aria-label")), thing.getBoundingClientRect());
  }

  /** The server says why a move is not legal. */
  explained(move, said) {
    if (this.asked?.move === move && this.isChoosing) this.remark(this.asked.spot, said);
  }

  remark(spot, text) {
    const boxes = this.board.elementsOf(spot).map((element) => element.getBoundingClientRect());
    if (!boxes.length) return;
    const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
    const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
    this.bubble.show(text, { x: left, y: top, width: right - left, height: bottom - top });
    this.announce(text);
  }

  /** Undoes the last choice; where there is none, the last move, if that is still possible. */
  undo() {
    const again = performance.now() - this.undone < GUARD; // a double click that was meant for one choice
    if (this.isChoosing && this.clicks.length) {
      this.undone = performance.now();
      this.back();
    } else if (this.mayTakeBack && !again) this.takeBack();
  }

  /** Whether the last move that was played could be undone. */
  set takesBack(may) {
    this.mayTakeBack = may;
    this.showUndo();
  }

  showUndo() {
    const choice = this.isChoosing && this.clicks.length > 0;
    byId("undo").hidden = !choice && !this.mayTakeBack;
    byId("undo").textContent = say(choice ? "undo" : "undo_move");
    byId("undo").classList.toggle("quiet", !choice);
  }

  back() {
    if (!this.isChoosing) return;
    this.clicks = this.clicks.slice(0, -1);
    this.moved();
  }

  moved() {
    this.considered = null;
    this.refresh();
    const { move, lit } = this.here;
    if (move !== null && lit.size === 0 && (this.free || (!settings.get("confirm") && !this.isRash))) {
      this.commit();
      return;
    }
    if (move !== null) this.wantPreview(move);
    else this.announce(this.promptNow());
    if (move !== null && this.byKeyboard) byId("confirm").focus();
    else this.focusFirst();
    if (this.clicks.length) this.bringIntoView();
  }

  commit() {
    const { move } = this.here;
    if (move === null || this.sent) return;
    clearTimeout(this.hovering);
    this.committed = performance.now();
    this.undone = 0; // an undo after this move is meant for it
    this.sent = this.send(move);
    this.tips.moved(this.drag.used);
    this.refresh();
  }

  /** Whether the connection to the server is broken: what is sent waits. */
  cutOff(broken) {
    this.isCutOff = broken;
    if (this.sent) byId("prompt").textContent = this.promptNow();
  }

  /** The server did not take the move. */
  refused() {
    this.sent = false;
    this.refresh();
  }

  // What a move would bring -------------------------------------------------------------------------------

  /** The pointer or the focus is on a spot: show what it would complete. */
  consider(spot) {
    clearTimeout(this.hovering);
    const move = spot && this.isChoosing ? completedBy(this.possible, this.clicks, spot) : null;
    this.considered = move;
    for (const element of this.board.root.querySelectorAll(".near")) element.classList.remove("near");
    if (spot) for (const element of this.board.elementsOf(spot)) element.classList.add("near");
    if (move !== null) this.hovering = setTimeout(() => this.wantPreview(move), HOVER_WAIT);
    this.showPreview();
  }

  /** What the move that is complete would bring, if there is one. */
  wantPreviewNow() {
    if (this.here.move !== null && this.isChoosing) this.wantPreview(this.here.move);
  }

  wantPreview(move) {
    const known = this.previews.get(move);
    if (known) this.previewed(move, known.lines, known.tiles);
    else this.askPreview(move);
  }

  previewed(move, lines, tiles) {
    this.previews.set(move, { lines, tiles });
    this.showPreview();
    if (move === this.here.move) this.announce([...lines.map((line) => line.text), say("confirm_by_enter")].join(". "));
  }

  showPreview() {
    const { tiles } = this.previews.get(this.considered ?? this.here.move) ?? {};
    this.board.foresee(this.sent ? {} : tiles);
    const grows = byId("stage").dataset.layout === "flow"; // the bar, and buttons would flee from the mouse
    const { lines = [] } = this.previews.get((grows ? null : this.considered) ?? this.here.move) ?? {};
    showPreviewLines(lines);
  }

  // What is shown -----------------------------------------------------------------------------------------

  promptNow() {
    if (!this.possible.length) return "";
    if (this.sent) return say(this.isCutOff ? "kept_move" : "sending");
    if (!this.clicks.length) return this.prompt;
    const spots = this.here.chosen.filter((spot) => !isButton(spot));
    const chosen = this.isLoose ? this.tilesAmong(spots) : [...new Set(spots)].map((spot) => this.board.nameOf(spot)).join(" → ");
    if (this.isLoose && this.clicks.length === everything(this.possible).length) return this.prompt;
    if (this.isRash && !chosen) return say("sure", { chosen: capital(this.board.nameOf(this.here.chosen[0])) });
    if (this.here.move !== null) return chosen || this.board.nameOf(this.here.chosen[0]);
    return chosen ? say("chosen_so_far", { chosen }) : this.prompt;
  }

  /** Single tiles that were chosen, by kind. */
  tilesAmong(spots) {
    const kinds = [...new Set(spots)].map((spot) => [spot.split("-").pop(), spots.filter((other) => other === spot).length]);
    return kinds.map(([kind, times]) => `${times} × ${this.board.view.tile_names[kind] ?? kind}`).join(", ");
  }

  refresh() {
    const possible = this.sent ? [] : this.possible;
    this.here = follow(possible, this.sent ? [] : this.clicks);
    if (this.sent) this.here = { ...this.here, chosen: this.clicks };
    this.others = otherWays(possible, this.sent ? [] : this.clicks);
    light(this.board, this.here, this.others, { loose: this.isLoose, hinted: this.hinted });
    this.bar.classList.toggle("choosing", this.sent || this.clicks.length > 0);
    this.board.root.classList.toggle("choosing-tiles", this.isChoosing && this.isLoose && this.clicks.length > 0);
    byId("prompt").textContent = this.promptNow();
    this.showChoices();
    const ready = this.here.move !== null;
    const named = ready && this.isLoose; // there the last spot is a button that says what is done
    byId("confirm").hidden = !ready;
    byId("confirm").textContent = named ? capital(this.board.nameOf(this.here.chosen.at(-1))) : say("confirm");
    this.showUndo();
    this.showPreview();
  }

  /** Lights up things to look at; what the first of them is called. */
  pointAt(spots) {
    this.hinted = spots;
    this.refresh();
    this.bringIntoView([...this.board.root.querySelectorAll(".hinted")]);
    return this.board.nameOf(spots[0]);
  }

  /** Lights up the things to click for a move, as the coach would play it; what they are called. */
  hint(move) {
    const option = this.isChoosing && this.possible.find((other) => other.move === move);
    if (!option) return "";
    this.pointAt(option.spots);
    const names = [...new Set(option.spots)].map((spot) => {
      const times = option.spots.filter((other) => other === spot).length;
      const tile = option.loose && this.board.view.tile_names[spot.split("-").pop()];
      return tile ? `${times} × ${tile}` : this.board.nameOf(spot);
    });
    return names.join(" → ");
  }

  showChoices() {
    const others = this.isLoose ? [] : this.others; // a button that says "these" would mean other tiles
    const spots = [...this.here.lit, ...others].filter(isButton);
    const buttons = spots.map((spot) => {
      const button = choiceButton(this.board, spot, { lit: this.here.lit.has(spot), hinted: this.hinted.includes(spot) });
      button.addEventListener("click", (event) => {
        if (!this.isFresh(event)) this.pick(spot);
      });
      for (const kind of ["pointerenter", "focus"]) button.addEventListener(kind, () => this.consider(spot));
      button.addEventListener("pointerleave", () => this.consider(null));
      return button;
    });
    showButtons(buttons);
  }

  // Keyboard ----------------------------------------------------------------------------------------------

  litElements() {
    const drawn = this.board.root.querySelectorAll(".lit[tabindex]");
    return [...drawn, ...byId("choices").querySelectorAll(".choice:not(.other)")];
  }

  focusFirst() {
    if (!this.byKeyboard || !this.isChoosing) return;
    const at = document.activeElement;
    const free = !at || at === document.body || !at.isConnected || this.board.root.contains(at) || this.bar.contains(at);
    if (free) this.litElements()[0]?.focus();
  }

  key(event) {
    this.byKeyboard = true;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = document.activeElement;
    if (at && at !== document.body && !this.board.root.contains(at) && !this.bar.contains(at)) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && this.clicks.length) this.back();
    else if (ARROWS[event.key] && this.isChoosing) nearest(this.litElements(), at, ARROWS[event.key])?.focus();
    else if ((event.key === "Enter" || event.key === " ") && this.board.root.contains(at)) {
      const spot = this.spotAt(at);
      if (!spot) return;
      this.pick(spot);
    } else if (event.key === "Enter" && (at === document.body || !at) && this.here.move !== null) this.commit();
    else return;
    event.preventDefault();
  }

  bringIntoView(wanted = this.litElements()) {
    scrollTo(this.board.root, this.bar, wanted);
  }
}
