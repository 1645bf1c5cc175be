/** A flourish for the winner: the tiles of the game burst from their board and rain down. */

import { tileElement } from "./board.js";
import { pace } from "./flights.js";

const SVG = "http://www.w3.org/2000/svg";
const TILES = 42;
const SIZE = 0.75; // of a tile as it is drawn
const TIME = 2600;

const between = (least, most) => least + Math.random() * (most - least);

/** One tile, thrown up from a point, turning as it falls out of sight. */
function toss(sky, kind, x, y) {
  const tile = document.createElementNS(SVG, "g");
  tile.append(tileElement(kind));
  sky.append(tile);
  const [aside, up] = [between(-320, 320), between(40, Math.max(80, Math.min(420, y - 20)))];
  const turn = between(-540, 540);
  const at = (part, left, top, opacity, easing) => ({
    transform: `translate(${x + left}px, ${y + top}px) rotate(${turn * part}deg) scale(${SIZE})`, opacity, easing,
  });
  const way = [at(0, 0, 0, 1, "ease-out"), at(0.35, aside * 0.6, -up, 1, "ease-in"), at(1, aside, window.innerHeight, 1, "linear")];
  const thrown = tile.animate(way, { duration: TIME * between(0.75, 1.1), delay: between(0, 350), fill: "both" });
  thrown.finished.then(() => tile.remove(), () => tile.remove());
}

/** figures: the boards of the winners; kinds: what is thrown. Nothing flies where nothing should move. */
export function celebrate(sky, figures, kinds) {
  if (!pace()) return;
  for (const figure of figures) {
    const { x, y, width, height } = figure.getBoundingClientRect();
    for (let n = 0; n < TILES; n += 1) toss(sky, kinds[n % kinds.length], x + width * between(0.25, 0.75), y + height / 3);
  }
}
