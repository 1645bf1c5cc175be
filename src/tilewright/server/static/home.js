/** The home page: one click into a game, or a table set up as one likes. */

import { post } from "./api.js";
import { element, tieDialogs } from "./dom.js";
import { tieLeaving } from "./leaving.js";
import { Lists } from "./lists.js";
import { tieMatch } from "./match.js";
import * as settings from "./settings.js";
import { say } from "./texts.js";

const form = document.getElementById("new-table");
const games = JSON.parse(document.getElementById("games").textContent);
const bots = JSON.parse(document.getElementById("bots").textContent);
const usual = bots.find((one) => one.usual);
const KINDS = ["me", "friend", "invite", "open", "bot"];
const DEFAULTS = ["me", "bot", "bot", "bot"];

function chosenGame() {
  return games.find((game) => game.name === form.elements.game.value) ?? games[0];
}

function players() {
  return Number(form.elements.players.value);
}

function select(attributes, choices, chosen) {
  const made = element("select", attributes);
  for (const [value, label] of choices) made.append(element("option", { value }, label));
  made.value = chosen;
  return made;
}

/** Only as many players as the chosen game allows. */
function showPlayers() {
  const allowed = chosenGame().players;
  for (const one of form.querySelectorAll("input[name=players]")) {
    one.disabled = one.closest("label").hidden = !allowed.includes(Number(one.value));
    if (one.disabled && one.checked) form.elements.players.value = String(allowed[0]);
  }
}

/** One row for a seat: who sits there, and a name or the strength of a bot. */
function seatRow(number) {
  const row = element("li", { class: "seat" });
  const label = (what) => say(what, { number });
  const kind = select(
    { name: `kind-${number}`, "aria-label": label("seat_who") },
    KINDS.map((name) => [name, say(`kind_${name}`)]),
    DEFAULTS[number - 1],
  );
  const name = element("input", {
    type: "text", name: `name-${number}`, maxlength: "20", "aria-label": label("seat_name"), autocomplete: "off",
    placeholder: number === 1 ? say("your_name") : say("name"),
  });
  const bot = select(
    { name: `bot-${number}`, "aria-label": label("seat_bot") },
    bots.map(({ name: value, label: text }) => [value, text]),
    usual.name,
  );
  const hint = element("span", { class: "hint" });
  const adapt = () => {
    name.hidden = !["me", "friend"].includes(kind.value);
    bot.hidden = kind.value !== "bot";
    if (kind.value === "me" && !name.value) name.value = settings.get("name");
    hint.textContent = kind.value === "bot" ? (bots.find((one) => one.name === bot.value)?.hint ?? "") : say(`hint_${kind.value}`);
  };
  kind.addEventListener("change", adapt);
  bot.addEventListener("change", adapt);
  adapt();
  row.append(element("span", { class: "number", "aria-hidden": "true" }, String(number)), kind, name, bot, hint);
  return row;
}

function showSeats() {
  const list = document.getElementById("seat-rows");
  while (list.children.length < players()) list.append(seatRow(list.children.length + 1));
  [...list.children].forEach((row, index) => (row.hidden = index >= players()));
  showStarters();
}

/** Who starts: chance, unless somebody is chosen. */
function showStarters() {
  const { starter } = form.elements;
  const chosen = starter.value;
  const seats = Array.from({ length: players() }, (_, index) => [index + 1, say("seat_number", { number: index + 1 })]);
  starter.replaceChildren(...[["random", say("starter_random")], ...seats].map(([value, label]) => element("option", { value }, label)));
  starter.value = Number(chosen) <= players() ? chosen : "random";
  if (!starter.value) starter.value = "random";
}

function chosenStarter() {
  const { value } = form.elements.starter;
  return value === "random" ? value : Number(value);
}

function showOptions() {
  for (const set of form.querySelectorAll("[data-options-of]")) {
    set.hidden = set.disabled = set.dataset.optionsOf !== chosenGame().name;
  }
}

function chosenOptions() {
  const found = {};
  for (const [option, choices] of Object.entries(chosenGame().options)) {
    const control = form.elements[`${chosenGame().name}:${option}`];
    found[option] = choices.find((choice) => String(choice) === control?.value) ?? choices[0];
  }
  return found;
}

function chosenSeats() {
  return Array.from({ length: players() }, (_, index) => {
    const value = (part) => form.elements[`${part}-${index + 1}`].value.trim();
    const kind = value("kind");
    if (kind === "me" || kind === "friend") return { kind, name: value("name") };
    return kind === "bot" ? { kind, bot: value("bot") } : { kind };
  });
}

function chosenClock() {
  if (form.elements.pace.value !== "clock") return null;
  return { minutes: Number(form.elements.minutes.value), increment: Number(form.elements.increment.value) };
}

/** The times that belong to the chosen pace; correspondence games are not rated. */
function showPace() {
  const { pace, rated } = form.elements;
  document.getElementById("clock-times").hidden = pace.value !== "clock";
  document.getElementById("move-days").hidden = pace.value !== "days";
  rated.disabled = pace.value === "days";
  if (rated.disabled) rated.checked = false;
}

function chosenDays() {
  return form.elements.pace.value === "days" ? Number(form.elements.days.value) : null;
}

function fail(text) {
  const failure = document.getElementById("failure");
  failure.textContent = text;
  failure.hidden = !text;
  if (text) failure.scrollIntoView({ block: "nearest" });
}

async function open(request, button) {
  fail("");
  button.disabled = true;
  try {
    location.href = (await post("/api/tables", request)).url;
  } catch (error) {
    fail(error.message);
    button.disabled = false;
  }
}

function begin() {
  const lists = new Lists(document.getElementById("lists"));
  tieLeaving(() => lists.refresh(), fail);
  tieMatch(bots, fail);
  tieDialogs();
  settings.tie(document);
  form.addEventListener("change", (event) => {
    if (event.target.name === "game") {
      showOptions();
      showPlayers();
    }
    if (["game", "players"].includes(event.target.name)) showSeats();
    if (event.target.name === "pace") showPace();
    if (/^name-/.test(event.target.name)) {
      const number = event.target.name.slice(5);
      if (form.elements[`kind-${number}`].value === "me") settings.set("name", event.target.value.trim());
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const request = { game: chosenGame().name, players: players(), options: chosenOptions(), seats: chosenSeats(), starter: chosenStarter(), clock: chosenClock(), days: chosenDays(), rated: form.elements.rated.checked };
    open(request, form.querySelector("[type=submit]"));
  });
  const now = document.getElementById("play-now");
  now.addEventListener("click", () => {
    const me = { kind: "me", name: settings.get("name") };
    const seats = [me, { kind: "bot", bot: usual.name }];
    open({ game: games[0].name, players: 2, options: {}, seats, starter: "random", clock: null }, now);
  });
  showOptions();
  showPlayers();
  showSeats();
  showPace();
}

begin();
