/** A game played again: by keys, slider, or from the link to a move (#17). */

import { get } from "./api.js";
import { byId, copy, element, linkTo, tieDialogs } from "./dom.js";
import { Flights, pace } from "./flights.js";
import { LastMove } from "./last_move.js";
import { lineContent, roundHeading } from "./log_line.js";
import { listenForRematch } from "./rematch_call.js";
import * as settings from "./settings.js";
import { tieSound } from "./sound.js";
import { Stage, between } from "./stage.js";
import { Cursor, tieSteps } from "./stepping.js";
import { say } from "./texts.js";

const PAUSE = { slow: 2200, normal: 1300, fast: 600, off: 400 };

class Replay {
  constructor(view, game) {
    this.view = view;
    this.game = game;
    this.events = game.events;
    this.cursor = new Cursor(this.events.length - 1, () => this.show());
    this.stage = new Stage(view, () => window.innerHeight - byId("top").offsetHeight - byId("bar").offsetHeight - 24);
    this.board = this.stage.board;
    this.flights = new Flights(this.board, byId("layer"), ({ seat, score }) => this.count(seat, score));
    this.lastMove = new LastMove(this.board);
    this.slider = byId("slider");
    this.seats = element("ol", { id: "seats", class: "seats", "aria-label": say("players") });
    byId("top").querySelector("h1").after(this.seats);
    this.slider.max = this.cursor.last;
    this.list();
    this.listen();
    this.checkSeed();
    this.showSeats();
    this.cursor.go(this.cursor.inAddress());
  }

  get at() {
    return this.cursor.at;
  }

  listen() {
    const { cursor } = this;
    const acts = {
      first: () => this.pause(() => cursor.go(0)),
      back: () => this.pause(() => cursor.go(cursor.at - 1)),
      on: () => this.pause(() => this.step()),
      last: () => this.pause(() => cursor.go(cursor.last)),
      play: () => (this.timer ? this.pause() : this.run()),
    };
    tieSteps(acts, { keys: { " ": acts.play } });
    byId("copy-move").addEventListener("click", (event) => copy(linkTo(cursor.at), event.currentTarget));
    this.slider.addEventListener("input", () => this.pause(() => cursor.go(Number(this.slider.value))));
  }

  show() {
    this.flights.clear();
    this.board.show(this.events[this.at].scene);
    this.lastMove.show(this.events[this.at].last);
    this.told();
  }

  /** One move on, with its flights, and with its points as they were scored at the table. */
  async step() {
    if (this.cursor.isLast) return;
    const { scene: before, scores } = this.events[this.at];
    this.flights.clear();
    this.board.show(before);
    this.lastMove.show(null);
    this.cursor.put(this.at + 1);
    this.told();
    const { at } = this;
    const { scene, steps, last } = this.events[at];
    if (steps.length) this.showSeats(scores); // the new ones come with the tiles
    await this.flights.play(steps.length ? steps : [between(before, scene)]);
    if (at !== this.at) return;
    this.showSeats();
    this.lastMove.show(last);
  }

  run() {
    if (this.cursor.isLast) this.cursor.go(0);
    byId("play").setAttribute("aria-pressed", "true");
    const next = async () => {
      await this.step();
      if (this.cursor.isLast) this.pause();
      if (this.timer) this.timer = setTimeout(next, PAUSE[settings.get("speed")] - Math.min(pace(), 500));
    };
    this.timer = setTimeout(next, 50);
  }

  pause(act) {
    clearTimeout(this.timer);
    this.timer = null;
    byId("play").setAttribute("aria-pressed", "false");
    act?.();
  }

  told() {
    const { seat, text } = this.events[this.at];
    this.follow(seat);
    const line = seat ? `${this.view.seats[seat - 1].name} ${text}` : this.drawn(this.at);
    byId("status").textContent = line;
    byId("count").textContent = say("replay_count", { number: this.at, all: this.cursor.last });
    const image = byId("image");
    if (image) image.href = `/api/reviews/${this.view.id}/picture/${this.at}.${image.dataset.form}`;
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", `${this.at}: ${line}`);
    if (byId("analyse")) byId("analyse").href = `/analysis/${this.view.id}#${this.at}`;
  }

  /** On a screen that scrolls, the board of whoever moved comes first after the market, and into sight. */
  follow(seat) {
    this.showSeats();
    this.stage.follow(seat);
    if (this.stage.flows && seat) this.stage.figures.get(`player-${seat}`).scrollIntoView({ block: "nearest", behavior: "auto" });
  }

  /** Points have come to a player. */
  count(seat, score) {
    this.seats.children[seat - 1].querySelector(".score").textContent = String(score);
  }

  /** A chip for each player, with the score at this moment; a click looks at the board. */
  showSeats(scores = this.events[Math.max(0, this.at)].scores) {
    const { seat: mover, scene } = this.events[Math.max(0, this.at)];
    const { winners = [] } = (this.cursor.isLast && this.game.over) || {};
    this.seats.replaceChildren(
      ...this.view.seats.map(({ seat, name }) => {
        const turn = scene.marks.includes(`p${seat}-turn`);
        const looks = ["chip", turn && "turn", winners.includes(seat) && "winner"].filter(Boolean).join(" ");
        const look = () => this.stage.figures.get(`player-${seat}`).scrollIntoView({ block: "center" });
        const chip = element("button", {
          type: "button", class: looks, "aria-pressed": String(seat === mover), title: say("look_at", { name }), on: { click: look },
        });
        chip.append(
          element("span", { class: "name" }, name),
          element("span", { class: "score" }, String(scores[seat - 1] ?? 0)),
          element("span", { class: "hidden" }, say("points_word", { n: scores[seat - 1] ?? 0 })),
        );
        return element("li", {}, chip);
      }),
    );
  }

  /** What an event is called that is nobody's move. */
  drawn(index) {
    return this.events[index].text || say(index ? "replay_draw" : "replay_start");
  }

  list() {
    const nameOf = (seat) => this.view.seats[seat - 1].name;
    byId("log-lines").replaceChildren(
      ...this.events.map((event, index) => {
        const content = event.seat ? lineContent(event, nameOf) : [this.drawn(index)];
        const before = index > 1 ? this.events[index - 1].round : 0;
        const begins = index > 0 && event.round > 0 && event.round !== before;
        const heading = begins ? [roundHeading(event.round)] : [];
        return element("li", {}, ...heading, element("a", { href: `#${index}` }, ...content));
      }),
    );
  }

  /** The hash of the seed was published before the first tile was drawn: show whether seed and draws agree with it. */
  checkSeed() {
    const { seed, seed_hash: hash, checked } = this.game;
    byId("seed-hash").textContent = hash ?? "";
    byId("seed").textContent = seed ?? say("seed_hidden");
    const check = byId("seed-check");
    check.textContent = say(seed ? (checked ? "seed_kept" : "seed_broken") : "seed_later");
    check.dataset.kept = seed ? String(checked) : "";
  }
}

async function begin() {
  tieDialogs();
  settings.tie(document);
  tieSound(byId("sound"));
  const { table } = document.body.dataset;
  try {
    const [view, game] = await Promise.all([get(`/api/tables/${table}/view`), get(`/api/tables/${table}/events`)]);
    new Replay(view, game);
    document.body.classList.add("ready");
    if (view.state.over) listenForRematch(table);
  } catch (error) {
    byId("status").textContent = error.message;
    console.error(error);
  }
}

begin();
