import assert from "node:assert/strict";
import { test } from "node:test";
import { parts, tempo } from "../../src/tilewright/server/static/scoring.js";

const step = (name, points) => ({ name, points: points ? { points } : null });
const names = (steps) => steps.map((one) => one.name).join(" ");

test("what follows a move up to the last score is its scoring", () => {
  const { move, scores, rest } = parts([step("take"), step("wall", 3), step("falls"), step("floor", -2), step("deal")]);
  assert.equal(names(move), "take");
  assert.equal(names(scores), "wall falls floor");
  assert.equal(names(rest), "deal");
});

test("a move that scores by itself has nothing to score after it", () => {
  const { move, scores, rest } = parts([step("place", 4), step("supply")]);
  assert.equal(names(move), "place");
  assert.equal(scores.length, 0);
  assert.equal(names(rest), "supply");
});

test("an event without steps has no parts", () => {
  const { move, scores, rest } = parts([]);
  assert.equal(move.length + scores.length + rest.length, 0);
});

test("a full round takes about four seconds, however many play", () => {
  for (const count of [8, 12, 16, 24]) {
    const { beat } = tempo(count, 480);
    assert.ok(Math.abs(beat * count - 4000) < 1, `${count} scores take ${beat * count}`);
  }
});

test("a few scores do not drag, and a slower speed is slower", () => {
  assert.ok(tempo(2, 480).beat < 600);
  assert.equal(tempo(10, 960).beat, 2 * tempo(10, 480).beat);
});
