/** The drawn table of a page on which a game is looked at: replay, review and analysis. Its panels, and where they are. */

import { Board } from "./board.js";
import { element } from "./dom.js";
import { arrange, boxes } from "./layout.js";
import * as settings from "./settings.js";

function byId(name) {
  return document.getElementById(name);
}

/** What changed between two scenes, as a step that can be flown: as the server does it after a move. */
export function between(before, after) {
  const tiles = {};
  const left = {};
  const flights = [];
  for (const [slot, kind] of Object.entries(before.tiles)) {
    if (after.tiles[slot] === kind) continue;
    tiles[slot] = null;
    (left[kind] ??= []).push(slot);
  }
  for (const [slot, kind] of Object.entries(after.tiles)) {
    if (before.tiles[slot] === kind) continue;
    tiles[slot] = kind;
    flights.push([kind, left[kind]?.shift() ?? "bag", slot]);
  }
  for (const [kind, slots] of Object.entries(left)) for (const slot of slots) flights.push([kind, slot, "discards"]);
  return { tiles, texts: after.texts, marks: after.marks, flights };
}

export class Stage {
  /** view: the drawings of a game; room(): the height for them on a page that scrolls; front: whose board comes first. */
  constructor(view, room, front = 1) {
    this.view = view;
    this.room = room;
    this.front = front;
    this.board = new Board();
    this.figures = new Map();
    byId("panels").replaceChildren();
    this.board.draw(view, (name) => {
      const figure = element("figure", { class: "panel", "data-panel": name });
      byId("panels").append(figure);
      this.figures.set(name, figure);
      return figure;
    });
    document.body.dataset.game = view.game.name;
    this.observer = new ResizeObserver(() => this.lay());
    this.observer.observe(byId("table"));
    this.forget = settings.onChange((name) => name === "larger" && this.lay());
    this.lay();
  }

  /** Another game comes to the page. */
  end() {
    this.observer.disconnect();
    this.forget();
  }

  /** Where boards are small or the page scrolls, the one of whoever moves comes first after the market. */
  follow(seat) {
    if (!seat || seat === this.focus) return;
    this.focus = seat;
    if (this.follows) this.lay();
  }

  get follows() {
    return this.flows || settings.get("larger") || this.view.game.players > 2;
  }

  get flows() {
    return byId("table").dataset.layout === "flow";
  }

  lay() {
    const { width, height: whole } = byId("table").getBoundingClientRect();
    const narrow = getComputedStyle(byId("panels")).display === "flex";
    const height = narrow ? this.room() : whole;
    const { shapes } = this.board;
    const { players } = this.view.game;
    const figures = [shapes.get("market"), shapes.get("player-1"), players - 1];
    const plan = arrange({ width, height, flows: narrow, together: true, larger: settings.get("larger") }, ...figures);
    byId("table").dataset.layout = plan.name;
    const places = plan.name === "flow" ? null : boxes(plan, { width, height }, ...figures);
    const focus = (this.follows && this.focus) || this.front;
    for (const [name, figure] of this.figures) {
      const seat = Number(name.split("-")[1]);
      const after = seat ? (seat - focus + players) % players : 0; // the number of seats after the one in front
      const part = !seat ? "market" : after ? "other" : "focus";
      const box = places?.get(part === "other" ? after - 1 : part);
      figure.dataset.part = part;
      figure.style.width = `${box?.width ?? Math.floor(plan.widths[part])}px`;
      figure.style.transform = box ? `translate(${box.x}px, ${box.y}px)` : "";
      figure.style.order = seat ? 1 + after : 0;
    }
  }
}
