/** Tiles that fly from slot to slot, and points that rise, on a layer over the whole page. */

import { tileElement } from "./board.js";
import * as settings from "./settings.js";
import { click, chime } from "./sound.js";

const SVG = "http://www.w3.org/2000/svg";
const FLIGHT = { slow: 900, normal: 480, fast: 220, off: 0 };
const STAGGER = 0.09; // of a flight, between tiles that leave together
const POINTS = 1.5; // of a flight, how long a score stands alone before the next
const stillness = window.matchMedia("(prefers-reduced-motion: reduce)");

/** The time of one flight in milliseconds; 0 for no motion. */
export function pace() {
  if (document.hidden || stillness.matches) return 0;
  return FLIGHT[settings.get("speed")] ?? FLIGHT.normal;
}

function wait(time) {
  return new Promise((resolve) => setTimeout(resolve, time));
}

function matrixText({ a, b, c, d, e, f }) {
  return `matrix(${[a, b, c, d, e, f].join(",")})`;
}

export class Flights {
  constructor(board, layer) {
    this.board = board;
    this.layer = layer;
    this.era = 0; // grows when whatever is in the air is called off
    this.sky = document.createElementNS(SVG, "svg");
    this.sky.setAttribute("class", "sky");
    this.layer.append(this.sky);
  }

  /** Plays the steps of an event one after the other. With hurry they are only shown. */
  async play(steps, hurry = () => false) {
    const { era } = this;
    for (const step of steps) {
      const time = hurry() ? 0 : pace();
      if (time) await this.fly(step, time);
      if (era !== this.era) return;
      this.settle(step);
      if (time && step.points) {
        this.rise(step.points, time);
        await wait(time * POINTS);
      }
    }
  }

  /** The scene after a step, at once. */
  settle(step) {
    for (const [slot, kind] of Object.entries(step.tiles ?? {})) this.board.put(slot, kind);
    this.board.write(step.texts);
    this.board.mark(step.marks);
  }

  async fly(step, time) {
    const flights = step.flights ?? [];
    for (const [, from] of flights) {
      if (step.tiles?.[from] !== undefined) this.board.put(from, null);
    }
    const stagger = flights.length > 12 ? (STAGGER * 12) / flights.length : STAGGER;
    const flown = flights.map((flight, order) => {
      const lands = step.tiles?.[flight[2]] === flight[0]; // not so in a bag, or on the discards
      return this.flyOne(flight, lands, time, time * stagger * order);
    });
    await Promise.all(flown);
  }

  async flyOne([kind, from, to], lands, time, delay) {
    const { era } = this;
    const origin = this.board.frameOf(from);
    const target = this.board.frameOf(to);
    if (!origin || !target) return;
    const shape = target.shape ?? origin.shape;
    const tile = document.createElementNS(SVG, "g");
    tile.append(tileElement(kind, shape));
    this.sky.append(tile);
    const start = this.matrixAt(origin, target);
    const end = this.matrixAt(target, origin);
    const lift = Math.min(60, Math.hypot(end.e - start.e, end.f - start.f) / 5);
    const middle = new DOMMatrix([
      ...["a", "b", "c", "d"].map((part) => ((start[part] + end[part]) / 2) * 1.12),
      (start.e + end.e) / 2,
      (start.f + end.f) / 2 - lift,
    ]);
    const way = [start, middle, end].map((matrix) => ({ transform: matrixText(matrix) }));
    way[0].easing = "ease-in";
    way[1].easing = "ease-out";
    const options = { duration: time, delay, fill: "both" };
    await tile.animate(way, options).finished.catch(() => undefined);
    tile.remove();
    if (era !== this.era) return;
    if (lands) this.board.put(to, kind);
    click();
  }

  /** The matrix of a frame; one of no size (a bag, or no slot at all) takes half the size of the other end. */
  matrixAt(frame, other) {
    const flat = ({ matrix }) => !matrix || Math.abs(matrix.a * matrix.d - matrix.b * matrix.c) < 0.001;
    if (!flat(frame)) return frame.matrix;
    const { a, b, c, d } = flat(other) ? new DOMMatrix() : other.matrix;
    return new DOMMatrix([a / 2, b / 2, c / 2, d / 2, frame.x, frame.y]);
  }

  /** Points rising from where they were won or lost. */
  rise({ seat, points, at }, time) {
    const frame = this.board.frameOf(at) ?? this.board.frameOf(at.replace("@", `p${seat}`));
    if (!frame) return;
    const label = document.createElement("div");
    label.className = points < 0 ? "points lost" : "points won";
    label.textContent = points < 0 ? `−${-points}` : `+${points}`;
    label.style.left = `${frame.x}px`;
    label.style.top = `${frame.y}px`;
    this.layer.append(label);
    chime(points);
    const way = [
      { transform: "translate(-50%, -20%) scale(0.5)", opacity: 0 },
      { transform: "translate(-50%, -70%) scale(1.15)", opacity: 1, offset: 0.2 },
      { transform: "translate(-50%, -90%) scale(1)", opacity: 1, offset: 0.75 },
      { transform: "translate(-50%, -150%) scale(0.95)", opacity: 0 },
    ];
    const rising = label.animate(way, { duration: time * (POINTS + 1), easing: "ease-out" });
    rising.finished.then(() => label.remove(), () => label.remove());
  }

  /** Calls off whatever is in the air. */
  clear() {
    this.era += 1;
    for (const flying of this.layer.getAnimations({ subtree: true })) flying.finish();
  }
}
