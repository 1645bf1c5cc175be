/** Stands in for a page while the server cannot be reached, and loads that page as soon as it can. */

import { byId } from "./dom.js";
import { isReachable } from "./reaching.js";
import { say } from "./texts.js";

const PAUSE = 2000;

async function attempt() {
  byId("state").textContent = say("offline_trying");
  const page = location.pathname === "/offline" ? "/" : location.href;
  if (!(await isReachable(page))) byId("state").textContent = say("offline_waiting");
  else if (page === "/") location.replace(page);
  else location.reload();
}

byId("again").addEventListener("click", attempt);
window.addEventListener("online", attempt);
setInterval(attempt, PAUSE);
