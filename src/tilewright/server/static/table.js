/** The table: puts together the drawing, the people, the moves and the connection to the server. */

import { get } from "./api.js";
import { Board, phone } from "./board.js";
import { Chat } from "./chat.js";
import { Coach } from "./coach.js";
import { Connection } from "./connection.js";
import { byId, tieDialogs } from "./dom.js";
import { Ending } from "./ending.js";
import { EvaluationBar } from "./evaluation_bar.js";
import { Flights, pace } from "./flights.js";
import { celebrate } from "./flourish.js";
import { Hints } from "./hints.js";
import { LastMove } from "./last_move.js";
import { docksLog } from "./layout.js";
import { tieLeaving } from "./leaving.js";
import { Log } from "./log.js";
import { Moves } from "./moves.js";
import { options } from "./paths.js";
import { Peeking } from "./peeking.js";
import { readNotices } from "./push.js";
import { parts } from "./scoring.js";
import { Seats } from "./seats.js";
import { lookForUpdate } from "./service.js";
import * as settings from "./settings.js";
import { fanfare, knock, tieSound } from "./sound.js";
import { drawPanels, layOutPanels, shapesOf } from "./stage.js";
import { markTab } from "./tab.js";
import { toast } from "./toast.js";
import { say } from "./texts.js";

const HURRY = 1; // with more events than this waiting, tiles fly faster,
const FAST = 0.45; // in this fraction of the time,
const LATE = 6; // and with more than this many they do not fly at all
const LOG_WIDTH = 264;
const SLIDE = 400; // how long boards take to change positions
const BAR_HEIGHT = 118; // of the bar on a screen that scrolls, when a move is being made

class Table {
  constructor(view, paths) {
    this.view = view;
    this.paths = paths;
    this.state = view.state;
    this.coming = 0; // events that have arrived and are not shown yet
    this.last = Promise.resolve();
    this.layer = byId("layer");
    this.board = new Board();
    this.draw();
    this.flights = new Flights(this.board, this.layer, (scored) => this.seats.count(scored));
    this.lastMove = new LastMove(this.board);
    this.log = new Log(byId("log-lines"), (seat) => this.seats.nameOf(seat));
    const send = (message) => this.connection.send(message) || toast(say("no_connection"));
    this.seats = new Seats({ look: (seat) => this.look(seat), send, fail: toast });
    this.chat = new Chat(view.id, this.layer, this.seats, { send, announce: (text) => this.announce(text) });
    this.moves = new Moves(this.board, {
      layer: this.layer,
      announce: (text) => this.announce(text),
      send: (move) => send({ type: "move", move, after: this.state.event }),
      takeBack: () => send({ type: "takeback" }),
      preview: (move) => this.connection?.send({ type: "preview", move, after: this.state.event }),
      why: (move) => this.connection.send({ type: "why", move, after: this.state.event }),
      every: () => options(this.paths, [...this.paths.keys()], this.turn),
    });
    this.coach = new Coach(this.moves);
    this.hints = new Hints(this.moves, {
      ask: (more) => send({ type: "hint", more, after: this.state.event }),
      propose: () => send({ type: "allow_hints" }),
    });
    this.evaluationBar = new EvaluationBar(view.id, {
      send: (on) => this.connection.send({ type: "evaluation", on }),
      propose: () => send({ type: "allow_hints" }),
    });
    this.ending = new Ending({ fail: toast, follows: (url) => this.chat.follow(url, view.game.players) });
    tieLeaving(() => (location.href = "/"), toast);
    for (const kind of ["click", "keydown"]) document.addEventListener(kind, (event) => this.skipScoring(event), true);
    new ResizeObserver(() => this.lay()).observe(byId("stage"));
    settings.onChange((name) => name === "larger" && this.lay());
    phone.addEventListener("change", () => this.enqueue(() => this.drawAgain()));
    this.peeking = new Peeking(byId("panels"), (seat) => this.look(seat));
    this.showState(view.state);
    this.connection = new Connection(`/api/tables/${view.id}/live`, {
      after: () => this.state.event,
      receive: (message) => this.receive(message),
      changed: (state, reason) => this.connectionChanged(state, reason),
    });
  }

  // What comes from the server ----------------------------------------------------------------------------

  receive(message) {
    const act = {
      state: () => this.enqueue(() => this.hearState(message.state)),
      event: () => {
        this.coming += 1;
        this.enqueue(() => this.happen(message).finally(() => (this.coming -= 1)));
      },
      presence: () => this.enqueue(() => this.present(message.seats)),
      ask: () => this.update({ asks: message.asks ?? [...(this.state.asks ?? []), message] }),
      thinking: () => this.enqueue(() => this.update({ thinking: message.seat })),
      preview: () => this.moves.previewed(message.move, message.lines, message.tiles),
      why: () => this.moves.explained(message.move, message.said),
      coach: () => this.enqueue(() => this.advise(message)),
      hint: () => this.enqueue(() => message.event === this.state.event && this.hints.given(message)),
      evaluation: () => this.enqueue(() => this.evaluationBar.given(message)),
      rematch: () => this.enqueue(() => this.met(message)),
      said: () => this.chat.said(message),
      written: () => this.chat.written(message),
      error: () => this.refused(message.said),
    }[message.type];
    act?.();
  }

  /** Things happen one after the other, each when the flights before it have landed. */
  enqueue(act) {
    this.last = this.last.then(act).catch((error) => console.error(error));
  }

  /** The number of an event stands for all that happened up to it: if it is ours, a move in the making may stay. */
  hearState(state) {
    const { event, phase, legal } = this.state;
    const same = state.event === event && state.phase === phase && String(state.legal) === String(legal);
    if (!same || state.over) {
      this.showState(state);
      return;
    }
    const { asks, thinking, clock, takeback, writing } = state;
    this.update({ asks, thinking, clock, takeback, writing });
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
    this.moves.takesBack = false;
    this.moves.rest();
    this.lastMove.show(null);
    this.peeking.end();
    const { steps, line, seat, type, over, ...moment } = event;
    const { round, scores } = this.state;
    const scoring = pace() && parts(steps).scores.length > 1; // whose points and winner the tiles tell, one by one
    Object.assign(this.state, moment, { over: scoring ? null : over, thinking: null, asks: [] });
    if (!scoring) this.log.add({ seat, ...line });
    this.announce(`${this.seats.nameOf(seat)} ${line.text}`);
    if (scoring) this.showScoring(round);
    else this.showStatus(false);
    this.seats.showChips({ ...this.state, scores }, this.focus); // the turn passes now, points come with the tiles
    await this.flights.play(steps, (time) => this.inTime(time));
    if (scoring) this.log.add({ seat, ...line });
    this.state.over = over;
    this.refresh();
    if (this.state.over) this.end();
  }

  /** The time of a flight while others wait to be shown: bots do not wait until we have seen what they did. */
  inTime(time) {
    if (this.coming > LATE) return 0;
    return this.coming > HURRY ? time * FAST : time;
  }

  /** While a round is scored nothing can be played: the bar says what is going on, and how to cut it short. */
  showScoring(round) {
    byId("status").textContent = say("scoring", { number: round });
    byId("prompt").textContent = say("skip_scoring");
    byId("bar").classList.remove("yours");
    document.body.classList.add("scoring");
    markTab(false);
    document.title = `${byId("status").textContent} · ${this.view.game.title}`;
  }

  /** A click on the table or a key shows the rest of a scoring at once, and does nothing else. */
  skipScoring(event) {
    if (event.type === "click" && !byId("main").contains(event.target)) return;
    if (["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key) || document.querySelector("dialog[open]")) return;
    if (!this.flights.skip()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  async present(seats) {
    const named = (list) => list.map((seat) => `${seat.name}/${seat.kind}/${seat.you}`).join();
    const changed = named(seats) !== named(this.view.seats);
    this.view.seats = seats;
    if (changed) await this.drawAgain();
    else this.seats.show(this.view, this.state, this.focus);
  }

  /** Other names, or a screen that was turned: everything as it is now. */
  async drawAgain() {
    this.view = await get(`/api/tables/${this.view.id}/view`);
    this.draw();
    this.showState(this.view.state);
  }

  /** The coach has found a move. */
  advise({ event, coach }) {
    if (event !== this.state.event) return;
    this.state.coach = coach;
    this.coach.show(this.view.guided, coach);
  }

  update(change) {
    Object.assign(this.state, change);
    this.seats.show(this.view, this.state, this.focus);
    this.chat.show(this.view.seats, this.state.writing && !this.state.over);
  }

  /** A rematch is there. Who waits for it should not have to wait for the others to notice. */
  met({ url, by }) {
    if (!this.view.rematch && by && this.seats.owns) {
      knock();
      this.announce(say("rematch_wanted", { name: this.seats.nameOf(by) }));
    }
    if (!this.view.rematch) this.chat.follow(url, this.view.game.players);
    this.view.rematch = { url, by: by ?? this.view.rematch?.by };
    if (this.state.over) this.showEnding();
  }

  /** What leaving means depends on who else is here, and on whether the game has begun. */
  showLeaving() {
    const button = byId("leave");
    const alone = this.view.seats.every((seat) => seat.yours || seat.kind !== "human");
    const how = this.state.phase === "waiting" ? (alone ? "cancel" : "leave") : this.view.rated ? "forfeit" : alone ? "abandon" : "resign";
    button.hidden = !this.seats.owns || Boolean(this.state.over);
    button.dataset.leave = how;
    button.dataset.table = this.view.id;
    button.textContent = say(`leave_${how}`);
  }

  refused(sentence) {
    this.moves.refused();
    this.hints.refused();
    toast(sentence);
  }

  connectionChanged(state, reason) {
    const shown = byId("connection");
    const isLive = state === "live";
    shown.dataset.state = state;
    shown.textContent = (state !== "closed" && reason) || say(`connection_${state}`);
    if (state === "closed" && reason) byId("status").textContent = reason;
    document.body.classList.toggle("cut-off", !isLive);
    this.moves.cutOff(!isLive);
    if (!isLive) return;
    this.moves.wantPreviewNow();
    this.hints.refused(); // what was asked before may be lost
    this.evaluationBar.connected();
    this.chat.connected();
    lookForUpdate();
    if (this.moves.sent && !this.connection.pending) this.moves.refused();
  }

  // What is shown -----------------------------------------------------------------------------------------

  draw() {
    this.figures = drawPanels(this.board, this.view);
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
    this.chat.show(this.view.seats, this.state.writing && !this.state.over);
    this.showStatus(yours);
    const legal = yours ? (this.state.legal ?? []) : [];
    if (yours && !this.wasYours) knock();
    this.wasYours = yours;
    this.moves.offer(options(this.paths, legal, this.turn), this.state.prompt ?? this.promptFor(mine));
    this.coach.turnOver();
    this.coach.show(this.view.guided, this.state.coach);
    this.hints.show(yours ? this.state.hints : null, this.log.newest()[0]?.number ?? 0);
    this.evaluationBar.show(this.state.evaluation);
    this.lastMove.show(this.state.last);
    this.moves.takesBack = this.state.takeback;
    this.showLeaving();
    if (this.state.over) this.showEnding();
  }

  promptFor(mine) {
    return mine.length > 1 ? say("prompt_named", { name: this.seats.nameOf(this.turn) }) : say("prompt");
  }

  showStatus(yours) {
    const { over, phase } = this.state;
    const soon = this.seats.mine.includes(this.turn);
    let status = soon ? say("your_turn") : say("turn_of", { name: this.turn ? this.seats.nameOf(this.turn) : "" });
    if (phase === "waiting") status = say("not_begun");
    if (over) status = this.view.rematch?.by && !this.seats.mine.includes(this.view.rematch.by) ? say("rematch") : over.result;
    byId("status").textContent = status;
    byId("bar").classList.toggle("yours", yours);
    document.body.classList.remove("scoring");
    markTab(soon && !over);
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
    if (byId("stage").dataset.layout === "flow") {
      this.figures.get(`player-${seat}`)?.scrollIntoView({ block: "center", behavior: "smooth" });
    }
  }

  /** Boards that change positions slide there; at any other time, as at first, they are just put there. */
  slide() {
    if (!pace()) return;
    byId("panels").classList.add("sliding");
    clearTimeout(this.slid);
    this.slid = setTimeout(() => byId("panels").classList.remove("sliding"), SLIDE);
  }

  /** Gives every panel its size and position. */
  lay() {
    const room = byId("stage");
    const { height: whole } = room.getBoundingClientRect();
    const width = byId("main").clientWidth - 2 * room.offsetLeft;
    const narrow = getComputedStyle(byId("panels")).display === "flex";
    const head = byId("top").offsetHeight;
    document.body.style.setProperty("--head", `${head}px`);
    const above = head + byId("notices").offsetHeight;
    const height = narrow ? window.innerHeight - above - BAR_HEIGHT - 2 * room.offsetLeft : whole;
    const wanted = { height, flows: narrow, larger: settings.get("larger"), fingers: phone.matches };
    const docked = docksLog({ ...wanted, width }, LOG_WIDTH, ...shapesOf(this.figures));
    document.body.classList.toggle("docked", docked);
    const home = byId(docked ? "log-dock" : "log-home");
    if (!home.contains(byId("log-lines"))) home.append(byId("log-lines"));
    layOutPanels(this.figures, { ...wanted, width: docked ? width - LOG_WIDTH : width }, this.focus ?? 1);
  }

  announce(text) {
    byId("announce").textContent = text;
  }

  showEnding() {
    const names = this.view.seats.map((seat) => this.seats.nameOf(seat.seat));
    this.ending.show(this.view, this.state.over, names, this.seats.mine, this.seats.owns);
    for (const [name, figure] of this.figures) {
      figure.classList.toggle("won", this.state.over.winners.some((seat) => name === `player-${seat}`));
    }
  }

  /** The game has just ended, before our eyes. */
  end() {
    this.announce(`${this.ending.title} ${this.state.over.summary}`);
    const winners = this.state.over.winners.map((seat) => this.figures.get(`player-${seat}`));
    fanfare(this.seats.mine.some((seat) => this.state.over.winners.includes(seat)));
    if (byId("stage").dataset.layout === "flow") winners[0].scrollIntoView({ block: "nearest" });
    celebrate(this.flights.sky, winners, Object.keys(this.view.tile_names).filter((kind) => kind.length === 1));
    if (this.moves.byKeyboard) byId("rematch").focus();
  }
}

async function begin() {
  tieDialogs();
  settings.tie(document);
  tieSound(byId("sound"));
  const { table } = document.body.dataset;
  try {
    const view = await get(`/api/tables/${table}/view`);
    const paths = await get(view.paths);
    new Table(view, paths);
    readNotices(table);
    document.body.classList.add("ready");
  } catch (error) {
    byId("status").textContent = error.message;
    console.error(error);
  }
}

begin();
