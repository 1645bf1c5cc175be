/** The drawn table of a page: its panels, and where they are. */

import { Board, phone } from "./board.js";
import { byId, element } from "./dom.js";
import { arrange, boxes } from "./layout.js";
import * as settings from "./settings.js";

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

/** Draws a game's panels into the page: Map of a panel's name to its figure. */
export function drawPanels(board, view) {
  const figures = new Map();
  byId("panels").replaceChildren();
  board.draw(view, (name) => {
    const figure = element("figure", { class: "panel", "data-panel": name });
    byId("panels").append(figure);
    figures.set(name, figure);
    return figure;
  });
  document.body.dataset.game = view.game.name;
  return figures;
}

/** The shapes of panels as they are drawn and the number of other players, as arrange(), docksLog() and boxes() want. */
export function shapesOf(figures) {
  const shape = (name) => {
    const { width, height } = figures.get(name).firstElementChild.viewBox.baseVal;
    return height / width;
  };
  return [shape("market"), shape("player-1"), figures.size - 2];
}

/** Gives every panel its size and position in an area; the board of one seat, the focus, is in front. */
export function layOutPanels(figures, area, focus) {
  const shapes = shapesOf(figures);
  const players = figures.size - 1;
  const plan = arrange(area, ...shapes);
  byId("stage").dataset.layout = plan.name;
  if (plan.name === "tall") byId("stage").setAttribute("tabindex", "0"); // it scrolls, which keys must be able to do
  else byId("stage").removeAttribute("tabindex");
  const laidOut = plan.name === "flow" ? null : boxes(plan, area, ...shapes);
  for (const [name, figure] of figures) {
    const seat = Number(name.split("-")[1]);
    const after = seat ? (seat - focus + players) % players : 0; // the number of seats after the one in front
    const part = !seat ? "market" : after ? "other" : "focus";
    const box = laidOut?.get(part === "other" ? after - 1 : part);
    figure.dataset.part = part;
    figure.dataset.seat = seat || "";
    figure.style.width = `${box?.width ?? Math.floor(plan.widths[part])}px`;
    figure.style.transform = box ? `translate(${box.x}px, ${box.y}px)` : "";
    figure.dataset.x = box?.x ?? "";
    figure.dataset.y = box?.y ?? "";
    figure.style.order = seat ? 1 + after : 0;
  }
}

export class Stage {
  /** view: the drawings of a game; room(): the height for them on a page that scrolls; front: whose board comes first.
   *
   * together: market and focus share a narrow screen even if that makes them small. board: where to draw.
   */
  constructor(view, room, { front = 1, together = true, board = new Board() } = {}) {
    Object.assign(this, { view, room, front, together, board });
    this.figures = drawPanels(board, view);
    this.observer = new ResizeObserver(() => this.lay());
    this.observer.observe(byId("stage"));
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
    return byId("stage").dataset.layout === "flow";
  }

  lay() {
    const { width, height: whole } = byId("stage").getBoundingClientRect();
    const narrow = getComputedStyle(byId("panels")).display === "flex";
    const height = narrow ? this.room() : whole;
    const focus = (this.follows && this.focus) || this.front;
    const larger = settings.get("larger");
    const fingers = phone.matches && !this.together;
    layOutPanels(this.figures, { width, height, flows: narrow, together: this.together, larger, fingers }, focus);
  }
}
