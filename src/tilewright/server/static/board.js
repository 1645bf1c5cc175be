/** The drawn table: panels of SVG, the tiles in their slots, texts and marks, and the things that can be clicked. */

import { lastPart, onAnyBoard, withoutBoard } from "./slots.js";
import { say } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
const TILE = 40; // every tile is drawn in a square of this size round the origin of its slot

/** A tile as an SVG element, drawn round the origin. */
export function tileElement(kind, shape) {
  const use = document.createElementNS(SVG, "use");
  const name = shape && document.getElementById(`${shape}-${kind}`) ? shape : "tile";
  use.setAttribute("href", `#${name}-${kind}`);
  for (const side of ["x", "y"]) use.setAttribute(side, -TILE / 2);
  for (const side of ["width", "height"]) use.setAttribute(side, TILE);
  return use;
}

function index(root, key) {
  const found = new Map();
  for (const element of root.querySelectorAll(`[data-${key}]`)) {
    const name = element.dataset[key];
    if (!found.has(name)) found.set(name, []);
    found.get(name).push(element);
  }
  return found;
}

/** Phones: there a panel is drawn with its tiles closer together and larger, if it has such a drawing. */
export const phone = window.matchMedia("(max-width: 599px), (max-height: 460px)");

/** Where a finger means a tile: an invisible square, larger than the tile. */
function reachElement(side) {
  const square = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ x: -side / 2, y: -side / 2, width: side, height: side, "fill-opacity": 0 })) {
    square.setAttribute(name, value);
  }
  return square;
}

export class Board {
  constructor() {
    this.root = document.getElementById("panels");
  }

  /** Draws the panels of a view, each in the element that holderOf(name) gives for it. */
  draw(view, holderOf) {
    this.view = view;
    this.tiles = {};
    document.getElementById("symbols").innerHTML = view.symbols;
    this.panels = new Map();
    for (const whole of view.panels) {
      const panel = (phone.matches && whole.compact) || whole;
      const holder = holderOf(panel.name);
      holder.innerHTML = panel.svg.trimStart().startsWith("<svg")
        ? panel.svg
        : `<svg xmlns="${SVG}" viewBox="0 0 ${panel.width} ${panel.height}">${panel.svg}</svg>`;
      const drawing = holder.firstElementChild;
      drawing.removeAttribute("width");
      drawing.removeAttribute("height");
      drawing.setAttribute("viewBox", `0 0 ${panel.width} ${panel.height}`);
      drawing.setAttribute("focusable", "false");
      this.panels.set(panel.name, holder);
    }
    this.slots = new Map([...index(this.root, "slot")].map(([name, [first]]) => [name, first]));
    this.spots = index(this.root, "spot");
    this.texts = index(this.root, "text");
    this.marks = index(this.root, "mark");
  }

  /** Shows a whole scene. */
  show(scene) {
    for (const slot of this.slots.keys()) this.put(slot, scene.tiles[slot] ?? null);
    this.write(scene.texts);
    this.mark(scene.marks);
  }

  put(slot, kind) {
    if ((this.tiles[slot] ?? null) === kind) return;
    const element = this.slots.get(slot);
    if (!element) return;
    if (kind) {
      this.tiles[slot] = kind;
      const { shape, reach } = element.dataset;
      element.replaceChildren(...(reach ? [reachElement(Number(reach))] : []), tileElement(kind, shape));
    } else {
      delete this.tiles[slot];
      element.replaceChildren();
    }
  }

  /** Shows where tiles would come to lie, translucent; none to show none. */
  foresee(tiles = {}) {
    for (const shadow of this.root.querySelectorAll(".landing")) shadow.remove();
    for (const [slot, kind] of Object.entries(tiles)) {
      const element = this.slots.get(slot);
      if (!element || this.tiles[slot]) continue;
      const shadow = tileElement(kind, element.dataset.shape);
      shadow.setAttribute("class", "landing");
      element.append(shadow);
    }
  }

  write(texts) {
    for (const [name, text] of Object.entries(texts ?? {})) {
      for (const element of this.texts.get(name) ?? []) element.textContent = text;
    }
  }

  mark(marks) {
    if (!marks) return;
    const now = new Set(marks);
    for (const [name, elements] of this.marks) {
      for (const element of elements) element.toggleAttribute("data-marked", now.has(name));
    }
  }

  /** The elements of a spot: things of that name, or the tiles of a kind that lie in a place. */
  elementsOf(spot) {
    const drawn = this.spots.get(spot);
    if (drawn) return drawn;
    const found = [];
    for (const [slot, kind] of Object.entries(this.tiles)) {
      const element = this.slots.get(slot);
      if (element?.dataset.place && `${element.dataset.place}-${kind}` === spot) found.push(element);
    }
    return found;
  }

  /** The names of the spots that an element (or what it lies in) stands for, the innermost first. */
  spotsAt(element) {
    const names = [];
    let here = element?.closest?.("[data-slot], [data-spot]");
    while (here) {
      const { slot, place, spot } = here.dataset;
      if (spot) names.push(spot);
      else if (place && this.tiles[slot]) names.push(`${place}-${this.tiles[slot]}`);
      here = here.parentElement?.closest("[data-slot], [data-spot]");
    }
    return names;
  }

  /** The spot of the tile under a point of the screen, whether or not it can be clicked; null if there is none. */
  tileAt(x, y) {
    for (const [slot, kind] of Object.entries(this.tiles)) {
      const element = this.slots.get(slot);
      if (!element?.dataset.place) continue;
      const box = element.getBoundingClientRect();
      if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return `${element.dataset.place}-${kind}`;
    }
    return null;
  }

  /** What a spot is called; with a count, that number of its tiles. */
  nameOf(spot, count) {
    const { buttons, tile_names: names } = this.view;
    const label = buttons[spot] ?? buttons[spot.replace("button-", "")] ?? this.placeName(spot);
    if (label) return label;
    const [element] = this.elementsOf(spot);
    if (!element) return spot;
    if (element.dataset.spot) return element.getAttribute("aria-label") ?? spot;
    const kind = this.tiles[element.dataset.slot];
    const place = this.placeName(element.dataset.place) ?? element.dataset.place;
    return say("tiles_in_place", { n: count ?? this.elementsOf(spot).length, tile: names[kind] ?? kind, place });
  }

  /** What a button says where room is short, if it has a shorter name. */
  shortNameOf(spot) {
    return this.view.buttons[spot.replace("button-", "short-")] ?? null;
  }

  /** The tile that a button stands for, if its name ends in the letter of one: a small drawing. */
  pictureOf(spot) {
    const kind = lastPart(spot);
    if (kind.length !== 1 || !(kind in this.view.tile_names)) return null;
    const drawing = document.createElementNS(SVG, "svg");
    drawing.setAttribute("viewBox", `${-TILE / 2} ${-TILE / 2} ${TILE} ${TILE}`);
    drawing.setAttribute("class", "tile");
    drawing.setAttribute("aria-hidden", "true");
    drawing.append(tileElement(kind, "rhomb"));
    return drawing;
  }

  placeName(place) {
    const places = this.view.place_names;
    return places[place] ?? places[onAnyBoard(place)] ?? places[withoutBoard(place)];
  }

  /** The middle and matrix of a slot or spot on the screen; null if it is not shown. */
  frameOf(name) {
    const element = this.slots.get(name) ?? this.spots.get(name)?.[0] ?? this.elementsOf(name)[0];
    const matrix = element?.getScreenCTM?.();
    if (!matrix) return null;
    if (element.dataset.slot) return { matrix, x: matrix.e, y: matrix.f, shape: element.dataset.shape };
    const box = element.getBoundingClientRect();
    return { matrix: null, x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
}
