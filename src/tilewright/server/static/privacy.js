/** What the server has stored about a person is deleted after a question, and the name that this browser remembers. */

import { remove } from "./api.js";
import { tieDialogs } from "./dom.js";
import * as settings from "./settings.js";
import { say } from "./words.js";

function tell(id, text) {
  const place = document.getElementById(id);
  place.textContent = text;
  place.hidden = !text;
}

tieDialogs();
settings.tie(document);
document.getElementById("delete-now").addEventListener("click", async () => {
  document.getElementById("deleting").close();
  tell("failure", "");
  try {
    const { deleted, left } = await remove("/api/person");
    settings.set("name", "");
    tell("done", say("privacy.deleted", { deleted, left }));
  } catch (error) {
    tell("failure", error.message);
  }
});
