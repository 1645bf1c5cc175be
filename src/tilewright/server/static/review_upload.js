/** A record that is pasted, or read from a file, goes to its review. */

import { post } from "./api.js";
import { tieDialogs } from "./dom.js";
import * as settings from "./settings.js";

const form = document.getElementById("upload");
const field = document.getElementById("record");
const failure = document.getElementById("failure");

tieDialogs();
settings.tie(document);

document.getElementById("file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) field.value = await file.text();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  failure.hidden = true;
  try {
    const { url } = await post("/api/reviews", { record: field.value });
    location.href = url;
  } catch (error) {
    failure.textContent = error.message;
    failure.hidden = false;
  }
});
form.querySelector("[type=submit]").disabled = false; // before, a click would only reload the page
