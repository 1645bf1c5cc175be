/** The tempo of a move that is shown: the move itself, what it scores tile by tile, and what comes after. Pure functions.
 *
 * Points that follow a move, as at the end of a round, are what the players have been working for. They come on a beat
 * of their own: slow enough to be followed one by one, and about four seconds for a full round however many there are.
 */

const WHOLE = 4000; // milliseconds for a full round, at normal speed
const LONGEST = 560; // from one score to the next, where there are few
const SHORTEST = 150; // and where there are very many
const FLIGHT = 380; // of a tile that scores; it may still fly when the next one leaves
const NORMAL = 480; // the time of one flight for which these are meant

/** The steps of an event in three parts; the points of a move itself belong to it. */
export function parts(steps) {
  const last = steps.findLastIndex((step) => step.points);
  return { move: steps.slice(0, 1), scores: steps.slice(1, last + 1), rest: steps.slice(Math.max(1, last + 1)) };
}

/** For some steps that score, with the time of one flight at the speed that was chosen: {beat, flight}. */
export function tempo(count, time) {
  const beat = Math.max(SHORTEST, Math.min(LONGEST, WHOLE / count));
  const speed = time / NORMAL;
  return { beat: beat * speed, flight: Math.max(beat, FLIGHT) * speed };
}
