/** The end of a game: who won and why, what next, and where every player's points came from. */

import { post } from "./api.js";
import { byId, copy, element } from "./dom.js";
import { inviting } from "./inviting.js";
import { say } from "./texts.js";

const list = (names) => new Intl.ListFormat(document.documentElement.lang || "en").format(names);

function signed(value) {
  return value < 0 ? `−${-value}` : String(value);
}

function pointsTable(over, names) {
  const head = element("tr", {}, element("td", {}));
  names.forEach((name, seat) => {
    const looks = over.winners.includes(seat + 1) ? { scope: "col", class: "winner" } : { scope: "col" };
    head.append(element("th", looks, name));
  });
  const body = element("tbody");
  for (const source of Object.keys(over.points[0] ?? {})) {
    const row = element("tr", {}, element("th", { scope: "row" }, source));
    for (const points of over.points) {
      const value = points[source] ?? 0;
      const look = value < 0 ? "lost" : value ? "" : "none";
      row.append(element("td", { class: look }, signed(value)));
    }
    body.append(row);
  }
  const total = element("tr", {}, element("th", { scope: "row" }, say("total")));
  over.scores.forEach((score, seat) => {
    total.append(element("td", { class: over.winners.includes(seat + 1) ? "winner" : "" }, String(score)));
  });
  const table = element("table", { class: "points-table" });
  table.append(element("thead", {}, head), body, element("tfoot", {}, total));
  return table;
}

/** The best first; players with equal scores in the order of their seats. */
function standings(over, names) {
  const order = over.scores.map((score, seat) => ({ score, seat })).sort((one, other) => other.score - one.score);
  return order.map(({ score, seat }) =>
    element("li", { class: over.winners.includes(seat + 1) ? "winner" : "" }, `${names[seat]} `, element("b", {}, String(score))),
  );
}

export class Ending {
  /** fail(text) says what went wrong; follows(url) is called before the viewer goes to a rematch. */
  constructor({ fail, follows }) {
    Object.assign(this, { fail, follows });
    this.section = byId("end");
    byId("share").addEventListener("click", () => this.share());
    byId("rematch").addEventListener("click", () => this.again());
  }

  /** Somebody with one seat reads about themselves; anybody who plays several seats, or watches, about all players. */
  headline(winners, names, mine) {
    const won = mine.length === 1 && winners.includes(mine[0]);
    if (winners.length === 1) return won ? say("you_won") : say("won_by", { name: names[winners[0] - 1] });
    return won ? say("you_share") : say("shared_by", { names: list(winners.map((seat) => names[seat - 1])) });
  }

  show(view, over, names, mine, owns) {
    Object.assign(this, { view, names });
    document.body.classList.add("over");
    this.section.hidden = false;
    this.section.classList.toggle("won", mine.length === 1 && over.winners.includes(mine[0]));
    this.title = this.headline(over.winners, names, mine);
    byId("result").textContent = this.title;
    byId("result-summary").textContent = [over.summary, ...over.helped].join(" ");
    byId("standings").replaceChildren(...standings(over, names));
    byId("breakdown").replaceChildren(pointsTable(over, names));
    byId("rematch").hidden = !owns && !view.rematch;
    byId("to-daily").hidden = !view.daily;
    this.offer(owns);
  }

  /** Whether somebody has asked for a rematch already: then they are waiting. */
  offer(owns) {
    this.owns = owns;
    const { url, by } = this.view.rematch ?? {};
    const waiting = byId("waiting");
    waiting.hidden = !url;
    this.section.classList.toggle("wanted", Boolean(url && owns));
    if (!url) return;
    const known = by ? say("rematch_wanted", { name: this.names[by - 1] }) : say("rematch_ready");
    waiting.textContent = owns ? known : say("rematch_elsewhere");
    byId("rematch").hidden = false;
    byId("rematch").textContent = say(owns ? "to_rematch" : "watch_rematch");
  }

  async share() {
    const { address } = inviting(`${this.view.url}/replay`, location.href, document.body.dataset.network);
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ title: document.title, url: address }).catch(() => undefined);
    } else copy(address, byId("share"));
  }

  async again() {
    const button = byId("rematch");
    button.disabled = true;
    try {
      const known = this.owns ? null : this.view.rematch?.url; // whoever plays asks too: in a rated game that takes the seat
      const url = known ?? (await post(`/api/tables/${this.view.id}/rematch`)).url;
      this.follows(url);
      location.href = url;
    } catch (error) {
      button.disabled = false;
      this.fail(error.message);
    }
  }
}
