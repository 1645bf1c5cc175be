/** The review of a game: graph, board, moves with their grades, and what would have been better. */

import { get } from "./api.js";
import { byId, copy, element, linkTo, tieDialogs } from "./dom.js";
import { listenForRematch } from "./rematch_call.js";
import { openRetry } from "./retry.js";
import { Graph, percent, points } from "./review_graph.js";
import { mark, unmark } from "./review_marks.js";
import { ReviewProgress } from "./review_progress.js";
import * as settings from "./settings.js";
import { Stage } from "./stage.js";
import { Cursor, tieSteps } from "./stepping.js";
import { toast } from "./toast.js";
import { say } from "./texts.js";

const SIGNS = { best: "✓", good: "·", inaccuracy: "?!", mistake: "?", blunder: "??" };
const MISTAKES = ["mistake", "blunder"];
const list = new Intl.ListFormat(document.documentElement.lang || "en", { style: "short", type: "unit" });

class ReviewPage {
  constructor(id, game) {
    this.id = id;
    this.game = game;
    this.review = null;
    this.progress = new ReviewProgress(id, {
      learn: (found) => this.learn(found),
      halted: (sentence) => this.halted(sentence),
      resumed: () => this.resumed(),
    });
    this.view = "before";
    this.stage = new Stage(game, () => window.innerHeight * 0.8, { front: game.mine[0] });
    this.board = this.stage.board;
    this.cursor = new Cursor(game.moments.length - 1, () => this.arrive());
    this.graph = new Graph(byId("graph"), game, (at) => this.cursor.go(at));
    this.list();
    this.listen();
    this.showLegend();
    this.cursor.go(this.cursor.inAddress(this.cursor.last));
  }

  // Where one is ------------------------------------------------------------------------------------------

  listen() {
    const { cursor } = this;
    const acts = {
      first: () => cursor.go(0),
      back: () => cursor.go(cursor.at - 1),
      on: () => cursor.go(cursor.at + 1),
      last: () => cursor.go(cursor.last),
      "next-mistake": () => this.toMistake(1),
    };
    tieSteps(acts, { keys: { PageUp: () => this.toMistake(-1), PageDown: () => this.toMistake(1) } });
    for (const button of byId("views").children) button.addEventListener("click", () => this.choose(button.dataset.view));
    for (const kind of ["chance", "margin"]) byId(`show-${kind}`).addEventListener("click", () => this.measure(kind));
    byId("share").addEventListener("click", (event) => copy(linkTo(cursor.at), event.currentTarget));
    byId("again").addEventListener("click", () => this.progress.go());
  }

  get at() {
    return this.cursor.at;
  }

  arrive() {
    this.view = "before";
    this.show();
  }

  /** The next mistake in a direction; from the last one, the first again. */
  toMistake(step) {
    const found = this.mistakes();
    if (!found.length) return;
    const order = step > 0 ? found : [...found].reverse();
    this.cursor.go(order.find((at) => (at - this.at) * step > 0) ?? order[0]);
  }

  mistakes() {
    const moves = Object.entries(this.review?.moves ?? {});
    return moves.filter(([, move]) => MISTAKES.includes(move.grade)).map(([event]) => Number(event) + 1);
  }

  get move() {
    return this.review?.moves?.[this.at - 1] ?? null;
  }

  // The review --------------------------------------------------------------------------------------------

  halted(sentence) {
    byId("progress").textContent = sentence;
    byId("again").hidden = false;
  }

  resumed() {
    if (byId("again").hidden) return;
    byId("again").hidden = true;
    byId("progress").textContent = say("review.waiting");
  }

  learn(review) {
    const whole = review.complete;
    this.review = review;
    document.body.classList.toggle("reviewed", whole);
    const said = whole ? say("review.done") : say("review.running", { percent: percent.format(review.progress) });
    byId("progress").textContent = said;
    byId("progress").classList.toggle("hidden", whole);
    this.graph.show(review);
    this.grade();
    byId("next-mistake").disabled = !this.mistakes().length;
    if (whole) {
      this.showSummary();
      this.showTotals();
    }
    this.show();
  }

  showSummary() {
    const { summary, turning_point: turn } = this.review;
    byId("summary").replaceChildren(element("p", {}, summary.join(" ")));
    if (turn === null) return;
    const button = element("button", { type: "button", class: "quiet", on: { click: () => this.cursor.go(turn + 1) } }, say("review.to_turning_point"));
    byId("summary").append(button);
  }

  showTotals() {
    const heads = ["accuracy", "given_away", "luck"];
    const head = element("tr", {}, element("td"), ...heads.map((key) => element("th", { scope: "col" }, say(`review.${key}`))));
    const rows = this.review.totals.map((total, seat) =>
      element("tr", {}, element("th", { scope: "row" }, this.game.names[seat]), ...heads.map((key) => element("td", {}, total[key]))),
    );
    const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
    const sums = element("details", {}, element("summary", {}, say("review.in_detail")), ...this.review.totals.map(({ sum }) => element("p", {}, sum)));
    byId("totals-table").replaceChildren(table, sums);
    byId("totals").hidden = false;
  }

  // What is shown -----------------------------------------------------------------------------------------

  measure(kind) {
    for (const other of ["chance", "margin"]) byId(`show-${other}`).setAttribute("aria-pressed", String(kind === other));
    byId("graph").setAttribute("aria-label", say(`review.show_${kind}`));
    this.graph.choose(`${kind}s`);
    this.showLegend();
    this.show();
  }

  showLegend() {
    byId("legend").replaceChildren(
      ...this.graph.legend().map(({ seat, label, dashes }) =>
        element("li", { class: `seat-${seat} ${seat % 2 ? "round" : "square"}${dashes === null ? " dots-only" : ""}` }, label),
      ),
    );
  }

  choose(view) {
    this.view = view;
    this.show();
  }

  show() {
    const moment = this.game.moments[this.at];
    const { move } = this;
    this.showBoard(moment, move);
    this.showExplanation(move);
    const line = this.lineOf(this.at);
    const graded = move?.grade_name ? ` (${move.grade_name})` : "";
    byId("status").textContent = line + graded;
    const expected = this.expected();
    byId("count").textContent = `${say("review.at_move", { number: this.at, all: this.cursor.last })}${expected ? ` · ${expected}` : ""}`;
    this.graph.goTo(this.at, `${this.at}: ${line}${graded}. ${expected}`);
    byId("image").href = `/api/reviews/${this.id}/picture/${this.at}.${byId("image").dataset.form}`;
    this.stage.follow(moment.seat);
  }

  lineOf(at) {
    const { seat, text } = this.game.moments[at];
    return seat ? `${this.game.names[seat - 1]} ${text}` : text || say("replay_start");
  }

  /** What everybody can expect now, in words. */
  expected() {
    const kind = this.graph.kind;
    const values = this.review?.[kind]?.[this.at];
    if (!values) return "";
    const format = kind === "chances" ? percent : points;
    const told = this.game.names.map((name, seat) => `${name} ${format.format(values[seat]).replace("-", "−")}`);
    return say(`review.${kind}`, { list: list.format(told) });
  }

  showBoard(moment, move) {
    const compared = Boolean(move?.better);
    byId("views").hidden = !compared;
    for (const button of byId("views").children) button.setAttribute("aria-pressed", String(button.dataset.view === this.view));
    const shown = compared && this.view !== "played" ? this.at - 1 : this.at; // a move is analysed where it can be replaced
    byId("analyse").href = `/analysis/${this.id}#${shown}`;
    unmark(this.board);
    this.board.foresee();
    if (!compared || this.view === "played") this.board.show(moment.scene);
    else if (this.view === "better") this.board.show(move.better.scene);
    else this.board.show(this.game.moments[this.at - 1].scene);
    if (!compared || this.view !== "before") return;
    this.board.foresee({ ...move.played.tiles, ...move.better.tiles });
    mark(this.board, "played", move.played.spots);
    mark(this.board, "better", move.better.spots);
  }

  showExplanation(move) {
    const box = byId("explanation");
    const shown = `${this.at}/${JSON.stringify(move)}/${this.review?.deals?.[this.at - 1]}`;
    if (box.dataset.shown === shown) return;
    box.dataset.shown = shown;
    const deal = this.review?.deals?.[this.at - 1];
    box.hidden = !move?.better && !deal;
    if (deal) box.replaceChildren(element("p", {}, say("review.deal_luck", { list: list.format(deal.luck) })));
    if (!move?.better) return;
    const [played, better] = move.told;
    const tryAgain = () => openRetry(this.id, this.at - 1).catch((error) => toast(error.message));
    const again = element("button", { type: "button", id: "try-again", title: say("review.try_again_help"), on: { click: tryAgain } }, say("review.try_again"));
    const reasons = move.reasons.map((reason) => element("li", {}, reason));
    box.replaceChildren(
      element("h2", { class: move.grade }, move.cost),
      element("p", { class: "told played" }, played),
      element("p", { class: "told better" }, better),
      ...(reasons.length ? [element("h3", {}, say("review.why")), element("ul", {}, ...reasons)] : []),
      again,
    );
  }

  // The moves ---------------------------------------------------------------------------------------------

  list() {
    let round = 0;
    byId("log-lines").replaceChildren(
      ...this.game.moments.map((moment, index) => {
        const { seat, text } = moment;
        const link = element("a", { href: `#${index}` });
        if (seat) link.append(element("b", {}, this.game.names[seat - 1]), ` ${text}`);
        else link.append(this.lineOf(index));
        const begins = index > 0 && seat === null && moment.round > round;
        if (begins) round = moment.round;
        const heading = begins ? [element("p", { class: "round" }, say("review.round", { number: moment.round }))] : [];
        return element("li", {}, ...heading, link);
      }),
    );
  }

  /** Writes the grades into the list as they become known. */
  grade() {
    const lines = byId("log-lines").children;
    for (const [event, move] of Object.entries(this.review.moves)) {
      const link = lines[Number(event) + 1].querySelector("a");
      if (link.querySelector(".grade") || !move.grade) continue;
      const sign = element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[move.grade]);
      link.prepend(element("span", { class: `grade ${move.grade}`, title: move.grade_name }, sign));
      link.append(element("span", { class: "hidden" }, ` (${move.grade_name})`));
    }
    const turn = this.review.turning_point;
    const link = turn === null ? null : lines[turn + 1].querySelector("a");
    if (link && !link.querySelector(".turn")) link.append(element("span", { class: "turn" }, ` ⟲ ${say("review.turning_point")}`));
  }
}

async function begin() {
  tieDialogs();
  settings.tie(document);
  const { review, table } = document.body.dataset;
  try {
    const page = new ReviewPage(review, await get(`/api/reviews/${review}/game`));
    document.body.classList.add("ready");
    if (table) listenForRematch(table);
    await page.progress.go();
  } catch (error) {
    byId("status").textContent = error.message;
    console.error(error);
  }
}

begin();
