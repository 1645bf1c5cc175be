/** The end of a game: where every player's points came from, and what next. */

import { post } from "./api.js";
import { copy, element } from "./dom.js";
import { inviting } from "./inviting.js";
import { say } from "./words.js";

function signed(value) {
  return value < 0 ? `−${-value}` : String(value);
}

function pointsTable(over, names) {
  const head = element("tr", {}, element("th", { scope: "col" }, say("points_for")));
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

/** Fills the dialog of the end. */
export function fillEnding(view, over, names, mayPlay, fail) {
  const dialog = document.getElementById("end");
  document.getElementById("result").textContent = over.result;
  const scroll = element("div", { class: "scroll" });
  scroll.append(pointsTable(over, names));
  const helped = over.helped.map((sentence) => element("p", { class: "helped" }, sentence));
  document.getElementById("breakdown").replaceChildren(scroll, ...helped);
  const { address: replay } = inviting(`${view.url}/replay`, location.href, document.body.dataset.network);
  document.getElementById("to-replay").href = `${view.url}/replay`;
  document.getElementById("record").href = `/api/tables/${view.id}/record`;
  const share = document.getElementById("share");
  share.onclick = async () => {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ title: document.title, url: replay }).catch(() => undefined);
    } else copy(replay, share);
  };
  const again = document.getElementById("rematch");
  again.hidden = !mayPlay;
  again.autofocus = mayPlay;
  again.onclick = async () => {
    again.disabled = true;
    try {
      const made = view.rematch ? { url: view.rematch } : await post(`/api/tables/${view.id}/rematch`);
      location.href = made.url;
    } catch (error) {
      again.disabled = false;
      fail(error.message);
    }
  };
  return dialog;
}
