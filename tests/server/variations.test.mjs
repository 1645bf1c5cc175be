/** The tree of a study: following, promoting and removing lines, and what is saved of it. */

import assert from "node:assert/strict";
import test from "node:test";

import { Tree } from "../../src/tilewright/server/static/variations.js";

/** deal, then a → b → c, and instead of b: d → e. */
function grown() {
  const nodes = [
    { parent: null, comment: "" },
    { parent: 0, event: "draw xy", comment: "" },
    { parent: 1, event: "a", comment: "first" },
    { parent: 2, event: "b", comment: "" },
    { parent: 3, event: "c", comment: "" },
    { parent: 2, event: "d", comment: "better" },
    { parent: 5, event: "e", comment: "" },
  ];
  return new Tree({ start: "somewhere", nodes });
}

test("a line that is known is followed, another one is added", () => {
  const tree = grown();
  assert.equal(tree.follow(2, { event: "d" }), 5);
  assert.equal(tree.follow(2, { event: "f", told: "F" }), 7);
  assert.deepEqual(tree.at(2).children, [3, 5, 7]);
  assert.equal(tree.at(7).comment, "");
});

test("paths, ends and the main line", () => {
  const tree = grown();
  assert.deepEqual(tree.path(6), [0, 1, 2, 5, 6]);
  assert.equal(tree.end(0), 4);
  assert.equal(tree.end(5), 6);
  assert.equal(tree.onMainLine(2), 2);
  assert.equal(tree.onMainLine(99), 4);
  assert.ok(tree.isMain(4));
  assert.ok(!tree.isMain(6));
});

test("a variation becomes the main line with all that follows", () => {
  const tree = grown();
  tree.promote(6);
  assert.equal(tree.end(0), 6);
  assert.deepEqual(tree.told().map(([, event]) => event), ["draw xy", "a", "d", "e", "b", "c"]);
});

test("what is removed is not saved, and parents keep their numbers in order", () => {
  const tree = grown();
  assert.equal(tree.remove(3), 2);
  assert.deepEqual(tree.told(), [
    [0, "draw xy", ""],
    [1, "a", "first"],
    [2, "d", "better"],
    [3, "e", ""],
  ]);
  const again = new Tree({ start: "", nodes: [{ parent: null, comment: "" }, ...tree.told().map(([parent, event, comment]) => ({ parent, event, comment }))] });
  assert.deepEqual(again.told(), tree.told());
});
