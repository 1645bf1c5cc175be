/** Small sounds made on the spot; silent unless the player switches them on. */

import * as settings from "./settings.js";

const SCALE = [0, 2, 4, 7, 9]; // semitones
let context = null;

function ready() {
  // Browsers let a page make sounds only after its reader has done something there.
  if (!settings.get("sound") || navigator.userActivation?.hasBeenActive === false) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

function tone(frequency, length, loudness, shape = "sine", delay = 0) {
  const audio = ready();
  if (!audio) return;
  const start = audio.currentTime + delay;
  const source = audio.createOscillator();
  const volume = audio.createGain();
  source.type = shape;
  source.frequency.setValueAtTime(frequency, start);
  volume.gain.setValueAtTime(loudness, start);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length);
}

/** A tile set down on stone. */
export function click() {
  tone(1900 + Math.random() * 500, 0.05, 0.08, "triangle");
  tone(420 + Math.random() * 60, 0.08, 0.12);
}

/** Points: won they climb a pentatonic scale from one score to the next, lost they fall. */
export function chime(points, order = 0) {
  const degree = SCALE[order % SCALE.length] + 12 * Math.min(1, Math.floor(order / SCALE.length));
  const root = 523 * 2 ** (degree / 12);
  const notes = points < 0 ? [330, 277] : [root, root * 1.5];
  notes.forEach((note, n) => tone(note, 0.3, 0.05, "sine", n * 0.07));
}

/** It is your turn. */
export function knock() {
  tone(587, 0.18, 0.07);
  tone(880, 0.3, 0.06, "sine", 0.1);
}

/** The game is over: a rising chord for the winner, two soft notes for everybody else. */
export function fanfare(won) {
  const notes = won ? [523, 659, 784, 1047] : [440, 523];
  notes.forEach((note, order) => tone(note, 0.5, 0.06, "triangle", order * 0.14));
}
