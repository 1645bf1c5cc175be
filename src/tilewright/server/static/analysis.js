/** The analysis board: any position, moves to try and take back, variations with comments, and the engine beside it. */

import { get, post } from "./api.js";
import { Deal } from "./analysis_deal.js";
import { Editor } from "./analysis_editor.js";
import { Engine } from "./analysis_engine.js";
import { Opener } from "./analysis_opener.js";
import { TreeList } from "./analysis_tree.js";
import { byId, copy, element, tieDialogs } from "./dom.js";
import { Flights } from "./flights.js";
import { Moves } from "./moves.js";
import { follow, isButton, options } from "./paths.js";
import { mark, unmark } from "./review_marks.js";
import * as settings from "./settings.js";
import { Stage, between } from "./stage.js";
import { Tree } from "./variations.js";
import { showEnds, tieSteps } from "./stepping.js";
import { toast } from "./toast.js";
import { say } from "./texts.js";

const KEPT = "tilewright-analysis";
const MOST_TAKES = 40;

class AnalysisBoard {
  constructor() {
    this.engine = new Engine({
      play: (events) => this.playAll(events),
      look: (move) => this.look(move),
      fail: toast,
    });
    this.listen();
  }

  // What is on the board ----------------------------------------------------------------------------------

  /** A game comes to the board, with the tree of its moves. */
  async open(view, at = null) {
    this.endEditing();
    this.stage?.end();
    this.view = view;
    this.tree = new Tree(view);
    this.paths = await get(view.paths);
    this.stage = new Stage(view, () => window.innerHeight * 0.8);
    this.board = this.stage.board;
    this.list = new TreeList(byId("tree"), view.names, (id) => this.go(id));
    this.tieMoves();
    byId("title").textContent = `${view.game.title} · ${say("analysis.title")}`;
    document.title = `${say("analysis.title")} · ${view.game.title}`;
    for (const name of ["edit", "copy-position", "save", "close-opener"]) byId(name).hidden = false;
    document.body.classList.remove("opening");
    this.stage.lay();
    this.at = null;
    this.changed();
    await this.go(at === null ? this.tree.end(0) : this.tree.onMainLine(at));
    document.body.classList.add("ready");
  }

  /** Making moves listens to the whole page, so it is made once and given each new board. */
  tieMoves() {
    if (this.moves) {
      this.moves.board = this.moves.drag.board = this.flights.board = this.board;
      return;
    }
    this.flights = new Flights(this.board, byId("layer"));
    this.moves = new Moves(this.board, {
      layer: byId("layer"),
      free: true,
      announce: (text) => (byId("announce").textContent = text),
      send: (move) => this.play(this.paths[move].text),
      takeBack: () => undefined,
      preview: (move) => this.about(move, ({ lines, tiles }) => lines && this.moves.previewed(move, lines, tiles)),
      why: (move) => this.about(move, ({ said }) => said && this.moves.explained(move, `${said.charAt(0).toUpperCase()}${said.slice(1)}.`)),
      every: () => options(this.paths, [...this.paths.keys()], this.moment.turn),
    });
    this.deal = new Deal({
      board: () => this.board,
      draw: (event, position) => this.ask(event, position),
      show: (moment) => this.board.show(moment.scene),
      dealt: (answer) => this.happen(answer),
      fail: toast,
    });
  }

  get node() {
    return this.tree.at(this.at);
  }

  async go(id) {
    if (id === this.at || this.editor) return;
    const before = this.moment;
    const from = this.at;
    this.at = id;
    const { node } = this;
    try {
      node.moment ??= await post("/api/analysis/moment", { position: node.position, names: this.view.names });
    } catch (error) {
      toast(error.message);
      return;
    }
    if (this.at !== id) return;
    this.show(node.moment, from !== null && node.parent === from ? before : null);
    this.prefetch();
  }

  /** The next move of the line is fetched in advance: whoever steps through a game need not wait. */
  prefetch() {
    const [next] = this.node.children;
    const node = next === undefined ? null : this.tree.at(next);
    if (!node || node.moment || node.fetching) return;
    node.fetching = true;
    post("/api/analysis/moment", { position: node.position, names: this.view.names })
      .then((moment) => (node.moment = moment))
      .catch(() => undefined)
      .finally(() => (node.fetching = false));
  }

  show(moment, before) {
    this.moment = moment;
    unmark(this.board);
    this.flights.clear();
    this.stage.follow(moment.turn);
    const legal = moment.turn ? options(this.paths, moment.legal, moment.turn) : [];
    if (before) {
      this.board.show(before.scene);
      byId("what-if").inert = true;
      // What can be taken is read off the board, so the tiles have to lie there first.
      this.flights.play([between(before.scene, moment.scene)]).then(() => this.moment === moment && this.showTakes(legal));
    } else {
      this.board.show(moment.scene);
      this.showTakes(legal);
    }
    byId("status").textContent = moment.awaited;
    this.moves.offer(legal, moment.prompt ?? "");
    this.deal.offer(moment);
    this.engine.show(moment.over ? null : moment.position, this.view.names);
    this.showPlace();
  }

  showPlace() {
    const { at, tree } = this;
    this.list.point(at);
    byId("comment").value = this.node.comment;
    byId("comment-label").textContent = say(at ? "analysis.comment" : "analysis.comment_start");
    byId("promote").disabled = tree.isMain(at);
    byId("remove").disabled = at === 0;
    showEnds(at === 0, !this.node.children.length);
    const count = tree.path(at).length - 1;
    byId("announce").textContent = `${say("analysis.at_move", { number: count })}: ${this.node.told ?? say("analysis.start")}`;
  }

  // Moves -------------------------------------------------------------------------------------------------

  ask(event, position = this.node.position) {
    return post("/api/analysis/play", { position, event, names: this.view.names });
  }

  /** Plays an event from where we are; true, since it is on its way. */
  play(event) {
    const { at } = this;
    const known = this.node.children.find((child) => this.tree.at(child).event === event);
    if (known !== undefined) this.go(known);
    else {
      this.ask(event).then((answer) => at === this.at && this.happen(answer)).catch((error) => {
        this.moves.refused();
        toast(error.message);
      });
    }
    return true;
  }

  happen({ node, moment }) {
    const id = this.tree.follow(this.at, node);
    this.tree.at(id).moment ??= moment;
    this.changed();
    return this.go(id);
  }

  /** Follows a line of the engine. */
  async playAll(events) {
    try {
      let here = this.at;
      for (const event of events) {
        const known = this.tree.at(here).children.find((child) => this.tree.at(child).event === event);
        if (known === undefined) {
          const { node, moment } = await this.ask(event, this.tree.at(here).position);
          here = this.tree.follow(here, node);
          this.tree.at(here).moment ??= moment;
        } else here = known;
      }
      this.changed();
      await this.go(here);
    } catch (error) {
      toast(error.message);
    }
  }

  async about(move, use) {
    try {
      const { position } = this.moment;
      const told = await post("/api/analysis/about", { position, move });
      if (position === this.moment.position) use(told);
    } catch (error) {
      toast(error.message);
    }
  }

  /** A line of the engine is looked at: its move on the board. */
  look(move) {
    unmark(this.board);
    if (move === null || !this.moment.turn) return;
    mark(this.board, "better", options(this.paths, [move], this.moment.turn)[0].spots);
  }

  // What if they take these? ------------------------------------------------------------------------------

  showTakes(legal) {
    const spots = [...follow(legal, []).lit];
    const shown = legal.length > 1 && spots.length <= MOST_TAKES && !spots.every(isButton);
    byId("what-if").hidden = !shown;
    byId("what-if").inert = false;
    if (!shown) return;
    byId("what-if-title").textContent = say("analysis.what_if", { name: this.view.names[this.moment.turn - 1] });
    const places = new Map();
    for (const spot of spots) {
      const place = this.board.elementsOf(spot)[0]?.dataset.place ?? "";
      places.set(place, [...(places.get(place) ?? []), spot]);
    }
    byId("what-if-takes").replaceChildren(
      ...[...places].map(([place, from]) => {
        const name = place && this.board.placeName(place);
        return element("span", { class: "take-from" }, ...(name ? [element("span", { "aria-hidden": "true" }, name)] : []), ...from.map((spot) => this.take(spot)));
      }),
    );
  }

  /** A button for something that may be taken: its tiles and their number, or what it is called. */
  take(spot) {
    const label = this.board.nameOf(spot);
    const button = element("button", { type: "button", "data-take": spot, "aria-label": label, title: label, on: { click: () => this.whatIf(spot) } });
    const look = (marked) => () => {
      unmark(this.board);
      if (marked) mark(this.board, "better", [spot]);
    };
    for (const kind of ["pointerenter", "focus"]) button.addEventListener(kind, look(true));
    for (const kind of ["pointerleave", "blur"]) button.addEventListener(kind, look(false));
    const picture = isButton(spot) ? null : this.board.pictureOf(spot);
    if (picture) button.append(picture, String(this.board.elementsOf(spot).length));
    else button.append(label);
    return button;
  }

  async whatIf(spot) {
    const { at } = this;
    try {
      const { event } = await post("/api/analysis/what-if", { position: this.node.position, spot });
      if (at !== this.at) return;
      if (!this.engine.isOn) this.engine.turn(true);
      this.play(event);
    } catch (error) {
      toast(error.message);
    }
  }

  // The tree ----------------------------------------------------------------------------------------------

  changed() {
    this.list.show(this.tree, this.at);
    this.keep();
  }

  get study() {
    return { start: this.tree.start, names: this.view.names, comment: this.tree.at(0).comment, nodes: this.tree.told() };
  }

  /** What was worked on is still there after the page was closed. */
  keep() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => {
      try {
        localStorage.setItem(KEPT, JSON.stringify(this.study));
      } catch {
        // no room, or forbidden: then it is not kept
      }
    }, 300);
  }

  async save() {
    try {
      const { text, name } = await post("/api/analysis/record", this.study);
      const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch (error) {
      toast(error.message);
    }
  }

  remark(text) {
    this.node.comment = text;
    this.changed();
  }

  promote() {
    this.tree.promote(this.at);
    this.changed();
    this.showPlace();
  }

  remove() {
    const parent = this.tree.remove(this.at);
    this.changed();
    this.go(parent);
  }

  // Setting up --------------------------------------------------------------------------------------------

  edit(text) {
    this.moves.rest();
    this.engine.show(null, this.view.names);
    this.flights.clear();
    unmark(this.board);
    this.editor = new Editor(this.board, {
      view: this.view,
      done: (made) => this.opener.attempt(async () => this.open({ ...(await post("/api/analysis/open", { text: made })) })).then(() => byId("failure").hidden || toast(byId("failure").textContent)),
      cancel: () => this.stopEditing(),
      fail: toast,
    });
    byId("deal").hidden = byId("what-if").hidden = true;
    return this.editor.begin(text);
  }

  endEditing() {
    this.editor?.end();
    this.editor = null;
  }

  stopEditing() {
    this.endEditing();
    this.show(this.moment, null);
  }

  // The page ----------------------------------------------------------------------------------------------

  listen() {
    const acts = {
      first: () => this.go(0),
      back: () => this.at !== 0 && this.go(this.node.parent),
      on: () => this.node.children.length && this.go(this.node.children[0]),
      last: () => this.go(this.tree.end(this.at)),
    };
    byId("comment").addEventListener("input", ({ target }) => this.remark(target.value));
    byId("promote").addEventListener("click", () => this.promote());
    byId("remove").addEventListener("click", () => this.remove());
    byId("save").addEventListener("click", () => this.save());
    byId("edit").addEventListener("click", () => this.editor || this.edit(this.node.position));
    byId("copy-position").addEventListener("click", ({ currentTarget }) => copy(this.editor?.draft?.text ?? this.node.position, currentTarget));
    const elsewhere = (target) => byId("panels").contains(target) || byId("choices").contains(target);
    tieSteps(acts, {
      keys: { ArrowUp: () => this.besides(-1), ArrowDown: () => this.besides(1) },
      ready: (target) => this.tree && !this.editor && !elsewhere(target) && !document.body.classList.contains("opening"),
    });
  }

  /** The next of the moves that replace each other. */
  besides(step) {
    if (!this.at) return;
    const { children } = this.tree.at(this.node.parent);
    const other = children[children.indexOf(this.at) + step];
    if (other !== undefined) this.go(other);
  }

}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "null");
  } catch {
    return null;
  }
}

async function begin() {
  tieDialogs();
  settings.tie(document);
  const board = new AnalysisBoard();
  const last = kept();
  const resume = last?.nodes?.length ? async () => board.open(await post("/api/analysis/open", { text: (await post("/api/analysis/record", last)).text })) : null;
  board.opener = new Opener({
    resume,
    opened: async (view, edits) => {
      await board.open(view);
      if (edits) await board.edit(null);
    },
  });
  const { review } = document.body.dataset;
  if (!review) {
    document.body.classList.add("ready");
    return;
  }
  const hash = location.hash.slice(1);
  await board.opener.attempt(async () => board.open(await get(`/api/analysis/games/${review}`), /^\d+$/.test(hash) ? Number(hash) : null));
}

begin();
