/** The last move as it stays visible until the next one: shadows where its tiles lay, a glow where they are now. */

import { phone, tileElement } from "./board.js";

const SVG = "http://www.w3.org/2000/svg";
const TILE = 40; // the size of a tile in the units of its slot
const ROOM = { wide: 6, phone: 3 }; // between the tiles of a place and the line round it

const ROUND = 14; // the corners of a line round a place that is not as wide as high

/** A line round the slots of a place, in the units of their panel: a circle round a dish, longer round a row.
 *
 * Where room is short, places are trays: the line has corners there, and stays on the panel.
 */
function outline(slots) {
  const drawing = slots[0].ownerSVGElement;
  const inside = drawing.getScreenCTM()?.inverse();
  if (!inside) return null;
  const spots = slots.map((slot) => inside.multiply(slot.getScreenCTM()));
  const reach = Math.max(...spots.map(({ a, b }) => (Math.hypot(a, b) * TILE) / 2)) + (phone.matches ? ROOM.phone : ROOM.wide);
  const panel = drawing.viewBox.baseVal;
  const within = (most, values) => [Math.max(1, Math.min(...values) - reach), Math.min(most - 1, Math.max(...values) + reach)];
  const [left, right] = within(panel.width, spots.map(({ e }) => e));
  const [top, bottom] = within(panel.height, spots.map(({ f }) => f));
  const ring = document.createElementNS(SVG, "rect");
  const [width, height] = [right - left, bottom - top];
  const isRound = !phone.matches && Math.max(width, height) < 1.15 * Math.min(width, height);
  const size = { x: left, y: top, width, height, rx: isRound ? width / 2 : ROUND };
  for (const [name, value] of Object.entries(size)) ring.setAttribute(name, value);
  ring.setAttribute("class", "origin");
  drawing.append(ring);
  return ring;
}

export class LastMove {
  constructor(board) {
    this.board = board;
    this.shown = [];
  }

  /** last: {place, left, reached} as the server tells it, or nothing. */
  show(last) {
    for (const undo of this.shown) undo();
    this.shown = [];
    if (!last) return;
    for (const [kind, slot] of last.left) this.depart(kind, this.board.slots.get(slot));
    for (const [, slot] of last.reached) this.arrive(this.board.slots.get(slot));
    const slots = last.place ? [...this.board.slots.values()].filter((slot) => slot.dataset.place === last.place) : [];
    const ring = slots.length ? outline(slots) : null;
    if (ring) this.shown.push(() => ring.remove());
  }

  depart(kind, slot) {
    if (!slot || slot.childElementCount) return;
    const shadow = tileElement(kind, slot.dataset.shape);
    shadow.setAttribute("class", "departed");
    slot.append(shadow);
    this.shown.push(() => shadow.remove());
  }

  arrive(slot) {
    if (!slot) return;
    slot.toggleAttribute("data-arrived", true);
    this.shown.push(() => slot.toggleAttribute("data-arrived", false));
  }
}
