/** Puzzles, one at a time: find the best move on the board, then see why it is the best. */

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { byId, element, tieDialogs } from "./dom.js";
import { Moves } from "./moves.js";
import { options } from "./paths.js";
import { mark, unmark } from "./review_marks.js";
import * as settings from "./settings.js";
import { Stage } from "./stage.js";
import { showEnds, tieSteps } from "./stepping.js";
import { toast } from "./toast.js";
import { say } from "./texts.js";

const SETTLED = 110; // a rating with a larger standard deviation is provisional

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
    const acts = { back: () => this.step(this.at - 1), on: () => this.step(this.at + 1) };
    tieSteps(acts, { ready: () => this.found });
  }

  // The puzzle --------------------------------------------------------------------------------------------

  async next() {
    byId("next").disabled = true;
    try {
      this.puzzle = await get(`/api/puzzles/${this.game}/next`);
      this.paths = await get(this.puzzle.paths);
    } catch (error) {
      toast(error.message);
      return;
    } finally {
      byId("next").disabled = false;
    }
    this.found = null;
    this.draw();
    this.show();
  }

  draw() {
    this.stage?.end();
    const { board, puzzle } = this;
    this.stage = new Stage(puzzle, () => window.innerHeight * 0.8, { front: puzzle.turn, together: false, board });
  }

  show() {
    const { names, turn, legal, prompt, scene, solver } = this.puzzle;
    unmark(this.board);
    this.board.show(scene);
    this.showFigures(solver);
    byId("change").textContent = "";
    byId("explanation").hidden = byId("line-card").hidden = byId("next").hidden = true;
    byId("pitch").hidden = byId("giving-up").hidden = false;
    byId("give-up-cost").hidden = !this.puzzle.new;
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
    const found = await get(`/api/puzzles/${id}/${what}?move=${move}`).catch((error) => toast(error.message));
    if (found && id === this.puzzle.id && !this.found) told(found);
  }

  // The answer --------------------------------------------------------------------------------------------

  /** Sends a move, or that one gives up; whether it was sent. */
  answer(move) {
    if (this.found || this.checking) return false;
    this.checking = true;
    byId("giving-up").hidden = true;
    byId("status").textContent = say("puzzles.thinking");
    post(`/api/puzzles/${this.puzzle.id}/answer`, { move })
      .then((found) => this.showAnswer(found, move))
      .catch((error) => this.refused(error))
      .finally(() => (this.checking = false));
    return true;
  }

  refused(error) {
    byId("giving-up").hidden = false;
    byId("status").textContent = say("puzzles.to_play", { name: this.puzzle.names[this.puzzle.turn - 1] });
    this.moves.refused();
    toast(error.message);
  }

  showAnswer(found, move) {
    this.found = found;
    this.moves.rest();
    this.showFigures(found.solver);
    this.showChange(found);
    const headline = say(`puzzles.${move === null ? "given_up" : found.right ? "right" : "wrong"}`);
    byId("status").textContent = headline;
    byId("prompt").textContent = "";
    byId("bar").classList.remove("yours");
    byId("pitch").hidden = true;
    this.showExplanation(found, move, headline);
    this.step(0);
    byId("line-card").hidden = byId("next").hidden = false;
    byId("next").focus();
    if (this.stage.flows) byId("explanation").scrollIntoView({ block: "start" });
  }

  showChange({ counted, change }) {
    const shown = byId("change");
    shown.className = change < 0 ? "lost" : "won";
    shown.textContent = !counted || !change ? "" : say(change < 0 ? "puzzles.change_down" : "puzzles.change_up", { n: Math.abs(change) });
  }

  showExplanation({ right, solution, other, reasons, rating, levels }, move, headline) {
    const compared = say(move !== null && !right ? "puzzles.played" : "puzzles.next_best", other);
    const found = levels ? say("puzzles.levels", { n: levels }) : say("puzzles.levels_none");
    byId("explanation").replaceChildren(
      element("h2", { class: right ? "right" : "wrong" }, headline),
      element("p", { class: "told better" }, say("puzzles.solution", solution)),
      element("p", { class: "told played" }, compared),
      ...(reasons.length ? [element("h3", {}, say("puzzles.why")), element("ul", {}, ...reasons.map((reason) => element("li", {}, reason)))] : []),
      element("p", { class: "about" }, `${say("puzzles.rating_of_puzzle", { rating })} ${found}`),
    );
    byId("explanation").hidden = false;
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
    showEnds(this.at === 0, this.at === line.length);
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
