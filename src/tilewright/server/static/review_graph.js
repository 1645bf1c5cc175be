/** The graph of a review: win chances or margins over all events, drawn as SVG; a slider through the game. */

import { say } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
const PAD = { left: 44, right: 10, top: 8, bottom: 20 };
const DASHES = ["", "8 4", "2 4", "10 4 2 4"]; // lines are told apart without their colours
const MISTAKES = ["mistake", "blunder"];
const language = document.documentElement.lang || "en";

export const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
export const points = new Intl.NumberFormat(language, { maximumFractionDigits: 1, minimumFractionDigits: 1, signDisplay: "exceptZero" });

function draw(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

export class Graph {
  /** holder: the element with the role of a slider; chosen(event) is called when the reader picks a moment. */
  constructor(holder, game, chosen) {
    this.holder = holder;
    this.game = game;
    this.chosen = chosen;
    this.kind = "chances";
    this.review = null;
    this.at = 0;
    this.last = game.moments.length - 1;
    holder.setAttribute("aria-valuemax", this.last);
    this.seats = game.names.length === 2 ? [0] : game.names.map((_, seat) => seat);
    this.follow();
    new ResizeObserver(() => this.render()).observe(holder);
  }

  /** A click or a drag picks the nearest moment; on a phone a vertical swipe still scrolls the page. */
  follow() {
    const pick = (event) => {
      const { left, width } = this.holder.getBoundingClientRect();
      const share = (event.clientX - left - PAD.left) / (width - PAD.left - PAD.right);
      this.chosen(Math.round(Math.max(0, Math.min(1, share)) * this.last));
    };
    this.holder.addEventListener("pointerdown", (event) => {
      this.holder.setPointerCapture(event.pointerId);
      pick(event);
    });
    this.holder.addEventListener("pointermove", (event) => this.holder.hasPointerCapture(event.pointerId) && pick(event));
  }

  show(review) {
    this.review = review;
    this.render();
  }

  choose(kind) {
    this.kind = kind;
    this.render();
  }

  goTo(at, told) {
    this.at = at;
    this.holder.setAttribute("aria-valuenow", at);
    this.holder.setAttribute("aria-valuetext", told);
    this.cursor?.setAttribute("transform", `translate(${this.x(at)} 0)`);
  }

  x(event) {
    return PAD.left + ((this.width - PAD.left - PAD.right) * event) / Math.max(1, this.last);
  }

  y(value) {
    const { low, high } = this.scale;
    return PAD.top + (this.height - PAD.top - PAD.bottom) * (1 - (value - low) / (high - low));
  }

  get isChance() {
    return this.kind === "chances";
  }

  setScale() {
    if (this.isChance) {
      this.scale = { low: 0, high: 1, ticks: [0, 0.25, 0.5, 0.75, 1] };
      return;
    }
    const values = (this.review?.margins ?? []).filter(Boolean).flatMap((all) => this.seats.map((seat) => Math.abs(all[seat])));
    const most = Math.max(10, Math.ceil(Math.max(0, ...values) / 10) * 10);
    this.scale = { low: -most, high: most, ticks: [-most, -most / 2, 0, most / 2, most] };
  }

  render() {
    const { width, height } = this.holder.getBoundingClientRect();
    if (!width || !height) return;
    Object.assign(this, { width, height });
    this.setScale();
    const drawing = draw("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" });
    drawing.append(...this.grid(), ...this.rounds());
    if (this.review) {
      if (this.seats.length === 1) drawing.append(this.area());
      drawing.append(...this.seats.flatMap((seat) => this.line(seat)), ...this.dots());
    }
    this.cursor = draw("line", { class: "cursor", y1: PAD.top - 4, y2: height - PAD.bottom + 4 });
    this.cursor.setAttribute("transform", `translate(${this.x(this.at)} 0)`);
    drawing.append(this.cursor);
    this.holder.replaceChildren(drawing);
  }

  grid() {
    const format = this.isChance ? percent : points;
    return this.scale.ticks.flatMap((tick) => {
      const y = this.y(tick);
      const middle = tick === (this.isChance ? 0.5 : 0) ? " middle" : "";
      const label = this.isChance ? format.format(tick) : String(tick).replace("-", "−");
      return [
        draw("line", { class: `grid${middle}`, x1: PAD.left, x2: this.width - PAD.right, y1: y, y2: y }),
        draw("text", { x: PAD.left - 6, y: y + 4, "text-anchor": "end" }, label),
      ];
    });
  }

  /** A deal begins a round: a vertical line with its number. */
  rounds() {
    const found = [];
    let round = 0;
    let labelled = -Infinity;
    this.game.moments.forEach((moment, event) => {
      if (!event || moment.seat !== null) return;
      const x = this.x(event);
      found.push(draw("line", { class: "deal", x1: x, x2: x, y1: PAD.top, y2: this.height - PAD.bottom }));
      if (moment.round > round && x - labelled > 16) {
        labelled = x;
        found.push(draw("text", { x, y: this.height - 5, "text-anchor": "middle" }, String(moment.round)));
      }
      round = moment.round;
    });
    return found;
  }

  known(seat) {
    return this.review[this.kind].flatMap((values, event) => (values ? [[this.x(event), this.y(values[seat])]] : []));
  }

  area() {
    const known = this.known(0);
    if (!known.length) return draw("g", {});
    const base = this.y(this.isChance ? 0.5 : 0);
    const shape = [[known[0][0], base], ...known, [known.at(-1)[0], base]];
    return draw("polygon", { class: "area", points: shape.map((point) => point.join()).join(" ") });
  }

  line(seat) {
    const path = this.known(seat).map((point) => point.join()).join(" ");
    return [draw("polyline", { class: `curve seat-${seat + 1}`, points: path, "stroke-dasharray": DASHES[seat % DASHES.length] })];
  }

  /** Mistakes are dots on the line of whoever made them; with two players, on the only line. */
  dots() {
    return Object.entries(this.review.moves).flatMap(([event, move]) => {
      const at = Number(event) + 1;
      const values = this.review[this.kind][at];
      if (!MISTAKES.includes(move.grade) || !values) return [];
      const { seat } = this.game.moments[at];
      const y = this.y(values[this.seats.length === 1 ? 0 : seat - 1]);
      const [x, size] = [this.x(at), move.grade === "blunder" ? 5 : 4];
      const shape = seat % 2 ? draw("circle", { cx: x, cy: y, r: size }) : draw("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size });
      shape.setAttribute("class", `dot seat-${seat} ${move.grade}`);
      return [shape];
    });
  }

  /** Which line and which dots are whose, for the legend. */
  legend() {
    return this.game.names.map((name, seat) => {
      const label = this.seats.includes(seat) ? say(this.isChance ? "review.chance_of" : "review.margin_of", { name }) : name;
      return { seat: seat + 1, label, dashes: this.seats.includes(seat) ? DASHES[seat % DASHES.length] : null };
    });
  }
}
