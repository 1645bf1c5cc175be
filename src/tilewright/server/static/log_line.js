/** A move in the list of moves, live and in replays: who did what, the marker, and the points that came of it. */

import { element } from "./dom.js";
import { say } from "./texts.js";

const signed = (points) => (points < 0 ? `−${-points}` : `+${points}`);

/** What stands in the line of a move. */
export function lineContent({ seat, text, gains = [], marker }, nameOf) {
  const content = [element("b", { class: `seat-${seat}` }, nameOf(seat)), ` ${text}`];
  if (marker) content.push(" ", element("span", { class: "took-marker", "aria-hidden": "true" }, "1"));
  const scored = gains.map((points, index) => [nameOf(index + 1), points]).filter(([, points]) => points);
  if (scored.length) content.push(element("span", { class: "gains" }, ...scored.map((one) => gain(...one))));
  return content;
}

function gain(name, points) {
  return element("span", { class: points < 0 ? "lost" : "won" }, `${name} ${signed(points)}`);
}

/** The heading of a round. */
export function roundHeading(round) {
  return element("p", { class: "round" }, say("round_number", { number: round }));
}
