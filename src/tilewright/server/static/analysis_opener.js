/** What to put on the analysis board: a new game, a position to set up, a record or a position as text. */

import { post } from "./api.js";
import { byId, element } from "./dom.js";

export class Opener {
  /** opened(board, edits): something to show; whether it is to be set up by hand. */
  constructor({ opened, resume }) {
    this.opened = opened;
    this.games = JSON.parse(byId("games").textContent);
    const form = byId("new-game");
    form.elements.game.addEventListener("change", () => this.showOptions());
    this.showOptions();
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.open({ ...this.chosen() }, event.submitter?.value === "edit");
    });
    byId("paste").addEventListener("submit", (event) => {
      event.preventDefault();
      this.open({ text: byId("text").value });
    });
    byId("file").addEventListener("change", async ({ target }) => {
      const [file] = target.files;
      if (file) byId("text").value = await file.text();
    });
    byId("close-opener").addEventListener("click", () => this.show(false));
    byId("open").addEventListener("click", () => this.show(true));
    byId("resume").hidden = !resume;
    byId("resume").firstElementChild.addEventListener("click", () => this.attempt(resume));
  }

  show(open) {
    document.body.classList.toggle("opening", open);
    byId("failure").hidden = true;
    if (open) byId("opener").scrollTop = 0;
  }

  get game() {
    return this.games.find(({ name }) => name === byId("new-game").elements.game.value);
  }

  showOptions() {
    const { name, players } = this.game;
    byId("new-game").elements.players.replaceChildren(...players.map((count) => element("option", {}, String(count))));
    for (const label of byId("new-game").querySelectorAll("[data-options-of]")) label.hidden = label.dataset.optionsOf !== name;
  }

  chosen() {
    const labels = [...byId("new-game").querySelectorAll(`[data-options-of="${this.game.name}"]`)];
    const options = Object.fromEntries(labels.map((label) => [label.dataset.option, JSON.parse(label.querySelector("select").value)]));
    return { game: this.game.name, players: Number(byId("new-game").elements.players.value), options };
  }

  open(body, edits = false) {
    return this.attempt(async () => this.opened(await post("/api/analysis/open", body), edits));
  }

  async attempt(act) {
    byId("failure").hidden = true;
    try {
      await act();
    } catch (error) {
      byId("failure").textContent = error.message;
      byId("failure").hidden = false;
      byId("failure").scrollIntoView({ block: "nearest" });
    }
  }
}
