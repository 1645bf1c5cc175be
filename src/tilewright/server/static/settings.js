/** What a player prefers, kept on this device. */

import { noteReader } from "./service.js";

const KEY = "tilewright";
const YEAR = 31536000;
const DEFAULTS = {
  speed: "normal", // "slow", "normal", "fast", "off"
  sound: true, // none before the first gesture, as browsers demand
  confirm: true, // ask before a move is sent
  larger: false, // my board and the market large, the other boards small
  forced: true, // moves without a choice play themselves
  name: "",
  muted: [], // players whose messages are not shown, as table/seat
  moves: 0, // played on this device, as far as tips need to know
  tips: [], // those that were shown
};
const listeners = new Set();
let stored = load();

function load() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

export function get(name) {
  return stored[name];
}

export function set(name, value) {
  stored = { ...load(), [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // Private windows may refuse; the setting then lasts as long as the page.
  }
  for (const listener of listeners) listener(name, value);
}

/** Calls back with the name and value of each setting that changes, until what it returns is called. */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function cookie(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR}; SameSite=Lax`;
}

export function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  cookie("theme", theme);
  noteReader();
}

/** Another tile set: drawings on the page follow their style sheet, pictures are fetched again. */
export function setTiles(tiles) {
  document.documentElement.dataset.tiles = tiles;
  cookie("tiles", tiles);
  noteReader();
  for (const picture of document.querySelectorAll("img[src*='theme=']")) {
    const address = new URL(picture.src);
    address.searchParams.set("tiles", tiles);
    picture.src = address.href;
  }
}

export function setLanguage(language) {
  cookie("language", language);
  document.documentElement.lang = language;
  noteReader().finally(() => location.reload());
}

/** Ties the controls named data-setting to the settings, and those for theme, tiles and language to their cookies. */
export function tie(root) {
  for (const control of root.querySelectorAll("[data-setting]")) {
    const name = control.dataset.setting;
    const check = control.type === "checkbox";
    const show = () => {
      if (check) control.checked = Boolean(get(name));
      else control.value = get(name);
    };
    show();
    onChange((changed) => changed === name && show());
    control.addEventListener("change", () => set(name, check ? control.checked : control.value));
  }
  for (const control of root.querySelectorAll("[data-theme-choice]")) {
    control.value = document.documentElement.dataset.theme;
    control.addEventListener("change", () => setTheme(control.value));
  }
  for (const control of root.querySelectorAll("[data-tiles-choice]")) {
    control.value = document.documentElement.dataset.tiles;
    control.addEventListener("change", () => setTiles(control.value));
  }
  for (const control of root.querySelectorAll("[data-language-choice]")) {
    control.addEventListener("change", () => setLanguage(control.value));
  }
}

window.addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  stored = load();
  for (const [name, value] of Object.entries(stored)) for (const listener of listeners) listener(name, value);
});
