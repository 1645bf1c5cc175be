/** The live connection to a table: a WebSocket that reconnects by itself and asks for what it missed.
 *
 * A move is kept until the server has answered it, even if the page is loaded again. If the connection breaks meanwhile
 * it is sent again, unless the server is already further on: the number of the event that it follows says so.
 */

import { isReachable } from "./reaching.js";

const RECONNECT_DELAY = 450; // give or take a half: after a restart of the server everybody is back within a second
const BACKOFF_AFTER = 60000; // of attempts at that rate; from then on each delay is twice as long
const LONGEST_DELAY = 10000;
const HEARTBEAT = 5000;
const ANSWER_TIMEOUT = 4000; // without an answer, the connection is lost
const OFFLINE_TIMEOUT = 1200; // the same, when the browser says that it is offline
const PING_AFTER = 1500; // without an answer to a message, before we ask whether the connection still stands
const CLOSED_REFUSED = 1008; // the server's close code for a table that is not there
const CLOSED_BUSY = 1013; // and the one for a table or an address with too many connections

export class Connection {
  /** after: () => number of the last event known; receive: (message); changed: ("live" | "lost" | "closed", reason). */
  constructor(path, { after, receive, changed }) {
    this.path = path;
    this.after = after;
    this.receive = receive;
    this.changed = changed;
    this.delay = RECONNECT_DELAY;
    this.pending = this.remembered(); // the move that has no answer yet
    this.resentAt = 0; // when a move was last sent again
    this.open();
    setInterval(() => this.isOpen && !document.hidden && this.ping(), HEARTBEAT);
    setInterval(() => this.isOpen && document.hidden && this.ping(), 3 * HEARTBEAT);
    window.addEventListener("offline", () => this.offline());
    for (const event of ["online", "pageshow", "focus"]) window.addEventListener(event, () => this.probe());
    document.addEventListener("visibilitychange", () => document.hidden || this.probe());
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open() {
    this.clearTimers();
    const address = new URL(this.path, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("after", this.after());
    const socket = new WebSocket(address);
    this.socket = socket;
    this.timeout = setTimeout(() => this.disconnect(), ANSWER_TIMEOUT);
    socket.addEventListener("open", () => socket === this.socket && this.opened());
    socket.addEventListener("message", (event) => socket === this.socket && this.received(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => socket === this.socket && this.disconnect(event.code, event.reason));
  }

  /** The socket is open; what we missed comes before the answer to this question, and then we know what is missing. */
  opened() {
    this.catchingUp = true;
    this.ping();
  }

  received(message) {
    this.clearTimers();
    const { pending } = this;
    if (pending && message.type === "event" && message.event > pending.after) this.remember(null);
    if (pending && message.type === "state" && message.state.event !== pending.after) this.remember(null);
    if (message.type === "error" && !this.pending && Date.now() - this.resentAt < ANSWER_TIMEOUT) return; // it had it already
    if (message.type === "error") {
      this.remember(null);
      this.said = message.said;
    }
    if (this.catchingUp && message.type === "pong") this.connected();
    this.receive(message);
  }

  connected() {
    this.catchingUp = false;
    this.delay = RECONNECT_DELAY;
    this.lostAt = null;
    this.changed("live");
    if (this.pending?.after !== this.after()) this.remember(null);
    if (!this.pending) return;
    this.resentAt = Date.now();
    this.transmit(this.pending);
  }

  remember(move) {
    this.pending = move;
    try {
      if (move) sessionStorage.setItem(this.path, JSON.stringify(move));
      else sessionStorage.removeItem(this.path);
    } catch {
      // Private windows may refuse; the move is then kept as long as the page.
    }
  }

  remembered() {
    try {
      return JSON.parse(sessionStorage.getItem(this.path));
    } catch {
      return null;
    }
  }

  /** The connection is lost: drop it and reconnect from the last event; after a while, with longer and longer pauses. */
  disconnect(code, reason = "") {
    this.clearTimers();
    const old = this.socket;
    this.socket = null;
    this.catchingUp = false;
    old?.close();
    if (code === CLOSED_REFUSED) {
      this.remember(null);
      this.over = true;
      this.changed("closed", this.said); // in full: the reason for closing may be cut short
      return;
    }
    this.changed("lost", code === CLOSED_BUSY ? reason : "");
    this.lostAt ??= Date.now();
    if (code === CLOSED_BUSY) this.delay = LONGEST_DELAY;
    else if (Date.now() - this.lostAt > BACKOFF_AFTER) this.delay = Math.min(this.delay * 2, LONGEST_DELAY);
    this.timeout = setTimeout(() => this.reconnect(), this.delay * (0.5 + Math.random()));
  }

  /** Browsers delay sockets after some that failed, so an ordinary request finds out whether the server is there. */
  async reconnect() {
    const reachable = await isReachable();
    if (this.socket || this.over) return;
    if (reachable) this.open();
    else this.disconnect();
  }

  /** The connection may have broken, or may be possible again. */
  probe() {
    if (this.over || this.socket?.readyState === WebSocket.CONNECTING) return;
    if (this.isOpen) this.ping();
    else this.open();
  }

  /** The browser says that it is offline; a server on the same machine is there all the same. */
  offline() {
    if (!this.isOpen) return;
    this.clearTimers();
    this.transmit({ type: "ping" }, OFFLINE_TIMEOUT);
  }

  ping() {
    this.transmit({ type: "ping" });
  }

  /** From now on an answer is due, of whatever kind. */
  transmit(message, timeout = ANSWER_TIMEOUT) {
    this.socket.send(JSON.stringify(message));
    if (this.timeout) return;
    const socket = this.socket;
    this.timeout = setTimeout(() => this.disconnect(), timeout);
    if (message.type !== "ping") this.pingTimer = setTimeout(() => socket === this.socket && this.isOpen && this.ping(), PING_AFTER);
  }

  clearTimers() {
    clearTimeout(this.timeout);
    clearTimeout(this.pingTimer);
    this.timeout = this.pingTimer = null;
  }

  /** Whether the message is on its way; a move waits for the connection if there is none. */
  send(message) {
    if (this.over) return false;
    if (message.type === "move") this.remember(message);
    if (!this.isOpen || this.catchingUp) return message.type === "move";
    this.transmit(message);
    return true;
  }
}
