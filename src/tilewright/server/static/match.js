/** Quick match: ask for an opponent until there is one; after a while a bot is offered. */

import { post } from "./api.js";
import { byId } from "./dom.js";
import * as settings from "./settings.js";
import { say } from "./texts.js";

const INTERVAL = 2000;

class Match {
  constructor(bots, fail) {
    Object.assign(this, { bots, fail });
    this.form = byId("match");
    this.search = null;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
    byId("match-cancel").addEventListener("click", () => this.end());
    byId("match-bot").addEventListener("click", () => this.playBot());
    window.addEventListener("pagehide", () => {
      if (this.search?.table) navigator.sendBeacon(`/api/match/${this.search.table}/end`);
    });
  }

  begin() {
    this.fail("");
    this.search = { game: this.form.elements.game.value, rated: this.form.elements.rated.checked, table: null };
    this.show({ waited: 0, bot: null });
    this.ask(this.search);
  }

  /** Asks again and again; whatever comes after the search has ended is not for us. */
  async ask(search) {
    try {
      const body = { game: search.game, rated: search.rated, name: settings.get("name"), table: search.table };
      const found = await post("/api/match", body);
      if (search !== this.search) return this.leave(found);
      if (found.status === "found") return this.go(found.url);
      search.table = found.table;
      this.show(found);
    } catch (error) {
      if (search !== this.search) return;
      if (error.status) {
        this.fail(error.message);
        this.end();
        return;
      }
    }
    setTimeout(() => search === this.search && this.ask(search), INTERVAL);
  }

  show({ waited, bot }) {
    byId("match-choice").hidden = true;
    byId("match-search").hidden = false;
    byId("match-status").textContent = say("match_looking", { n: Math.round(waited) });
    byId("match-bot").hidden = !bot;
    byId("match-bot").textContent = bot ? say("match_bot", { bot: this.bots.find((one) => one.name === bot)?.label ?? bot }) : "";
  }

  /** The table is where we play now: it must not be left when the page is. */
  go(url) {
    this.search = null;
    location.href = url;
  }

  async playBot() {
    try {
      this.go((await post(`/api/match/${this.search.table}/bot`)).url);
    } catch (error) {
      this.fail(error.message);
    }
  }

  end() {
    const { table } = this.search ?? {};
    this.search = null;
    byId("match-choice").hidden = false;
    byId("match-search").hidden = true;
    if (table) this.leave({ table, status: "waiting" });
  }

  leave({ table, status }) {
    if (status === "waiting") post(`/api/match/${table}/end`).catch(() => {});
  }
}

export function tieMatch(bots, fail) {
  return new Match(bots, fail);
}
