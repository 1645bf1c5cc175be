/** Pages that are only read: theme and language. */

import { tieDialogs } from "./dom.js";
import * as settings from "./settings.js";

tieDialogs();
settings.tie(document);

// A guided first game is played under the name that the player goes by here.
for (const form of document.querySelectorAll("form[action$='/first-game']")) {
  const name = settings.get("name");
  if (name) form.action += `?name=${encodeURIComponent(name)}`;
}
