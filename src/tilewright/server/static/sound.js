/** Small sounds made on the spot: silent before the player's first gesture, and once they are switched off. */

import * as settings from "./settings.js";

const SCALE = [0, 2, 4, 7, 9]; // semitones
let context = null;
let noise = null;
let touched = false; // browsers let a page make sounds only after its reader has done something there

for (const kind of ["pointerdown", "keydown"]) {
  document.addEventListener(kind, () => (touched = true), { once: true, capture: true });
}

function ready() {
  if (!settings.get("sound") || !touched) return null;
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

/** A breath of noise, which a filter turns into the touch of glazed clay. */
function touch(frequency, length, loudness) {
  const audio = ready();
  if (!audio) return;
  noise ??= new AudioBuffer({ length: audio.sampleRate / 10, sampleRate: audio.sampleRate });
  if (!noise.filled) noise.getChannelData(0).forEach((_, at, samples) => (samples[at] = Math.random() * 2 - 1));
  noise.filled = true;
  const start = audio.currentTime;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency, Q: 3 });
  const volume = new GainNode(audio, { gain: loudness });
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(filter).connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length);
}

/** A tile set down on stone: the touch, and the low sound of what it lies on. No two are quite alike. */
export function click() {
  touch(2600 + Math.random() * 900, 0.05, 0.16);
  tone(300 + Math.random() * 60, 0.07, 0.05);
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

/** Ties the button that switches sounds on and off. */
export function tieSound(button) {
  const show = () => button.setAttribute("aria-pressed", String(Boolean(settings.get("sound"))));
  show();
  settings.onChange((name) => name === "sound" && show());
  button.addEventListener("click", () => {
    settings.set("sound", !settings.get("sound"));
    click();
  });
}
