/** The client's way of following paths. Run by `node --test tests/server/`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  choose, completedBy, everything, follow, following, forbidden, options, otherWays, unchoose,
} from "../../src/tilewright/server/static/paths.js";

const PATHS = [
  { spots: ["shop-1-b", "@-line-1"] },
  { spots: ["shop-1-b", "@-line-2"] },
  { spots: ["shop-2-r", "@-line-1"] },
  { spots: ["shop-3-r", "@-line-3", "button-one"] },
  { spots: ["shop-3-r", "@-line-3", "button-two"] },
  { spots: ["shop-3-r", "@-line-4", "button-one"] },
  { spots: ["button-pass"] },
];
const BAG = [
  { spots: ["hand-a", "hand-a", "button-keep"], loose: true },
  { spots: ["hand-a", "hand-b", "button-keep"], loose: true },
  { spots: ["hand-b", "hand-b", "hand-b", "button-keep"], loose: true },
  { spots: ["button-keep"], loose: true },
];
const all = (paths, seat = 2) => options(paths, paths.map((_, index) => index), seat);
const lit = (here) => [...here.lit].sort();

test("only legal moves light up, on the board of the seat to move", () => {
  const possible = options(PATHS, [0, 2], 3);
  assert.deepEqual(lit(follow(possible, [])), ["shop-1-b", "shop-2-r"]);
  assert.deepEqual(lit(follow(possible, ["shop-1-b"])), ["p3-line-1"]);
});

test("a path followed to its end is a move", () => {
  const here = follow(all(PATHS), ["shop-1-b", "p2-line-2"]);
  assert.equal(here.move, 1);
  assert.equal(here.lit.size, 0);
});

test("a button that is the only way on is passed by itself, but not at the start", () => {
  const here = follow(all(PATHS), ["shop-3-r", "p2-line-4"]);
  assert.equal(here.move, 5);
  assert.deepEqual(here.chosen, ["shop-3-r", "p2-line-4", "button-one"]);
  assert.deepEqual(lit(follow(all(PATHS), ["shop-3-r", "p2-line-3"])), ["button-one", "button-two"]);
  const pass = follow(options(PATHS, [6], 1), []);
  assert.equal(pass.move, null);
  assert.deepEqual(lit(pass), ["button-pass"]);
});

test("another beginning may be chosen instead, and a step unmade", () => {
  const possible = all(PATHS);
  assert.deepEqual(choose(possible, ["shop-1-b"], "shop-2-r"), ["shop-2-r"]);
  assert.deepEqual(choose(possible, ["shop-1-b", "p2-line-1"], "p2-line-2"), ["shop-1-b", "p2-line-2"]);
  assert.deepEqual(choose(possible, ["shop-1-b"], "p2-line-4"), ["shop-1-b"]);
  assert.deepEqual(unchoose(possible, ["shop-1-b", "p2-line-1"], "shop-1-b"), []);
  assert.deepEqual([...otherWays(possible, ["shop-1-b"])].sort(), ["button-pass", "shop-2-r", "shop-3-r"]);
});

test("loose paths take their spots in any order, but for the last", () => {
  const possible = all(BAG);
  assert.deepEqual(lit(follow(possible, [])), ["button-keep", "hand-a", "hand-b"]);
  assert.equal(follow(possible, ["hand-b", "hand-a"]).move, 1);
  assert.equal(follow(possible, ["hand-a", "hand-b"]).move, 1);
  assert.deepEqual(lit(follow(possible, ["hand-b", "hand-b"])), ["hand-b"]);
  assert.equal(follow(possible, ["hand-b", "hand-b", "hand-b"]).move, 2);
  assert.equal(follow(possible, ["button-keep"]).move, 3);
  assert.equal(following(possible[0], ["hand-b"]), null);
  assert.deepEqual(unchoose(possible, ["hand-a", "hand-b"], "hand-a"), ["hand-b"]);
});

test("a move that is complete may still go on", () => {
  const possible = all([{ spots: ["x"] }, { spots: ["x", "y"] }]);
  const here = follow(possible, ["x"]);
  assert.equal(here.move, 0);
  assert.deepEqual(lit(here), ["y"]);
});

test("what one more click would complete", () => {
  const possible = all(PATHS);
  assert.equal(completedBy(possible, [], "shop-1-b"), null);
  assert.equal(completedBy(possible, ["shop-1-b"], "p2-line-2"), 1);
  assert.equal(completedBy(possible, ["shop-1-b", "p2-line-1"], "p2-line-2"), 1);
  assert.equal(completedBy(possible, ["shop-1-b"], "nowhere"), null);
});

test("a click that the rules forbid leads to a move that is not legal", () => {
  const every = all(PATHS);
  const possible = every.filter(({ move }) => [0, 3].includes(move));
  assert.equal(forbidden(every, possible, ["shop-1-b"], "p2-line-2"), 1);
  assert.equal(forbidden(every, possible, ["shop-3-r"], "p2-line-4"), 5);
  assert.equal(forbidden(every, possible, ["shop-1-b", "p2-line-1"], "p2-line-2"), 1, "instead of the last choice");
  assert.equal(forbidden(every, possible, [], "shop-2-r"), 2);
  assert.equal(forbidden(every, possible, [], "p2-line-1"), null, "something else comes first");
});

test("everything is chosen where one move has all that the others have", () => {
  assert.deepEqual(everything([BAG[0], BAG[3]]), ["hand-a", "hand-a"]);
  assert.deepEqual(everything(BAG), [], "no move has all of these");
  assert.deepEqual(everything([BAG[3]]), [], "there is nothing to choose");
  assert.deepEqual(everything(all(PATHS)), [], "tiles are not chosen one by one");
});
