/** The table: puts together the drawing, the people, the moves and the line to the server. */

import { get } from "./api.js";
import { Board } from "./board.js";
import { Coach } from "./coach.js";
import { element, tieDialogs } from "./dom.js";
import { fillEnding } from "./ending.js";
import { Flights, pace } from "./flights.js";
import { arrange, boxes, docksLog } from "./layout.js";
import { Live } from "./live.js";
import { Log } from "./log.js";
import { Moves } from "./moves.js";
import { options } from "./paths.js";
import { Peeking } from "./peeking.js";
import { Seats } from "./seats.js";
import * as settings from "./settings.js";
import { knock } from "./sound.js";
import { say } from "./words.js";

const HURRY = 2; // with this many events waiting, they are shown without flights
const FAILURE_TIME = 6000;
const LOG_WIDTH = 264;
const SLIDE = 400; // how long boards take to change places
const BAR_HEIGHT = 118; // of the bar on a screen that scrolls, when a move is being made

function byId(name) {
  return document.getElementById(name);
}

class Table {
  constructor(view, paths) {
    this.view = view;
    this.paths = paths;
    this.state = view.state;
    this.waiting = 0;
    this.last = Promise.resolve();
    this.layer = byId("layer");
    this.board = new Board();
    this.draw();
    this.flights = new Flights(this.board, this.layer);
    this.log = new Log(byId("log-lines"), (seat) => this.seats.nameOf(seat));
    const send = (message) => this.live.send(message) || this.fail(say("no_connection"));
    this.seats = new Seats({ look: (seat) => this.look(seat), send, fail: (text) => this.fail(text) });
    this.moves = new Moves(this.board, {
      layer: this.layer,
      announce: (text) => this.announce(text),
      send: (move) => send({ type: "move", move, after: this.state.event }),
      preview: (move) => this.live.send({ type: "preview", move, after: this.state.event }),
    });
    this.coach = new Coach(this.moves);
    byId("takeback").addEventListener("click", (event) => {
      const narrow = byId("table").dataset.layout === "flow"; // there it comes where the button to confirm was
      if (!narrow || !this.moves.isFresh(event)) send({ type: "takeback" });
    });
    byId("show-end").addEventListener("click", () => byId("end").showModal());
    new ResizeObserver(() => this.lay()).observe(byId("table"));
    this.peeking = new Peeking(byId("panels"), (seat) => this.look(seat));
    this.showState(view.state);
    this.live = new Live(`/api/tables/${view.id}/live`, {
      after: () => this.state.event,
      receive: (message) => this.receive(message),
      changed: (line, reason) => this.lineChanged(line, reason),
    });
  }

  // What comes from the server ----------------------------------------------------------------------------

  receive(message) {
    const act = {
      state: () => this.enqueue(() => this.hearState(message.state)),
      event: () => this.enqueue(() => this.happen(message)),
      presence: () => this.enqueue(() => this.present(message.seats)),
      ask: () => this.update({ asks: message.asks ?? [...(this.state.asks ?? []), message] }),
      thinking: () => this.enqueue(() => this.update({ thinking: message.seat })),
      preview: () => this.moves.previewed(message.move, message.lines, message.tiles),
      coach: () => this.enqueue(() => this.advise(message)),
      rematch: () => this.met(message.url),
      error: () => this.refused(message.said),
    }[message.type];
    act?.();
  }

  /** Things happen one after the other, each when the flights before it have landed. */
  enqueue(act) {
    this.waiting += 1;
    this.last = this.last.then(act).catch((error) => console.error(error)).finally(() => (this.waiting -= 1));
  }

  /** The number of an event stands for all that happened up to it: if it is ours, a move in the making may stay. */
  hearState(state) {
    const { event, phase, legal } = this.state;
    const same = state.event === event && state.phase === phase && String(state.legal) === String(legal);
    if (!same || state.over) {
      this.showState(state);
      return;
    }
    this.update({ asks: state.asks, thinking: state.thinking, clock: state.clock, takeback: state.takeback });
    if (state.coach) this.advise(state);
  }

  showState(state) {
    const news = state.over && !this.state.over;
    this.state = state;
    this.seats.seats = this.view.seats;
    this.flights.clear();
    this.board.show(state.scene);
    if (state.log_after) this.log.extend(state.log);
    else this.log.fill(state.log);
    this.refresh();
    if (news) this.end();
  }

  async happen(event) {
    if (event.event <= this.state.event) return;
    this.moves.rest();
    this.peeking.end();
    const { steps, text, seat, type, number, ...moment } = event;
    const { scores } = this.state;
    Object.assign(this.state, moment, { thinking: null, asks: [] });
    this.log.add({ number: number ?? event.event, seat, text });
    this.announce(`${this.seats.nameOf(seat)} ${text}`);
    this.showStatus(false);
    this.seats.showChips({ ...this.state, scores }, this.focus); // the turn passes now, points come with the tiles
    await this.flights.play(steps, () => this.waiting > HURRY);
    this.refresh();
    if (this.state.over) this.end();
  }

  async present(seats) {
    const named = (list) => list.map((seat) => `${seat.name}/${seat.kind}/${seat.you}`).join();
    const changed = named(seats) !== named(this.view.seats);
    this.view.seats = seats;
    if (changed) {
      const view = await get(`/api/tables/${this.view.id}/view`);
      this.view = view;
      this.draw();
      this.showState(view.state);
    } else this.seats.show(this.view, this.state, this.focus);
  }

  /** The coach has thought of a move. */
  advise({ event, coach }) {
    if (event !== this.state.event) return;
    this.state.coach = coach;
    this.coach.show(this.view.guided, coach);
  }

  update(change) {
    Object.assign(this.state, change);
    this.seats.show(this.view, this.state, this.focus);
  }

  met(url) {
    this.view.rematch = url;
    this.seats.show(this.view, this.state, this.focus);
  }

  refused(sentence) {
    this.moves.refused();
    this.fail(sentence);
  }

  lineChanged(line, reason) {
    const shown = byId("line");
    shown.dataset.line = line;
    shown.textContent = (line !== "closed" && reason) || say(`line_${line}`);
    if (line === "closed" && reason) byId("status").textContent = reason;
    document.body.classList.toggle("cut-off", line !== "live");
    this.moves.cutOff(line !== "live");
    if (line === "live" && this.moves.sent && !this.live.kept) this.moves.refused();
  }

  // What is shown -----------------------------------------------------------------------------------------

  draw() {
    const root = byId("panels");
    root.replaceChildren();
    document.body.dataset.game = this.view.game.name;
    this.figures = new Map();
    this.board.draw(this.view, (name) => {
      const figure = element("figure", { class: "panel", "data-panel": name });
      root.append(figure);
      this.figures.set(name, figure);
      return figure;
    });
  }

  get turn() {
    return this.state.over || this.state.phase === "waiting" ? null : this.state.turn;
  }

  /** The board in front: the one of yours that is to move, or the one you looked at, or yours. */
  refresh() {
    const { mine } = this.seats;
    const yours = mine.includes(this.turn);
    const before = this.focus;
    if (yours) this.focus = this.turn;
    else if (!this.focus || (mine.length && !mine.includes(this.focus))) this.focus = mine[0] ?? this.focus ?? 1;
    if (before && before !== this.focus) this.slide();
    document.body.classList.toggle("waiting", this.state.phase === "waiting");
    this.lay();
    this.seats.show(this.view, this.state, this.focus);
    this.showStatus(yours);
    const legal = yours ? (this.state.legal ?? []) : [];
    if (yours && !this.wasYours) knock();
    this.wasYours = yours;
    this.moves.offer(options(this.paths, legal, this.turn), this.state.prompt ?? this.promptFor(mine));
    this.coach.turnOver();
    this.coach.show(this.view.guided, this.state.coach);
    byId("takeback").hidden = !this.state.takeback;
    byId("show-end").hidden = !this.state.over;
  }

  promptFor(mine) {
    return mine.length > 1 ? say("prompt_named", { name: this.seats.nameOf(this.turn) }) : say("prompt");
  }

  showStatus(yours) {
    const { over, phase } = this.state;
    const soon = this.seats.mine.includes(this.turn);
    let status = soon ? say("your_turn") : say("turn_of", { name: this.turn ? this.seats.nameOf(this.turn) : "" });
    if (phase === "waiting") status = say("not_begun");
    if (over) status = over.result;
    byId("status").textContent = status;
    byId("bar").classList.toggle("yours", yours);
    document.title = (soon ? "● " : "") + `${status} · ${this.view.game.title}`;
    const [newest] = this.log.newest();
    byId("last").textContent = newest ? `${this.seats.nameOf(newest.seat)} ${newest.text}` : "";
  }

  look(seat) {
    this.peeking.end();
    this.focus = seat;
    this.slide();
    this.lay();
    this.seats.show(this.view, this.state, seat);
    if (byId("table").dataset.layout === "flow") {
      this.figures.get(`player-${seat}`)?.scrollIntoView({ block: "center", behavior: "smooth" });
    }
  }

  /** Boards that change places slide there; at any other time, as at first, they are just put there. */
  slide() {
    if (!pace()) return;
    byId("panels").classList.add("sliding");
    clearTimeout(this.slid);
    this.slid = setTimeout(() => byId("panels").classList.remove("sliding"), SLIDE);
  }

  /** Gives every panel its size and place. */
  lay() {
    const room = byId("table");
    const { height: whole } = room.getBoundingClientRect();
    const width = byId("main").clientWidth - 2 * room.offsetLeft;
    const narrow = getComputedStyle(byId("panels")).display === "flex";
    const above = byId("top").offsetHeight + byId("notices").offsetHeight;
    const height = narrow ? window.innerHeight - above - BAR_HEIGHT - 2 * room.offsetLeft : whole;
    const shapes = new Map(this.view.panels.map((panel) => [panel.name, panel.height / panel.width]));
    const figures = [shapes.get("market"), shapes.get("player-1"), this.view.game.players - 1];
    const docked = docksLog({ width, height, flows: narrow }, LOG_WIDTH, ...figures);
    document.body.classList.toggle("docked", docked);
    const home = byId(docked ? "log-dock" : "log-home");
    if (!home.contains(byId("log-lines"))) home.append(byId("log-lines"));
    const area = { height, width: docked ? width - LOG_WIDTH : width, flows: narrow };
    const plan = arrange(area, ...figures);
    room.dataset.layout = plan.name;
    const places = plan.name === "flow" ? null : boxes(plan, area, ...figures);
    const focus = this.focus ?? 1;
    const others = this.seatsAfter(focus);
    for (const [name, figure] of this.figures) {
      const seat = Number(name.split("-")[1]);
      const part = name === "market" ? "market" : seat === focus ? "focus" : "other";
      const box = places?.get(part === "other" ? others.indexOf(seat) : part);
      figure.dataset.part = part;
      figure.dataset.seat = seat || "";
      figure.style.width = `${box?.width ?? Math.floor(plan.widths[part])}px`;
      figure.style.transform = box ? `translate(${box.x}px, ${box.y}px)` : "";
      figure.style.order = part === "other" ? 2 + others.indexOf(seat) : part === "focus" ? 1 : 0;
    }
  }

  /** The other seats in the order of play, beginning after one. */
  seatsAfter(focus) {
    const seats = this.view.seats.map((seat) => seat.seat);
    return [...seats.filter((seat) => seat > focus), ...seats.filter((seat) => seat < focus)];
  }

  announce(text) {
    byId("announce").textContent = text;
  }

  fail(text) {
    const toast = byId("toast");
    toast.textContent = text;
    toast.hidden = false;
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => (toast.hidden = true), FAILURE_TIME);
    return false;
  }

  end() {
    const names = this.view.seats.map((seat) => this.seats.nameOf(seat.seat));
    const dialog = fillEnding(this.view, this.state.over, names, this.seats.owns, (text) => this.fail(text));
    if (!dialog.open) dialog.showModal();
    this.announce(this.state.over.result);
  }
}

async function begin() {
  tieDialogs();
  settings.tie(document);
  const { table } = document.body.dataset;
  try {
    const view = await get(`/api/tables/${table}/view`);
    const paths = await get(view.paths);
    const made = new Table(view, paths);
    if (view.state.over) made.end();
    document.body.classList.add("ready");
  } catch (error) {
    byId("status").textContent = error.message;
    console.error(error);
  }
}

begin();
