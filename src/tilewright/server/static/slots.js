/** The names of slots, spots and places: parts joined by hyphens, of which the first may be a player's board, "p1".
 *
 * "@" stands for the board of any player.
 */

/** The seat whose board a slot is on, counted from 1; 0 if it is on no board. */
export function seatOf(name) {
  const [first] = name.split("-");
  return first.startsWith("p") ? Number(first.slice(1)) || 0 : 0;
}

/** The same on any player's board: "@-line-2" for "p1-line-2". */
export function onAnyBoard(name) {
  return seatOf(name) ? `@${name.slice(name.indexOf("-"))}` : name;
}

/** The name without the board. */
export function withoutBoard(name) {
  return seatOf(name) ? name.slice(name.indexOf("-") + 1) : name;
}

/** The last part: a number among equal slots, or the letter of a tile. */
export function lastPart(name) {
  return name.slice(name.lastIndexOf("-") + 1);
}

/** Everything but the last part. */
export function stemOf(name) {
  const end = name.lastIndexOf("-");
  return end < 0 ? name : name.slice(0, end);
}
