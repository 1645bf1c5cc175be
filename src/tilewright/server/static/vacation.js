/** Vacation from correspondence games: how many days are left, going, and coming back. */

import { post, remove } from "./api.js";
import { attempt } from "./attempt.js";
import { byId } from "./dom.js";
import { day } from "./due.js";
import { say } from "./texts.js";

const section = byId("vacation");
const form = byId("begin-vacation");
const back = byId("on-vacation");

function show({ until, left }) {
  form.hidden = until !== null;
  back.hidden = until === null;
  if (until !== null) back.querySelector("span").textContent = say("profile.vacation_until", { when: day(until) });
  const { days } = form.elements;
  days.max = String(left);
  if (Number(days.value) > left) days.value = String(left);
  form.querySelector("button").disabled = left === 0;
  byId("vacation-left").textContent = say("profile.vacation_left", { n: left });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => show(await post("/api/person/vacation", { days: Number(form.elements.days.value) })));
});
byId("end-vacation").addEventListener("click", () => attempt(async () => show(await remove("/api/person/vacation"))));
show({ until: section.dataset.until ? Number(section.dataset.until) : null, left: Number(section.dataset.left) });
