/** Dragging tiles with mouse, pen or finger: a ghost of them follows, and they are dropped on what is lit. */

import { tileElement } from "./board.js";

const SVG = "http://www.w3.org/2000/svg";
const SLACK = 7; // pixels before a press becomes a drag
const MOST = 5; // tiles shown in the ghost

export class Drag {
  /** begins(spot): may it be dragged; picks(spot), drops(spot): choose it; chosen(spot): is it chosen already. */
  constructor(board, layer, handlers) {
    this.board = board;
    this.layer = layer;
    Object.assign(this, handlers);
    this.dropped = 0;
    this.used = false; // whether tiles were ever dragged here
    board.root.addEventListener("pointerdown", (event) => this.press(event));
    document.addEventListener("pointermove", (event) => this.move(event));
    document.addEventListener("pointerup", (event) => this.release(event));
    document.addEventListener("pointercancel", () => this.end());
  }

  press(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const element = event.target.closest?.("[data-slot]");
    const spot = element && this.board.spotsAt(element).find((name) => this.begins(name));
    if (spot) this.held = { spot, element, x: event.clientX, y: event.clientY, id: event.pointerId };
  }

  move(event) {
    if (!this.held || event.pointerId !== this.held.id) return;
    if (!this.ghost) {
      if (Math.hypot(event.clientX - this.held.x, event.clientY - this.held.y) < SLACK) return;
      this.lift();
    }
    this.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
    const under = this.litAt(event);
    if (under !== this.under) {
      for (const [spot, on] of [[this.under, false], [under, true]]) {
        if (spot) for (const element of this.board.elementsOf(spot)) element.classList.toggle("over", on);
      }
      this.under = under;
    }
  }

  lift() {
    const { spot, element } = this.held;
    const matrix = element.getScreenCTM();
    const kind = this.board.tiles[element.dataset.slot];
    const count = Math.min(MOST, this.board.elementsOf(spot).length);
    this.ghost = document.createElementNS(SVG, "svg");
    this.ghost.setAttribute("class", "ghost");
    for (let order = 0; order < count; order += 1) {
      const tile = document.createElementNS(SVG, "g");
      const { a, b, c, d } = matrix;
      tile.setAttribute("transform", `matrix(${a},${b},${c},${d},${order * 9},${order * -5})`);
      tile.append(tileElement(kind, element.dataset.shape));
      this.ghost.append(tile);
    }
    this.layer.append(this.ghost);
    document.body.classList.add("dragging");
    if (!this.chosen(spot)) this.picks(spot);
  }

  litAt(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    if (!element || !this.board.root.contains(element)) return null;
    return this.board.spotsAt(element).find((spot) => this.board.elementsOf(spot)[0]?.classList.contains("lit")) ?? null;
  }

  release(event) {
    if (!this.held || event.pointerId !== this.held.id) return;
    const target = this.ghost ? this.litAt(event) : null;
    if (this.ghost) this.dropped = performance.now();
    this.end();
    if (target) {
      this.used = true;
      this.drops(target);
    }
  }

  end() {
    for (const element of this.board.root.querySelectorAll(".over")) element.classList.remove("over");
    document.body.classList.remove("dragging");
    this.ghost?.remove();
    this.ghost = null;
    this.held = null;
    this.under = null;
  }

  /** Whether the click that comes now is only the end of a drag. */
  justDropped() {
    return performance.now() - this.dropped < 60;
  }
}
