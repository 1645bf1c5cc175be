/** What players say: friendly phrases at any table, and free text among people who came by invitation. */

import { Bubble } from "./bubble.js";
import { byId, element } from "./dom.js";
import * as settings from "./settings.js";
import { say } from "./texts.js";

const REMEMBERED = 100; // people whom somebody has muted, at one table each

export class Chat {
  /** send(message) says it; announce(text) tells those who cannot see the bubble. */
  constructor(table, layer, seats, { send, announce }) {
    Object.assign(this, { table, seats, send, announce });
    this.bubble = new Bubble(layer);
    this.lines = new Map(); // by number: what was written, as far as it was sent to us
    byId("phrases").addEventListener("click", (event) => {
      const { phrase } = event.target.dataset;
      if (!phrase) return;
      byId("chat").close();
      send({ type: "say", phrase });
    });
    byId("write").addEventListener("submit", (event) => {
      event.preventDefault();
      const field = byId("write-text");
      if (field.value.trim() && send({ type: "write", text: field.value })) field.value = "";
      field.focus();
    });
    byId("open-chat").addEventListener("click", () => this.read());
    byId("mute").addEventListener("change", ({ target }) => {
      this.mute(Number(target.value), target.checked);
      this.list();
    });
  }

  /** Phrases are for tables with other people; whether free text is, too, the server decides. */
  show(seats, writing) {
    const others = seats.filter((seat) => seat.kind === "human" && !seat.yours);
    byId("open-chat").hidden = !others.length || !this.seats.owns;
    this.offerMuting(others);
    const opens = writing && byId("writing").hidden;
    byId("writing").hidden = !writing;
    if (opens && this.isConnected) this.recall();
    if (writing || !this.lines.size) return;
    this.lines.clear(); // the server has deleted it as well
    this.list();
    byId("open-chat").classList.remove("unread");
  }

  /** The connection is back: what was written meanwhile may be missing. */
  connected() {
    this.isConnected = true;
    if (!byId("writing").hidden) this.recall();
  }

  recall() {
    this.send({ type: "conversation" });
  }

  said({ seat, phrase }) {
    this.tell(seat, say(`chat.${phrase}`));
  }

  written({ lines }) {
    const fresh = lines.filter(({ number }) => !this.lines.has(number));
    for (const line of fresh) this.lines.set(line.number, line);
    if (!fresh.length) return;
    this.list();
    const [newest] = fresh.slice(-1);
    if (byId("chat").open || this.isMuted(newest.seat)) return;
    if (!this.seats.mine.includes(newest.seat)) byId("open-chat").classList.add("unread");
    this.tell(newest.seat, newest.text);
  }

  /** A box for each of the others; those that are there stay, so that the focus does. */
  offerMuting(others) {
    const wanted = others.map(({ seat, name }) => `${seat} ${name}`).join();
    if (wanted === this.offered) return;
    this.offered = wanted;
    byId("mute").replaceChildren(...others.map(({ seat }) => this.muteBox(seat)));
  }

  muteBox(seat) {
    const box = element("input", { type: "checkbox", value: seat });
    box.checked = this.isMuted(seat);
    return element("label", { class: "check" }, box, ` ${say("chat.mute", { name: this.seats.nameOf(seat) })}`);
  }

  /** Somebody is muted at one table: at another, the same name may be somebody else. */
  mute(seat, muted) {
    this.remember(this.marked(seat), muted);
  }

  remember(mark, muted) {
    const others = settings.get("muted").filter((one) => one !== mark);
    settings.set("muted", muted ? [...others, mark].slice(-REMEMBERED) : others);
  }

  /** Whoever is muted here stays so in the rematch, where everybody sits one seat nearer to the first. */
  follow(url, players) {
    const rematch = url.split("/").pop();
    for (let seat = 1; seat <= players; seat += 1) {
      if (this.isMuted(seat)) this.remember(`${rematch}/${seat - 1 || players}`, true);
    }
  }

  isMuted(seat) {
    return settings.get("muted").includes(this.marked(seat));
  }

  marked(seat) {
    return `${this.table}/${seat}`;
  }

  /** Shows a bubble beside the name of whoever speaks. */
  tell(seat, text) {
    const chip = byId("seats").children[seat - 1];
    if (!chip || this.isMuted(seat)) return;
    this.bubble.show(text, chip.getBoundingClientRect());
    if (!this.seats.mine.includes(seat)) this.announce(say("chat.told", { name: this.seats.nameOf(seat), text }));
  }

  list() {
    const shown = [...this.lines.values()].filter(({ seat }) => !this.isMuted(seat)).sort((a, b) => a.number - b.number);
    const list = byId("conversation-lines");
    const known = new Map([...list.children].map((item) => [Number(item.dataset.number), item]));
    list.replaceChildren(...shown.map((line) => known.get(line.number) ?? this.item(line)));
    this.scroll();
  }

  scroll() {
    byId("conversation").scrollTop = byId("conversation").scrollHeight;
  }

  item({ number, seat, text }) {
    const mine = this.seats.mine.includes(seat);
    const name = element("b", {}, this.seats.nameOf(seat));
    return element("li", { "data-number": number, class: mine ? "mine" : "" }, name, " ", text);
  }

  read() {
    byId("open-chat").classList.remove("unread");
    requestAnimationFrame(() => {
      this.scroll(); // once the dialog is open
      if (matchMedia("(pointer: fine)").matches) byId("write-text").focus(); // a phone's keyboard would hide the phrases
    });
  }
}
