/** The line to the table: a WebSocket that comes back by itself and asks for what it missed. */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15000;
const HEARTBEAT = 20000;
const SILENCE = 45000;
const REFUSED = 1008; // the server's close code for a table that is not there

export class Live {
  /** after: () => number of the last event known; receive: (message); changed: ("live" | "lost" | "closed"). */
  constructor(path, { after, receive, changed }) {
    this.path = path;
    this.after = after;
    this.receive = receive;
    this.changed = changed;
    this.wait = FIRST_WAIT;
    this.heard = 0;
    this.open();
    setInterval(() => this.beat(), HEARTBEAT);
    window.addEventListener("online", () => this.retry());
    window.addEventListener("pageshow", () => this.retry());
    document.addEventListener("visibilitychange", () => document.hidden || this.retry());
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open() {
    clearTimeout(this.timer);
    const address = new URL(this.path, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("after", this.after());
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.heard = Date.now();
      this.changed("live");
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      this.heard = Date.now();
      this.receive(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => socket === this.socket && this.lost(event.code));
  }

  lost(code) {
    if (code === REFUSED) {
      this.changed("closed");
      return;
    }
    this.changed("lost");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** After sleep a socket may look open and be dead: drop it and begin anew from the last event. */
  renew() {
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.open();
  }

  retry() {
    if (this.socket?.readyState === WebSocket.CONNECTING) return;
    if (!this.isOpen || Date.now() - this.heard > SILENCE) this.renew();
    else this.send({ type: "ping" });
  }

  beat() {
    if (!this.isOpen) return;
    if (Date.now() - this.heard > SILENCE) {
      this.changed("lost");
      this.renew();
    } else this.send({ type: "ping" });
  }

  /** Whether the message could be handed to the line. */
  send(message) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
