/** The engine beside the board: the best lines of the position that is shown, live while it thinks. */

import { byId, element } from "./dom.js";
import { percent, points } from "./review_graph.js";
import { say } from "./texts.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
const number = new Intl.NumberFormat(document.documentElement.lang || "en");

function margin(value) {
  return points.format(value).replace("-", "−");
}

export class Engine {
  /** names: by seat; play(events): follow a line of moves; look(move): show a move on the board, null for none. */
  constructor({ play, look, fail }) {
    Object.assign(this, { play, look, fail });
    this.isOn = false;
    this.number = 0;
    this.wait = FIRST_WAIT;
    byId("engine-switch").addEventListener("click", () => this.turn(!this.isOn));
    byId("engine-lines").addEventListener("change", () => this.ask());
    window.addEventListener("pagehide", () => this.socket?.close());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.rest() : this.ask()));
  }

  turn(on) {
    this.isOn = on;
    const button = byId("engine-switch");
    button.setAttribute("aria-pressed", String(on));
    button.classList.toggle("primary", !on);
    button.textContent = say(on ? "analysis.engine_stop" : "analysis.engine_start");
    if (on) this.ask();
    else {
      this.rest();
      byId("engine-state").textContent = say("analysis.engine_off");
    }
  }

  /** The board shows another position; null where there is nothing to think about. */
  show(position, names) {
    this.position = position;
    this.names = names;
    this.clear();
    if (this.isOn) this.ask();
  }

  clear() {
    byId("engine-best").replaceChildren();
    byId("engine-expected").textContent = "";
    byId("engine-bar").hidden = true;
    if (this.isOn) byId("engine-state").textContent = this.position ? say("analysis.engine_waits") : "";
  }

  ask() {
    if (!this.isOn || document.hidden) return;
    if (!this.position) {
      this.rest();
      return;
    }
    this.number += 1;
    this.send({ type: "analyse", position: this.position, lines: Number(byId("engine-lines").value), number: this.number });
  }

  /** Nobody looks: the search ends. */
  rest() {
    this.number += 1;
    this.wanted = null;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type: "stop" }));
  }

  send(message) {
    this.wanted = message;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else if (!this.socket || this.socket.readyState > WebSocket.OPEN) this.connect();
  }

  connect() {
    const address = new URL("/api/analysis/engine", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener("open", () => this.wanted && socket.send(JSON.stringify(this.wanted)));
    socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => this.lost(socket));
  }

  lost(socket) {
    if (socket !== this.socket || !this.wanted) return;
    byId("engine-state").textContent = say("analysis.engine_lost");
    setTimeout(() => this.wanted && this.connect(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, 2 * this.wait);
  }

  hear(message) {
    if (message.type === "error") {
      byId("engine-state").textContent = message.said;
      return;
    }
    if (message.type !== "analysis" || message.number !== this.number || !this.isOn) return;
    this.wait = FIRST_WAIT;
    if (message.done) this.wanted = null;
    const key = message.done ? "analysis.engine_done" : "analysis.engine_thinks";
    byId("engine-state").textContent = message.simulations ? say(key, { n: number.format(message.simulations) }) : "";
    this.showExpected(message);
    this.showLines(message.lines);
  }

  showExpected({ chances, margins }) {
    const bar = byId("engine-bar");
    bar.hidden = false;
    bar.replaceChildren(...chances.map((chance, seat) => {
      const part = element("span", { class: `seat-${seat + 1}` });
      part.style.flexGrow = Math.max(chance, 0.001);
      return part;
    }));
    const told = chances.map((chance, seat) => `${this.names[seat]} ${percent.format(chance)} (${margin(margins[seat])})`);
    byId("engine-expected").textContent = told.join(" · ");
  }

  showLines(lines) {
    const focused = document.activeElement?.closest?.("#engine-best") ? document.activeElement.dataset.at : null;
    byId("engine-best").replaceChildren(...lines.map((line, index) => this.line(line, index)));
    if (focused) byId("engine-best").querySelector(`[data-at="${focused}"]`)?.focus();
  }

  line({ move, chance, margin: points, moves }, index) {
    const name = this.names[moves[0].seat - 1];
    const head = element(
      "span",
      { class: "move-value" },
      element("b", { title: say("analysis.chance_title", { name }) }, percent.format(chance)),
      element("span", { title: say("analysis.margin_title", { name }) }, margin(points)),
    );
    const events = moves.map(({ event }) => event);
    const steps = moves.map(({ told, event, seat }, step) => {
      const label = `${this.names[seat - 1]} ${told}`;
      const button = element("button", {
        type: "button", class: step ? "step" : "step best", "data-at": `${index}-${step}`, title: label,
        on: { click: () => this.play(events.slice(0, step + 1)) },
      });
      if (step) button.append(element("span", { class: `seat-dot seat-${seat}`, "aria-hidden": "true" }), element("span", { "aria-hidden": "true" }, event), element("span", { class: "hidden" }, label));
      else button.append(label);
      return button;
    });
    const item = element("li", {}, head, element("span", { class: "steps" }, ...steps));
    for (const kind of ["pointerenter", "focusin"]) item.addEventListener(kind, () => this.look(move));
    for (const kind of ["pointerleave", "focusout"]) item.addEventListener(kind, () => this.look(null));
    return item;
  }
}
