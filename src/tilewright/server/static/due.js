/** How long somebody still has, in words: days, then hours, then minutes. */

import { locale } from "./locale.js";
import { say } from "./texts.js";

const UNITS = [["day", 86400, 1.5], ["hour", 3600, 1.5], ["minute", 60, -Infinity]];

/** The time in the largest unit of which there are enough to be told apart: "2 days", but "30 hours". */
export function duration(seconds) {
  const [unit, size] = UNITS.find(([, length, least]) => seconds >= length * least);
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(Math.max(0, Math.round(seconds / size)));
}

/** Writes into elements with a deadline, in seconds since 1970, how much time is left. */
export function showDue(root) {
  for (const shown of root.querySelectorAll("[data-due]")) {
    shown.textContent = say("time_left", { time: duration(Number(shown.dataset.due) - Date.now() / 1000) });
  }
}

/** A day and a time as the reader writes them; the time is in seconds since 1970. */
export function moment(time) {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time * 1000));
}

/** Only the day. */
export function day(time) {
  return new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(new Date(time * 1000));
}
