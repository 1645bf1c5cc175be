/** Puzzles, one at a time: find the best move on the board, then see why it is the best. */

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { element, tieDialogs } from "./dom.js";
import { arrange, boxes } from "./layout.js";
import { Moves } from "./moves.js";
import { options } from "./paths.js";
import { mark, unmark } from "./review_marks.js";
import * as settings from "./settings.js";
import { say } from "./words.js";

const FAILURE_TIME = 6000;
const SETTLED = 110; // a rating with a larger standard deviation is provisional

function byId(name) {
  return document.getElementById(name);
}

class PuzzlePage {
  constructor(game) {
    this.game = game;
    this.board = new Board();
    this.moves = new Moves(this.board, {
      layer: byId("layer"),
      announce: (text) => (byId("announce").textContent = text),
      send: (move) => this.answer(move),
      takeBack: () => undefined,
      preview: (move) => this.ask("preview", move, ({ lines, tiles }) => this.moves.previewed(move, lines, tiles)),
      why: (move) => this.ask("why", move, ({ said }) => this.moves.explained(move, said)),
      every: () => options(this.paths, [...this.paths.keys()], this.puzzle.turn),
    });
    byId("next").addEventListener("click", () => this.next());
    byId("give-up").addEventListener("click", () => this.answer(null));
    byId("back").addEventListener("click", () => this.step(this.at - 1));
    byId("on").addEventListener("click", () => this.step(this.at + 1));
    document.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.lay()).observe(byId("table"));
  }

  // The puzzle --------------------------------------------------------------------------------------------

  async next() {
    byId("next").disabled = true;
    try {
      this.puzzle = await get(`/api/puzzles/${this.game}/next`);
      this.paths = await get(this.puzzle.paths);
    } catch (error) {
      this.fail(error.message);
      return;
    } finally {
      byId("next").disabled = false;
    }
    this.found = null;
    this.draw();
    this.show();
  }

  draw() {
    document.body.dataset.game = this.puzzle.game.name;
    this.figures = new Map();
    byId("panels").replaceChildren();
    this.board.draw(this.puzzle, (name) => {
      const figure = element("figure", { class: "panel", "data-panel": name });
      byId("panels").append(figure);
      this.figures.set(name, figure);
      return figure;
    });
    this.lay();
  }

  show() {
    const { names, turn, legal, prompt, scene, solver } = this.puzzle;
    unmark(this.board);
    this.board.show(scene);
    this.showFigures(solver);
    byId("change").textContent = "";
    byId("verdict").hidden = byId("line-card").hidden = byId("next").hidden = true;
    byId("pitch").hidden = byId("give-up").hidden = false;
    byId("pitch").textContent = this.puzzle.new ? say("puzzles.pitch") : say("puzzles.again");
    const players = say("labelled", { what: say("players"), which: this.puzzle.game.players });
    byId("variant").textContent = [players, this.puzzle.variant].filter(Boolean).join(" · ");
    byId("bar").classList.add("yours");
    byId("status").textContent = say("puzzles.to_play", { name: names[turn - 1] });
    this.moves.offer(options(this.paths, legal, turn), prompt);
  }

  showFigures({ rating, deviation, streak, best_streak: best, solved, tried }) {
    byId("rating").textContent = rating;
    byId("provisional").hidden = deviation <= SETTLED;
    byId("streak").textContent = streak;
    byId("best").textContent = best ? say("puzzles.best_streak", { n: best }) : "";
    byId("solved").textContent = say("puzzles.solved_of", { solved, tried });
  }

  async ask(what, move, told) {
    const { id } = this.puzzle;
    const found = await get(`/api/puzzles/${id}/${what}?move=${move}`).catch((error) => this.fail(error.message));
    if (found && id === this.puzzle.id && !this.found) told(found);
  }

  // The answer --------------------------------------------------------------------------------------------

  /** Sends a move, or that one gives up; whether it was sent. */
  answer(move) {
    if (this.found || this.checking) return false;
    this.checking = true;
    byId("give-up").hidden = true;
    byId("status").textContent = say("puzzles.thinking");
    post(`/api/puzzles/${this.puzzle.id}/answer`, { move })
      .then((found) => this.judged(found, move))
      .catch((error) => this.refused(error))
      .finally(() => (this.checking = false));
    return true;
  }

  refused(error) {
    byId("give-up").hidden = false;
    byId("status").textContent = say("puzzles.to_play", { name: this.puzzle.names[this.puzzle.turn - 1] });
    this.moves.refused();
    this.fail(error.message);
  }

  judged(found, move) {
    this.found = found;
    this.moves.rest();
    this.showFigures(found.solver);
    this.showChange(found);
    const verdict = say(`puzzles.${move === null ? "given_up" : found.right ? "right" : "wrong"}`);
    byId("status").textContent = verdict;
    byId("prompt").textContent = "";
    byId("bar").classList.remove("yours");
    byId("pitch").hidden = true;
    this.showVerdict(found, move, verdict);
    this.step(0);
    byId("line-card").hidden = byId("next").hidden = false;
    byId("next").focus();
    if (byId("table").dataset.layout === "flow") byId("verdict").scrollIntoView({ block: "start" });
  }

  showChange({ counted, change }) {
    const shown = byId("change");
    shown.className = change < 0 ? "lost" : "won";
    shown.textContent = !counted || !change ? "" : say(change < 0 ? "puzzles.change_down" : "puzzles.change_up", { n: Math.abs(change) });
  }

  showVerdict({ right, solution, other, reasons, rating, levels }, move, verdict) {
    const compared = say(move !== null && !right ? "puzzles.played" : "puzzles.next_best", other);
    const found = levels ? say("puzzles.levels", { n: levels }) : say("puzzles.levels_none");
    byId("verdict").replaceChildren(
      element("h2", { class: right ? "right" : "wrong" }, verdict),
      element("p", { class: "told better" }, say("puzzles.solution", solution)),
      element("p", { class: "told played" }, compared),
      ...(reasons.length ? [element("h3", {}, say("puzzles.why")), element("ul", {}, ...reasons.map((reason) => element("li", {}, reason)))] : []),
      element("p", { class: "about" }, `${say("puzzles.rating_of_puzzle", { rating })} ${found}`),
    );
    byId("verdict").hidden = false;
  }

  /** The moves of the solution: 0 is the puzzle itself, with the moves to compare marked on it. */
  step(index) {
    const { line, solution, other } = this.found;
    this.at = Math.max(0, Math.min(line.length, index));
    unmark(this.board);
    this.board.foresee();
    this.board.show(this.at ? line[this.at - 1].scene : this.puzzle.scene);
    if (!this.at) {
      this.board.foresee({ ...other.tiles, ...solution.tiles });
      mark(this.board, "played", other.spots);
      mark(this.board, "better", solution.spots);
    }
    byId("step").textContent = this.at ? say("puzzles.line_step", { number: this.at, all: line.length }) : say("puzzles.line_start");
    byId("told").textContent = this.at ? line[this.at - 1].text : "";
    byId("back").disabled = this.at === 0;
    byId("on").disabled = this.at === line.length;
  }

  key(event) {
    if (!this.found || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (["SELECT", "INPUT"].includes(event.target.tagName)) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (!steps[event.key]) return;
    event.preventDefault();
    this.step(this.at + steps[event.key]);
  }

  fail(text) {
    const toast = byId("toast");
    toast.textContent = text;
    toast.hidden = false;
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => (toast.hidden = true), FAILURE_TIME);
  }

  // The board ---------------------------------------------------------------------------------------------

  lay() {
    if (!this.puzzle) return;
    const { width, height: whole } = byId("table").getBoundingClientRect();
    const narrow = getComputedStyle(byId("panels")).display === "flex";
    const height = narrow ? window.innerHeight * 0.8 : whole;
    const { shapes } = this.board;
    const { players } = this.puzzle.game;
    const figures = [shapes.get("market"), shapes.get("player-1"), players - 1];
    const plan = arrange({ width, height, flows: narrow, larger: settings.get("larger") }, ...figures);
    byId("table").dataset.layout = plan.name;
    const places = plan.name === "flow" ? null : boxes(plan, { width, height }, ...figures);
    for (const [name, figure] of this.figures) {
      const seat = Number(name.split("-")[1]);
      const after = seat ? (seat - this.puzzle.turn + players) % players : 0; // seats after the one to move
      const part = !seat ? "market" : after ? "other" : "focus";
      const box = places?.get(part === "other" ? after - 1 : part);
      figure.dataset.part = part;
      figure.style.width = `${box?.width ?? Math.floor(plan.widths[part])}px`;
      figure.style.transform = box ? `translate(${box.x}px, ${box.y}px)` : "";
      figure.style.order = seat ? 1 + after : 0;
    }
  }
}

async function begin() {
  tieDialogs();
  settings.tie(document);
  const { puzzles } = document.body.dataset;
  if (!puzzles) return;
  await new PuzzlePage(puzzles).next();
  document.body.classList.add("ready");
}

begin();
