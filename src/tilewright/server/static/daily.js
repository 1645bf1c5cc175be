/** The daily table: begin the attempt of today. */

import { post } from "./api.js";
import { locale } from "./locale.js";
import * as settings from "./settings.js";

settings.tie(document);
const days = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
for (const day of document.querySelectorAll("h1 time")) day.textContent = days.format(new Date(day.dateTime));
const form = document.getElementById("start-daily");

async function start(event) {
  event.preventDefault();
  const button = form.querySelector("button");
  const failure = document.getElementById("failure");
  const name = form.elements.name.value.trim();
  button.disabled = true;
  failure.hidden = true;
  if (name) settings.set("name", name);
  try {
    location.href = (await post("/api/daily", { name })).url;
  } catch (error) {
    failure.textContent = error.message;
    failure.hidden = false;
    button.disabled = false;
  }
}

if (form) {
  form.elements.name.value = settings.get("name");
  form.addEventListener("submit", start);
  form.querySelector("button").disabled = false; // before, a click would only reload the page
}
document.body.classList.add("ready");
