/** Where panels stand: everything in sight, nothing over anything else. Run by `node --test tests/server/`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { arrange, boxes } from "../../src/tilewright/server/static/layout.js";

const SCREENS = [[1338, 620], [1892, 930], [1252, 560], [1000, 640], [800, 1000]];
const SHAPES = [[1, 0.72], [1.15, 1.21], [0.7, 1.4]];

function standing(width, height, market, board, others) {
  const area = { width, height };
  const plan = arrange(area, market, board, others);
  return [...boxes(plan, area, market, board, others)].map(([panel, box]) => ({
    panel, ...box, height: box.width * (panel === "market" ? market : board),
  }));
}

test("every panel is on the screen, and apart from the others", () => {
  for (const [width, height] of SCREENS) {
    for (const [market, board] of SHAPES) {
      for (const others of [1, 2, 3]) {
        const found = standing(width, height, market, board, others);
        assert.equal(found.length, 2 + others);
        for (const one of found) {
          assert.ok(one.width > 60, `${one.panel} is ${one.width} wide on ${width}x${height}`);
          assert.ok(one.x >= -1 && one.y >= -1 && one.x + one.width <= width + 1 && one.y + one.height <= height + 1);
          for (const two of found) {
            if (one === two) continue;
            const apart = one.x + one.width <= two.x + 1 || two.x + two.width <= one.x + 1
              || one.y + one.height <= two.y + 1 || two.y + two.height <= one.y + 1;
            assert.ok(apart, `${one.panel} lies over ${two.panel} on ${width}x${height}`);
          }
        }
      }
    }
  }
});

test("the board in front is the largest of the boards", () => {
  for (const others of [1, 2, 3]) {
    const found = standing(1338, 620, 1, 0.72, others);
    const focus = found.find((one) => one.panel === "focus");
    assert.ok(found.every((one) => typeof one.panel === "string" || one.width < focus.width));
  }
});

test("narrow screens let the panels flow", () => {
  const plan = arrange({ width: 374, height: 600 }, 1, 0.72, 3);
  assert.equal(plan.name, "flow");
  assert.ok(plan.widths.focus <= 374 && plan.widths.market <= 374);
});

test("on a phone market and board share the screen if they fit, else each has its whole width", () => {
  const tall = arrange({ width: 374, height: 640 }, 1, 0.72, 1);
  assert.equal(tall.name, "flow");
  assert.equal(tall.widths.focus, 374);
  assert.ok(tall.widths.market + 0.72 * tall.widths.focus + 12 <= 640);
  const short = arrange({ width: 374, height: 460 }, 1, 0.72, 1);
  assert.equal(short.widths.market, 374);
});

test("three others on a laptop can be read", () => {
  for (const [market, board] of [[1, 0.72], [1.15, 1.15]]) {
    assert.ok(arrange({ width: 1338, height: 616 }, market, board, 3).widths.other >= 200);
  }
});

test("with four players on a tablet, market and own board are balanced, and the others can be read", () => {
  for (const [market, board] of [[1, 0.72], [1.15, 1.15]]) {
    for (const [width, height] of [[996, 616], [1152, 668]]) {
      const { widths } = arrange({ width, height }, market, board, 3);
      const ratio = (widths.market ** 2 * market) / (widths.focus ** 2 * board);
      assert.ok(ratio > 0.65 && ratio < 1.5, `${ratio}`);
      assert.ok(widths.other >= 180, `${widths.other}`);
    }
  }
});

test("a tablet held upright shows market and own board together", () => {
  for (const [market, board] of [[1, 0.72], [1.15, 1.21]]) {
    const { name, widths } = arrange({ width: 752, height: 798 }, market, board, 3);
    assert.equal(name, "flow");
    const beside = widths.market + widths.focus + 12 <= 752;
    const tall = beside ? Math.max(market, board) * widths.focus : market * widths.market + board * widths.focus + 12;
    assert.ok(tall <= 798, `${tall} high`);
    assert.ok(widths.focus > 350 && widths.other <= widths.focus);
  }
});

test("a phone held sideways has everything side by side, whatever its width", () => {
  assert.notEqual(arrange({ width: 663, height: 230, flows: false }, 1, 0.72, 3).name, "flow");
  assert.equal(arrange({ width: 771, height: 374, flows: true }, 1, 0.72, 3).name, "flow");
});

test("a larger board is larger, and the others are thumbnails in sight", () => {
  for (const [width, height] of [[1338, 620], [1892, 930], [1000, 640]]) {
    for (const [market, board] of [[1, 0.72], [1.15, 1.15]]) {
      for (const others of [1, 2, 3]) {
        const usual = arrange({ width, height }, market, board, others).widths;
        const larger = arrange({ width, height, larger: true }, market, board, others).widths;
        assert.ok(larger.focus + larger.market > usual.focus + usual.market - 1);
        assert.ok(larger.other <= usual.other && larger.other >= 60);
      }
    }
  }
  const { widths } = arrange({ width: 374, height: 600, larger: true }, 1, 0.72, 3);
  assert.equal(widths.focus, 374);
  assert.ok(3 * widths.other + 24 <= 374);
});

test("a phone held sideways scrolls where boards are tall, and has all in sight where they are not", () => {
  const area = { width: 824, height: 260, flows: false, fingers: true };
  const wide = arrange(area, 0.7, 0.72, 3);
  assert.ok(wide.widths.focus * 0.72 > 250 && wide.widths.market * 0.7 > 250);
  const tall = arrange(area, 0.86, 1.15, 3);
  assert.equal(tall.name, "tall");
  for (const box of boxes(tall, area, 0.86, 1.15, 3).values()) {
    assert.ok(box.x >= -1 && box.y >= 0 && box.x + box.width <= 825);
  }
});

test("a phone held sideways shows the boards of the others, beside one's own or below it", () => {
  const area = { width: 824, height: 270, flows: false, fingers: true };
  assert.ok(arrange(area, 0.7, 0.72, 3).widths.other > 60);
  const narrow = { ...area, width: 540 };
  const plan = arrange(narrow, 0.88, 0.72, 1);
  assert.equal(plan.name, "under");
  assert.ok(plan.widths.other > 80);
  for (const box of boxes(plan, narrow, 0.88, 0.72, 1).values()) assert.ok(box.x >= -1 && box.x + box.width <= 541);
});
