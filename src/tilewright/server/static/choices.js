/** The buttons of the bar: what can be chosen for a move that is not drawn on the table. */

import { byId } from "./dom.js";

const MANY = 3; // more choices than this have short names

export function capital(text) {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

function part(name, text) {
  const span = document.createElement("span");
  span.className = name;
  span.textContent = capital(text);
  return span;
}

/** A button for a spot, with its picture if there is one; a short name serves where room is short. */
export function choiceButton(board, spot, { lit, hinted }) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = lit ? "choice" : "choice other";
  button.classList.toggle("hinted", hinted);
  button.dataset.choice = spot;
  const [label, picture, short] = [board.nameOf(spot), board.pictureOf(spot), board.shortNameOf(spot)];
  if (short) button.setAttribute("aria-label", capital(label));
  button.append(...(picture ? [picture] : []), ...(short ? [part("long", label), part("short", short)] : [capital(label)]));
  return button;
}

export function showButtons(buttons) {
  byId("choices").classList.toggle("many", buttons.length > MANY);
  byId("choices").replaceChildren(...buttons);
}
