/** The people at the table: a chip for each with score and clock; invitations, free seats, requests. */

import { post } from "./api.js";
import { copy, element } from "./dom.js";
import { day, duration, moment } from "./due.js";
import { inviting } from "./inviting.js";
import { retryNotice } from "./retry.js";
import * as settings from "./settings.js";
import { say } from "./texts.js";

/** Seconds below which the time for a move of a correspondence game is short. */
const HURRY = 12 * 3600;

const FREE = new Set(["open", "invite"]);

const ASKED = { takeback: "asks_takeback", replace: "asks_replace", hints: "review.asks_hints" };
const OWN_ASKED = { takeback: "own_takeback", replace: "own_replace", hints: "review.own_hints" };

export class Seats {
  /** look(seat): put that board in front; send(message): to the server. */
  constructor({ look, send, fail }) {
    Object.assign(this, { look, send, fail });
    this.strip = document.getElementById("seats");
    this.notices = document.getElementById("notices");
    this.clock = null;
    setInterval(() => this.tick(), 250);
  }

  nameOf(seat) {
    return this.seats[seat - 1]?.name || say("seat_number", { number: seat });
  }

  get mine() {
    return this.seats.filter((seat) => seat.you).map((seat) => seat.seat);
  }

  /** Whether a seat is mine, even if a bot plays on for me. */
  get owns() {
    return this.seats.some((seat) => seat.yours);
  }

  get waiting() {
    return this.seats.some((seat) => FREE.has(seat.kind));
  }

  show(view, state, focus) {
    this.seats = view.seats;
    this.view = view;
    this.showChips(state, focus);
    this.showNotices(view, state);
  }

  showChips(state, focus) {
    this.setClock(state.clock);
    this.strip.replaceChildren(
      ...this.seats.map((seat) => {
        const turn = state.turn === seat.seat && !state.over && !this.waiting;
        const winner = state.over?.winners.includes(seat.seat);
        const looks = ["chip", turn && "turn", winner && "winner", !seat.present && "away", seat.you && "you"];
        if (FREE.has(seat.kind)) looks.push("free");
        const notes = this.notesOn(seat, state, turn);
        const score = state.scores?.[seat.seat - 1] ?? 0;
        const chip = element("button", {
          type: "button",
          class: looks.filter(Boolean).join(" "),
          "aria-pressed": String(focus === seat.seat),
          title: say("look_at", { name: this.nameOf(seat.seat) }),
          on: { click: () => this.look(seat.seat) },
        });
        chip.append(
          element("span", { class: "dot", "aria-hidden": "true" }),
          element("span", { class: "name" }, this.nameOf(seat.seat)),
          element("span", { class: "score" }, String(score)),
          element("span", { class: "hidden" }, say("points_word", { n: score })),
        );
        if (notes) chip.append(element("span", { class: "note" }, notes));
        if (this.clock) chip.append(element("span", { class: "clock", "data-clock": seat.seat }, ""));
        return element("li", {}, chip);
      }),
    );
    this.tick();
  }

  /** While a round is scored, the chips count along. */
  count({ seat, score }) {
    const shown = this.strip.children[seat - 1]?.querySelector(".score");
    if (shown) shown.textContent = String(score);
  }

  notesOn(seat, state, turn) {
    if (FREE.has(seat.kind)) return "";
    if (this.waiting) return seat.you ? say("you") : "";
    if (state.thinking === seat.seat) return say("thinking");
    if (seat.vacation) return say("on_vacation");
    if (!seat.present && !this.view.days) return say("away");
    if (turn) return seat.you ? say("to_move_you") : say("to_move");
    return seat.you ? say("you") : "";
  }

  // Clocks ------------------------------------------------------------------------------------------------

  setClock(clock) {
    if (clock === this.reading) return;
    this.reading = clock;
    this.clock = clock ? { ...clock, at: performance.now() } : null;
  }

  tick() {
    if (!this.clock) return;
    const passed = (performance.now() - this.clock.at) / 1000;
    for (const shown of this.strip.querySelectorAll("[data-clock]")) {
      const seat = Number(shown.dataset.clock);
      const left = this.clock.remaining[seat - 1] - (this.clock.running === seat ? passed : 0);
      const seconds = Math.max(0, Math.ceil(left));
      if ("due" in this.clock) {
        shown.textContent = this.clock.running === seat ? duration(seconds) : "";
        shown.title = this.clock.running === seat ? say("until_when", { when: moment(this.clock.due) }) : "";
        shown.classList.toggle("short", this.clock.running === seat && seconds < HURRY);
        continue;
      }
      shown.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      shown.classList.toggle("short", seconds < 20);
    }
  }

  // Notices -----------------------------------------------------------------------------------------------

  showNotices(view, state) {
    const typing = this.notices.contains(document.activeElement) && document.activeElement.tagName === "INPUT";
    if (typing && this.waiting) return;
    const shown = [];
    if (this.waiting && this.mine.length) shown.push(this.invitation(view));
    else if (this.waiting) shown.push(view.may_join ? this.joining(view) : this.notice(say("seats_kept")));
    else if (!this.owns) shown.push(this.notice(say("watching")));
    if (view.retry) shown.push(retryNotice(view.retry, this.fail));
    for (const ask of state.asks ?? []) shown.push(this.asked(ask));
    if (this.mine.length && !this.waiting) {
      for (const seat of this.seats.filter((other) => other.replaceable && !other.you)) {
        if ((state.asks ?? []).some((ask) => ask.kind === "replace" && ask.seat === seat.seat)) continue;
        const button = this.button(say("replace_by_bot"), () => this.send({ type: "replace", seat: seat.seat }));
        shown.push(this.notice(say("is_away", { name: seat.name }), button));
      }
    }
    for (const seat of this.seats.filter((other) => other.vacation && !other.you)) {
      shown.push(this.notice(say("is_on_vacation", { name: seat.name, when: day(seat.vacation) })));
    }
    shown.push(...this.substitutes(state), ...this.departures(view, state));
    this.notices.replaceChildren(...shown);
    this.notices.hidden = shown.length === 0;
  }

  /** A bot plays on for me: with a click I am back, unless my time ran out. */
  substitutes(state) {
    const seat = this.seats.find((one) => one.yours && one.substitute);
    if (!seat || state.over) return [];
    if (seat.timed_out) return [this.notice(say(this.view.rated ? "rated_lost" : "time_ran_out"))];
    const back = this.button(say("take_seat_back"), () => this.send({ type: "return" }), "primary");
    return [this.pressing(say("bot_plays_for_you"), back)];
  }

  /** Who has left for good: between two players that decides a rated game. */
  departures(view, state) {
    if (state.over) return [];
    const gone = this.seats.filter((seat) => seat.timed_out && !seat.yours);
    const decided = view.rated && this.seats.length === 2 && this.mine.length ? ` ${say("rated_won")}` : "";
    return gone.map((seat) => this.notice(say("bot_plays_on", { name: this.nameOf(seat.seat) }) + decided));
  }

  notice(text, ...controls) {
    return element("div", { class: "notice" }, element("p", {}, text), ...controls);
  }

  /** A notice that somebody waits for: on a phone it stays in sight. */
  pressing(text, ...controls) {
    const made = this.notice(text, ...controls);
    made.classList.add("pressing");
    return made;
  }

  button(label, act, look = "") {
    return element("button", { type: "button", class: look, on: { click: act } }, label);
  }

  invitation(view) {
    const { address, local } = inviting(view.url, location.href, document.body.dataset.network);
    const free = this.seats.filter((seat) => FREE.has(seat.kind)).length;
    const waiting = view.may_join ? say("waiting_for", { n: free }) : say("seats_kept");
    const field = element("input", {
      type: "text", readonly: "", value: address, "aria-label": say("invitation_link"), class: "link",
      on: { focus: (event) => event.target.select() },
    });
    const button = this.button(say("copy_link"), () => copy(address, button), "primary");
    const sharing = this.button(say("share_link"), () => navigator.share({ title: document.title, url: address }).catch(() => {}));
    sharing.hidden = !navigator.share;
    const row = element("div", { class: "invitation-row" }, field, button, sharing);
    const warning = local ? [element("small", {}, say("local_link"))] : [];
    return element("div", { class: "notice invitation" }, element("p", {}, waiting), row, this.company(), ...warning);
  }

  /** Who has come, and which seats are still free. */
  company() {
    const items = this.seats.map((seat) => {
      const free = FREE.has(seat.kind);
      const name = element("b", {}, this.nameOf(seat.seat));
      return element("li", { class: free ? "free" : "taken" }, name, free ? "" : ` ${say("seat_taken")}`);
    });
    return element("ul", { class: "company" }, ...items);
  }

  joining(view) {
    const name = element("input", {
      type: "text", name: "name", maxlength: "20", value: settings.get("name"), placeholder: say("your_name"),
      "aria-label": say("your_name"), autocomplete: "nickname",
    });
    const join = async (event) => {
      event.preventDefault();
      if (form.dataset.sent) return;
      form.dataset.sent = "yes";
      settings.set("name", name.value.trim());
      try {
        await post(`/api/tables/${view.id}/join`, { name: name.value.trim() });
        location.reload();
      } catch (error) {
        delete form.dataset.sent;
        this.fail(error.message);
      }
    };
    const form = element("form", { class: "notice invitation", on: { submit: join } });
    form.append(element("p", {}, say("seat_waits")), name, element("button", { class: "primary" }, say("sit_down")));
    return form;
  }

  asked(ask) {
    const values = { name: this.nameOf(ask.by), other: this.nameOf(ask.seat) };
    const own = this.mine.includes(ask.by);
    const text = say((own ? OWN_ASKED : ASKED)[ask.kind], values);
    if (own || !this.mine.length) return this.pressing(`${text} ${say("asked_others")}`);
    const answer = (yes) => () => this.send({ type: "answer", kind: ask.kind, yes });
    return this.pressing(text, this.button(say("yes"), answer(true), "primary"), this.button(say("no"), answer(false)));
  }
}
