/** Setting up a position by hand: a tile is chosen and laid into the slots of the board, the rest is set beside it.
 *
 * The server knows the game: it says what a draft looks like after each change, and why it is not possible yet.
 */

import { post } from "./api.js";
import { byId, element } from "./dom.js";
import { nearest } from "./keys.js";
import { lastPart, seatOf, stemOf, withoutBoard } from "./slots.js";
import { say } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
const TILE = 40;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const NOT_PLACES = ["bag", "discards"];

export class Editor {
  /** done(text): analyse this position; cancel(): back to the board as it was. */
  constructor(board, { view, done, cancel, fail }) {
    Object.assign(this, { board, view, done, cancel, fail });
    this.kinds = [...view.kinds, ...Object.keys(board.view.tile_names).filter((kind) => kind.length > 1)];
    [this.kind] = this.kinds;
    this.last = Promise.resolve();
    this.listener = new AbortController();
    this.listen();
  }

  listen() {
    const { signal } = this.listener;
    const { root } = this.board;
    const on = (target, kind, act) => target.addEventListener(kind, act, { signal });
    on(root, "click", (event) => this.lay(event.target.closest("[data-slot].editable")?.dataset.slot));
    on(root, "keydown", (event) => this.key(event));
    on(byId("editor-done"), "click", () => this.draft && this.done(this.draft.text));
    on(byId("editor-cancel"), "click", () => this.cancel());
    on(byId("editor-clear"), "click", () => this.ask({ text: null }));
    on(byId("use-text"), "click", () => this.ask({ text: byId("draft-text").value.trim() }));
  }

  /** Begins with the text of a position, or with an empty table. */
  async begin(text) {
    document.body.classList.add("editing");
    byId("editor").hidden = false;
    byId("palette").hidden = !this.view.edits;
    byId("as-text").open = !this.view.edits;
    byId("editor-help").hidden = byId("editor-clear").hidden = !this.view.edits;
    byId("status").textContent = say("editor.title");
    byId("prompt").textContent = say(this.view.edits ? "editor.palette" : "editor.no_editor");
    if (this.view.edits) {
      this.showPalette();
      this.openSlots();
    }
    await this.ask({ text });
  }

  end() {
    this.listener.abort();
    document.body.classList.remove("editing");
    byId("editor").hidden = byId("palette").hidden = true;
    for (const slot of this.board.root.querySelectorAll("[data-slot].editable")) {
      slot.classList.remove("editable");
      for (const name of ["tabindex", "role", "aria-label"]) slot.removeAttribute(name);
      slot.querySelector(":scope > .reach")?.remove();
      slot.closest('[data-spot][role="group"]')?.setAttribute("role", "img");
    }
  }

  // The server's view of the draft ------------------------------------------------------------------------

  ask(change) {
    this.last = this.last.then(() => this.change(change)).catch((error) => this.fail(error.message));
    return this.last;
  }

  async change({ text = this.draft?.text ?? null, ...change }) {
    const body = { game: this.view.start, names: this.view.names, text, ...change };
    this.draft = await post("/api/analysis/draft", body);
    this.show();
  }

  show() {
    const { scene, flaw, text, controls } = this.draft;
    this.board.show(scene);
    if (this.view.edits) this.openSlots();
    byId("draft-text").value = text;
    byId("flaw").textContent = flaw ? say("editor.impossible", { why: flaw }) : say("editor.possible");
    byId("flaw").classList.toggle("is-impossible", Boolean(flaw));
    byId("editor-done").disabled = Boolean(flaw);
    this.showControls(controls);
  }

  // Tiles -------------------------------------------------------------------------------------------------

  showPalette() {
    byId("palette").replaceChildren(
      ...[...this.kinds, ""].map((kind) => {
        const label = kind ? this.board.view.tile_names[kind] : say("editor.remove");
        const button = element("button", {
          type: "button", role: "radio", "data-kind": kind, "aria-checked": String(kind === this.kind), "aria-label": label, title: label,
          tabindex: kind === this.kind ? "0" : "-1", on: { click: () => this.choose(kind), keydown: (event) => this.alongPalette(event, kind) },
        });
        button.append(kind ? this.picture(kind) : "✕");
        return button;
      }),
    );
  }

  /** A tile as a small drawing; the marker has no letter of its own. */
  picture(kind) {
    const drawing = document.createElementNS(SVG, "svg");
    drawing.setAttribute("viewBox", `${-TILE / 2} ${-TILE / 2} ${TILE} ${TILE}`);
    drawing.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#${document.getElementById(`rhomb-${kind}`) ? "rhomb" : "tile"}-${kind}`);
    for (const side of ["x", "y"]) use.setAttribute(side, -TILE / 2);
    for (const side of ["width", "height"]) use.setAttribute(side, TILE);
    drawing.append(use);
    return drawing;
  }

  choose(kind) {
    this.kind = kind;
    for (const button of byId("palette").children) {
      const chosen = button.dataset.kind === kind;
      button.setAttribute("aria-checked", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
    }
  }

  alongPalette(event, kind) {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...this.kinds, ""];
    this.choose(all[(all.indexOf(kind) + step + all.length) % all.length]);
    byId("palette").querySelector("[aria-checked=true]").focus();
  }

  lay(slot, kind = this.kind) {
    if (!slot) return;
    const there = this.board.tiles[slot] ?? "";
    if (!there && !kind) return;
    this.ask({ act: "put", name: slot, value: there === kind ? "" : kind });
  }

  key(event) {
    const slot = event.target.closest?.("[data-slot].editable");
    if (!slot || event.ctrlKey || event.metaKey || event.altKey) return;
    const letter = event.key.toLowerCase();
    if (event.key === "Enter" || event.key === " ") this.lay(slot.dataset.slot);
    else if (event.key === "Delete" || event.key === "Backspace") this.lay(slot.dataset.slot, "");
    else if (ARROWS[event.key]) this.moveTo(nearest([...this.board.root.querySelectorAll(".editable")], slot, ARROWS[event.key]));
    else if (this.kinds.includes(letter)) this.lay(slot.dataset.slot, letter);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  moveTo(slot) {
    if (!slot) return;
    for (const other of this.board.root.querySelectorAll('.editable[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    slot.setAttribute("tabindex", "0");
    slot.focus();
  }

  /** Every slot can be clicked, and has a name; one of them is in the order of the keyboard. */
  openSlots() {
    let some = this.board.root.querySelector('.editable[tabindex="0"]');
    for (const [name, slot] of this.board.slots) {
      if (NOT_PLACES.includes(name)) continue;
      slot.closest('[role="img"]')?.setAttribute("role", "group"); // what is inside an image cannot be reached
      if (!slot.querySelector(":scope > .reach")) slot.prepend(this.reach(slot));
      slot.classList.add("editable");
      slot.setAttribute("role", "button");
      slot.setAttribute("aria-label", this.nameOf(name, slot));
      if (!slot.hasAttribute("tabindex")) slot.setAttribute("tabindex", some ? "-1" : "0");
      some ??= slot;
    }
  }

  reach(slot) {
    const round = slot.dataset.shape && slot.dataset.shape !== "tile";
    const made = document.createElementNS(SVG, round ? "ellipse" : "rect");
    const size = round ? { rx: TILE / 2.4, ry: TILE / 2.4 } : { x: -TILE / 2, y: -TILE / 2, width: TILE, height: TILE, rx: 4 };
    for (const [key, value] of Object.entries({ class: "reach", ...size })) made.setAttribute(key, value);
    return made;
  }

  nameOf(name, slot) {
    const tile = this.board.tiles[name];
    const [seat, stem] = [seatOf(name), stemOf(name)];
    const place = this.board.placeName(name) ?? this.board.placeName(stem) ?? this.board.placeName(slot.dataset.place ?? "") ?? withoutBoard(stem);
    const which = Number(lastPart(name));
    const exact = this.board.placeName(name) ? place : Number.isNaN(which) ? place : say("editor.space", { place, n: which + 1 });
    const what = `${exact}: ${tile ? this.board.view.tile_names[tile] : say("editor.empty")}`;
    return seat ? say("editor.space_of", { player: this.view.names[seat - 1], what }) : what;
  }

  // What is set beside the board --------------------------------------------------------------------------

  showControls(controls) {
    const focused = document.activeElement?.dataset?.control;
    const groups = new Map();
    for (const control of controls) {
      const name = control.kind ? "bag" : control.seat === null ? "" : this.view.names[control.seat];
      groups.set(name, [...(groups.get(name) ?? []), control]);
    }
    byId("bag").hidden = !groups.has("bag");
    byId("bag-controls").replaceChildren(...(groups.get("bag") ?? []).map((control) => this.control(control)));
    groups.delete("bag");
    byId("controls").replaceChildren(
      ...[...groups].map(([name, all]) =>
        element("fieldset", {}, ...(name ? [element("legend", {}, name)] : []), ...all.map((control) => this.control(control))),
      ),
    );
    if (focused) byId("editor").querySelector(`[data-control="${focused}"]`)?.focus();
  }

  control({ name, label, value, choices, least, most, kind }) {
    const change = ({ target }) => this.ask({ act: "change", name, value: target.value });
    const chosen = Object.entries(choices);
    const field = chosen.length
      ? element("select", { "data-control": name, on: { change } }, ...chosen.map(([key, text]) => element("option", { value: key, ...(key === value ? { selected: "" } : {}) }, text)))
      : element("input", { type: "number", "data-control": name, min: least, max: most, value, on: { change } });
    return element("label", {}, ...(kind ? [this.picture(kind)] : []), element("span", {}, label), field);
  }
}
