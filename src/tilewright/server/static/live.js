/** The line to the table: a WebSocket that comes back by itself and asks for what it missed.
 *
 * A move is kept until the server has answered it, even if the page is loaded again. If the line breaks meanwhile it is
 * sent again, unless the server is already further on: the number of the event that it follows says so.
 */

import { isReachable } from "./reaching.js";

const SHORT_WAIT = 450; // give or take a half: after a restart of the server everybody is back within a second
const HOPE = 60000; // for so long we try that often, and then less and less
const LONGEST_WAIT = 10000;
const HEARTBEAT = 5000;
const PATIENCE = 4000; // without an answer for so long, the line is lost
const ALARM = 1200; // so long only when the browser says that it is offline
const DOUBT = 1500; // and after so long without one we ask whether it still stands
const REFUSED = 1008; // the server's close code for a table that is not there
const LATER = 1013; // and the one for a table or an address with too many lines

export class Live {
  /** after: () => number of the last event known; receive: (message); changed: ("live" | "lost" | "closed", reason). */
  constructor(path, { after, receive, changed }) {
    this.path = path;
    this.after = after;
    this.receive = receive;
    this.changed = changed;
    this.wait = SHORT_WAIT;
    this.kept = this.restored(); // the move that has no answer yet
    this.repeated = 0; // when a move was last sent again
    this.open();
    setInterval(() => this.isOpen && !document.hidden && this.ask(), HEARTBEAT);
    setInterval(() => this.isOpen && document.hidden && this.ask(), 3 * HEARTBEAT);
    window.addEventListener("offline", () => this.alarm());
    for (const event of ["online", "pageshow", "focus"]) window.addEventListener(event, () => this.probe());
    document.addEventListener("visibilitychange", () => document.hidden || this.probe());
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open() {
    this.rest();
    const address = new URL(this.path, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("after", this.after());
    const socket = new WebSocket(address);
    this.socket = socket;
    this.deadline = setTimeout(() => this.lose(), PATIENCE);
    socket.addEventListener("open", () => socket === this.socket && this.greet());
    socket.addEventListener("message", (event) => socket === this.socket && this.hear(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => socket === this.socket && this.lose(event.code, event.reason));
  }

  /** The socket is open; what we missed comes before the answer to this question, and then we know what is missing. */
  greet() {
    this.greeting = true;
    this.ask();
  }

  hear(message) {
    this.rest();
    const { kept } = this;
    if (kept && message.type === "event" && message.event > kept.after) this.keep(null);
    if (kept && message.type === "state" && message.state.event !== kept.after) this.keep(null);
    if (message.type === "error" && !this.kept && Date.now() - this.repeated < PATIENCE) return; // it had it already
    if (message.type === "error") {
      this.keep(null);
      this.said = message.said;
    }
    if (this.greeting && message.type === "pong") this.welcome();
    this.receive(message);
  }

  welcome() {
    this.greeting = false;
    this.wait = SHORT_WAIT;
    this.lost = null;
    this.changed("live");
    if (this.kept?.after !== this.after()) this.keep(null);
    if (!this.kept) return;
    this.repeated = Date.now();
    this.write(this.kept);
  }

  keep(move) {
    this.kept = move;
    try {
      if (move) sessionStorage.setItem(this.path, JSON.stringify(move));
      else sessionStorage.removeItem(this.path);
    } catch {
      // Private windows may refuse; the move is then kept as long as the page.
    }
  }

  restored() {
    try {
      return JSON.parse(sessionStorage.getItem(this.path));
    } catch {
      return null;
    }
  }

  /** The line is lost: drop it and reconnect from the last event; after a while, with longer and longer pauses. */
  lose(code, reason = "") {
    this.rest();
    const old = this.socket;
    this.socket = null;
    this.greeting = false;
    old?.close();
    if (code === REFUSED) {
      this.keep(null);
      this.over = true;
      this.changed("closed", this.said); // in full: the reason for closing may be cut short
      return;
    }
    this.changed("lost", code === LATER ? reason : "");
    this.lost ??= Date.now();
    if (code === LATER) this.wait = LONGEST_WAIT;
    else if (Date.now() - this.lost > HOPE) this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    this.deadline = setTimeout(() => this.knock(), this.wait * (0.5 + Math.random()));
  }

  /** Browsers delay sockets after some that failed, so an ordinary request finds out whether the server is there. */
  async knock() {
    const reachable = await isReachable();
    if (this.socket || this.over) return;
    if (reachable) this.open();
    else this.lose();
  }

  /** Something says that the line may have broken, or may be possible again. */
  probe() {
    if (this.over || this.socket?.readyState === WebSocket.CONNECTING) return;
    if (this.isOpen) this.ask();
    else this.open();
  }

  /** The browser says that it is offline; a server on the same machine is there all the same. */
  alarm() {
    if (!this.isOpen) return;
    this.rest();
    this.write({ type: "ping" }, ALARM);
  }

  ask() {
    this.write({ type: "ping" });
  }

  /** From now on an answer is due, of whatever kind. */
  write(message, patience = PATIENCE) {
    this.socket.send(JSON.stringify(message));
    if (this.deadline) return;
    const socket = this.socket;
    this.deadline = setTimeout(() => this.lose(), patience);
    if (message.type !== "ping") this.doubt = setTimeout(() => socket === this.socket && this.isOpen && this.ask(), DOUBT);
  }

  rest() {
    clearTimeout(this.deadline);
    clearTimeout(this.doubt);
    this.deadline = this.doubt = null;
  }

  /** Whether the message is on its way; a move waits for the line if there is none. */
  send(message) {
    if (this.over) return false;
    if (message.type === "move") this.keep(message);
    if (!this.isOpen || this.greeting) return message.type === "move";
    this.write(message);
    return true;
  }
}
