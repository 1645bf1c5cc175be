/** Tiles that fly from slot to slot, and points that rise, on a layer over the whole page. */

import { tileElement } from "./board.js";
import { parts, tempo } from "./scoring.js";
import * as settings from "./settings.js";
import { click, chime } from "./sound.js";

const SVG = "http://www.w3.org/2000/svg";
const FLIGHT = { slow: 900, normal: 480, fast: 220, off: 0 };
const STAGGER = 0.09; // of a flight, between tiles that leave together
const RISE = 1150; // milliseconds for which points rise
const AFTERGLOW = 500; // after the last of several scores, before anything else happens
const GLANCE = 3000; // how long points stand that are shown all at once
const stillness = window.matchMedia("(prefers-reduced-motion: reduce)");

/** The time of one flight in milliseconds; 0 for no motion. */
export function pace() {
  if (document.hidden || stillness.matches) return 0;
  return FLIGHT[settings.get("speed")] ?? FLIGHT.normal;
}

function matrixText({ a, b, c, d, e, f }) {
  return `matrix(${[a, b, c, d, e, f].join(",")})`;
}

export class Flights {
  /** scored({seat, score}): called with the score that a seat has reached. */
  constructor(board, layer, scored = () => undefined) {
    this.board = board;
    this.layer = layer;
    this.scored = scored;
    this.era = 0; // grows when whatever is in the air is called off
    this.heard = 0; // scores in a row, each a little higher in pitch
    this.scoring = false;
    this.skipped = false;
    this.sky = document.createElementNS(SVG, "svg");
    this.sky.setAttribute("class", "sky");
    this.layer.append(this.sky);
  }

  /** Plays the steps of an event. hurry(time) may shorten the flights, but never those that score. */
  async play(steps, hurry = (time) => time) {
    const { era } = this;
    const { move, scores, rest } = parts(steps);
    this.skipped = false;
    this.scoring = scores.length > 0;
    for (const step of move) await this.playOne(step, hurry(pace()));
    if (era === this.era && scores.length) await this.score(scores);
    this.scoring = false;
    for (const step of rest) if (era === this.era) await this.playOne(step, hurry(pace()));
  }

  async playOne(step, time) {
    const { era } = this;
    if (time && !this.skipped) await this.fly(step, time);
    else if (step.flights?.length && !this.skipped) click();
    if (era !== this.era) return;
    this.settle(step);
    if (!step.points) return;
    if (pace()) this.rise(step.points);
    else this.glance([step]);
  }

  /** Scores one after the other, each leaving on the beat; all at once where nothing should move. */
  async score(steps) {
    const { era } = this;
    const time = this.skipped ? 0 : pace();
    if (!time) {
      steps.forEach((step) => this.settle(step));
      if (!this.skipped) this.glance(steps);
      return;
    }
    const { beat, flight } = tempo(steps.length, time);
    this.heard = 0;
    let landed = Promise.resolve();
    const begun = performance.now();
    for (const [order, step] of steps.entries()) {
      landed = this.scoreOne(step, flight, landed);
      await this.pause(begun + beat * (order + 1) - performance.now()); // what a slow device loses is made up for
      if (this.skipped || era !== this.era) break;
    }
    await landed;
    if (!this.skipped) await this.pause(AFTERGLOW);
    if (this.skipped && era === this.era) steps.forEach((step) => this.settle(step));
  }

  /** Scores count in their order, even if a single tile lands before several that left a little earlier. */
  async scoreOne(step, time, before) {
    const { era } = this;
    await Promise.all([this.fly(step, time), before]);
    if (era !== this.era || this.skipped) return;
    this.settle(step);
    if (step.points) this.rise(step.points);
  }

  /** Whoever has seen enough goes on at once: whether there was anything to skip. */
  skip() {
    if (!this.scoring || this.skipped) return false;
    this.skipped = true;
    this.land();
    this.go?.();
    return true;
  }

  /** A pause that ends early if it is skipped. */
  pause(time) {
    return new Promise((resolve) => {
      this.go = resolve;
      setTimeout(resolve, time);
    });
  }

  /** The scene after a step, at once. */
  settle(step) {
    for (const [slot, kind] of Object.entries(step.tiles ?? {})) this.board.put(slot, kind);
    this.board.write(step.texts);
    this.board.mark(step.marks);
    if (step.points) this.scored(step.points);
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

  /** A label with points where they were won or lost; nothing if that slot is not shown. */
  label({ seat, points, at }) {
    const frame = this.board.frameOf(at) ?? this.board.frameOf(at.replace("@", `p${seat}`));
    if (!frame) return null;
    const label = document.createElement("div");
    label.className = points < 0 ? "points lost" : "points won";
    label.textContent = points < 0 ? `−${-points}` : `+${points}`;
    label.style.left = `${frame.x}px`;
    label.style.top = `${frame.y}px`;
    this.layer.append(label);
    return label;
  }

  /** Points rising from where they were won or lost. */
  rise(scored) {
    const label = this.label(scored);
    if (!label) return;
    chime(scored.points, this.heard);
    this.heard += 1;
    const way = [
      { transform: "translate(-50%, -20%) scale(0.5)", opacity: 0 },
      { transform: "translate(-50%, -70%) scale(1.15)", opacity: 1, offset: 0.15 },
      { transform: "translate(-50%, -90%) scale(1)", opacity: 1, offset: 0.75 },
      { transform: "translate(-50%, -150%) scale(0.95)", opacity: 0 },
    ];
    const rising = label.animate(way, { duration: RISE * Math.max(0.6, pace() / FLIGHT.normal), easing: "ease-out" });
    rising.finished.then(() => label.remove(), () => label.remove());
  }

  /** Points shown all at once, without motion; what two steps scored at the same slot is added up. */
  glance(steps) {
    for (const old of this.layer.querySelectorAll(".points.still")) old.remove();
    if (document.hidden) return;
    const totals = new Map();
    for (const { points: scored } of steps) {
      if (!scored) continue;
      const before = totals.get(scored.at)?.points ?? 0;
      totals.set(scored.at, { ...scored, points: before + scored.points });
    }
    if (totals.size) chime([...totals.values()].reduce((sum, { points }) => sum + points, 0));
    for (const scored of totals.values()) {
      const label = this.label(scored);
      label?.classList.add("still");
      setTimeout(() => label?.remove(), GLANCE);
    }
  }

  /** Everything in the air comes down at once. */
  land() {
    for (const flying of this.layer.getAnimations({ subtree: true })) flying.finish();
  }

  /** Calls off whatever is in the air. */
  clear() {
    this.era += 1;
    this.land();
    for (const label of this.layer.querySelectorAll(".points.still")) label.remove();
    this.go?.();
  }
}
