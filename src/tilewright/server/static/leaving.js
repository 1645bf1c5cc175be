/** Leaving a table for good, after a question: before the game, during it, or when it is over. */

import { post } from "./api.js";
import { byId } from "./dom.js";
import { say } from "./texts.js";

/** Buttons with data-leave (how: cancel, leave, resign, abandon or delete) and data-table ask, then leave; left() follows. */
export function tieLeaving(left, fail) {
  const dialog = byId("leaving");
  let table = null;
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-leave]");
    if (!button) return;
    const how = button.dataset.leave;
    table = button.dataset.table;
    byId("leaving-title").textContent = byId("leave-now").textContent = say(`leave_${how}`);
    byId("leaving-text").textContent = say(`leave_${how}_text`);
    document.querySelector("dialog[open]")?.close();
    dialog.showModal();
  });
  byId("leave-now").addEventListener("click", async () => {
    dialog.close();
    try {
      await post(`/api/tables/${table}/leave`);
      left();
    } catch (error) {
      fail(error.message);
    }
  });
}
