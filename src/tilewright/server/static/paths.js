/** Moves as paths of things to click: which light up next, and which move is complete. Pure functions.
 *
 * A path is {spots, loose}. The spots of a strict path are chosen in order; those of a loose one in any order,
 * but for the last. A spot may occur more than once in a path: it is then chosen that many times.
 * "Clicks" are what the player chose; "chosen" are the clicks with the buttons in between that left no choice.
 */

const BUTTON = "button-";

/** Whether a spot is drawn as a button beside the table. */
export function isButton(spot) {
  return spot.startsWith(BUTTON);
}

/** The legal moves with their spots; "@" becomes the board of the seat to move. */
export function options(paths, legal, seat) {
  return legal.map((move) => ({
    move,
    loose: Boolean(paths[move].loose),
    spots: paths[move].spots.map((spot) => spot.replace("@", `p${seat}`)),
  }));
}

/** The spots that may follow on a path after those chosen; null if the path does not begin with them. */
export function following(option, chosen) {
  const { spots, loose } = option;
  if (chosen.length > spots.length) return null;
  if (!loose) {
    if (chosen.some((spot, index) => spots[index] !== spot)) return null;
    return spots.slice(chosen.length, chosen.length + 1);
  }
  const last = spots.length - 1;
  const rest = spots.slice(0, last);
  for (const spot of chosen.slice(0, last)) {
    const found = rest.indexOf(spot);
    if (found < 0) return null;
    rest.splice(found, 1);
  }
  if (chosen.length > last) return chosen[last] === spots[last] ? [] : null;
  return rest.length ? [...new Set(rest)] : [spots[last]];
}

/** After these spots: what lights up, and the move that is complete (or null). */
function after(possible, chosen) {
  const lit = new Set();
  let move = null;
  for (const option of possible) {
    const next = following(option, chosen);
    if (next === null) continue;
    if (next.length === 0) move = move ?? option.move;
    for (const spot of next) lit.add(spot);
  }
  return { chosen, lit, move };
}

/** Follow the clicks: {chosen, lit, move}. Buttons that are the only way on are passed by themselves. */
export function follow(possible, clicks) {
  let here = after(possible, []);
  for (const click of clicks) {
    here = after(possible, [...here.chosen, click]);
    while (here.move === null && here.lit.size === 1) {
      const [only] = here.lit;
      if (!isButton(only)) break;
      here = after(possible, [...here.chosen, only]);
    }
  }
  return here;
}

/** The clicks after one more: further on, or on another way from the nearest step where the spot was lit. */
export function choose(possible, clicks, spot) {
  for (let kept = clicks.length; kept >= 0; kept -= 1) {
    const before = clicks.slice(0, kept);
    if (follow(possible, before).lit.has(spot)) return [...before, spot];
  }
  return clicks;
}

/** The clicks without the last choice of a spot, and without what depended on it. */
export function unchoose(possible, clicks, spot) {
  const index = clicks.lastIndexOf(spot);
  if (index < 0) return clicks;
  const without = clicks.filter((_, position) => position !== index);
  const stands = possible.some((option) => option.loose && following(option, without) !== null);
  return stands ? without : clicks.slice(0, index);
}

/** The spots that were lit before and lead another way. */
export function otherWays(possible, clicks) {
  const now = follow(possible, clicks);
  const others = new Set();
  for (let kept = 0; kept < clicks.length; kept += 1) {
    for (const spot of follow(possible, clicks.slice(0, kept)).lit) {
      if (!now.lit.has(spot) && !clicks.includes(spot)) others.add(spot);
    }
  }
  return others;
}

/** The move that one more click would complete, or null. */
export function completedBy(possible, clicks, spot) {
  const next = choose(possible, clicks, spot);
  return next === clicks ? null : follow(possible, next).move;
}

/** A move that a click on a spot would lead to if the rules allowed it, further on or on another way; or null. */
export function forbidden(every, possible, clicks, spot) {
  for (let kept = clicks.length; kept >= 0; kept -= 1) {
    const { chosen } = follow(possible, clicks.slice(0, kept));
    const option = every.find((one) => following(one, chosen)?.includes(spot));
    if (option) return option.move;
  }
  return null;
}

/** Where single tiles are chosen: the clicks for all of them, if there is a move that has all that any other has. */
export function everything(possible) {
  if (possible.length < 2 || !possible.every(({ loose }) => loose)) return [];
  const largest = possible.reduce((most, option) => (option.spots.length > most.spots.length ? option : most));
  const has = ({ spots }) => following(largest, spots.slice(0, -1)) !== null;
  return possible.every(has) ? largest.spots.slice(0, -1) : [];
}
