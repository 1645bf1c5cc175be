/** Small helpers for making elements. */

import { say } from "./texts.js";

export function byId(name) {
  return document.getElementById(name);
}

/** An element with attributes ("on" holds its listeners) and children; texts are never read as HTML. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") for (const [kind, listener] of Object.entries(value)) made.addEventListener(kind, listener);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** The address of a moment of the game that a page shows; the server, which sees no hash, draws its picture by "at". */
export function linkTo(at) {
  return new URL(`?at=${at}#${at}`, location.href).href;
}

/** Copies a text and says so on the button for a moment. */
export async function copy(text, button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { class: "hidden" });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  button.textContent = say("copied");
  setTimeout(() => (button.textContent = label), 1600);
}

/** Buttons with data-opens show the dialog of that name; those with data-closes close theirs. */
export function tieDialogs() {
  document.addEventListener("click", (event) => {
    const opener = event.target.closest?.("[data-opens]");
    if (opener) document.getElementById(opener.dataset.opens)?.showModal();
    const closer = event.target.closest?.("[data-closes]");
    if (closer) closer.closest("dialog")?.close();
    if (event.target.tagName === "DIALOG") event.target.close();
  });
}
