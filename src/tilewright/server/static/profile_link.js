/** Where a private link leads: this browser takes over the profile once its owner says so. */

import { post } from "./api.js";
import * as settings from "./settings.js";

settings.tie(document);
const button = document.getElementById("claim");
const failure = document.getElementById("failure");

button.addEventListener("click", async () => {
  button.disabled = true;
  failure.hidden = true;
  try {
    const { name } = await post("/api/person/claim", { secret: location.hash.slice(1).padEnd(16) });
    if (name) settings.set("name", name);
    location.replace("/profile");
  } catch (error) {
    failure.textContent = error.message;
    failure.hidden = false;
    button.disabled = false;
  }
});
document.body.classList.add("ready");
