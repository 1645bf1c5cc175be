/** On pages about a game that is over: whether one of the others is waiting at a rematch for whoever reads them. */

import { get, post } from "./api.js";
import { element } from "./dom.js";
import { say } from "./texts.js";
import { toast } from "./toast.js";

const INTERVAL = 4000;

/** Asks from time to time, while somebody looks, until there is a rematch; those who did not play need not know. */
export function listenForRematch(table) {
  const ask = async () => {
    if (document.hidden) return;
    try {
      const now = await get(`/api/tables/${table}`);
      const plays = now.seats.some((seat) => seat.yours);
      if (plays && now.rematch) call(table);
      if (!plays || now.rematch) clearInterval(timer);
    } catch (error) {
      if (error.status) clearInterval(timer); // no such table: the record of a game from elsewhere
    }
  };
  const timer = setInterval(ask, INTERVAL);
  ask();
}

function call(table) {
  const button = element("button", { type: "button", class: "primary" }, say("to_rematch"));
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      location.href = (await post(`/api/tables/${table}/rematch`)).url; // to ask as well takes the seat in a rated game
    } catch (error) {
      button.disabled = false;
      toast(error.message);
    }
  });
  const shut = element("button", { type: "button", class: "quiet icon", "aria-label": say("close") }, "×");
  const shown = element("div", { class: "rematch-call", role: "status" });
  shut.addEventListener("click", () => shown.remove());
  document.getElementById("main").append(shown);
  shown.append(element("p", {}, say("rematch_ready")), button, shut);
}
