/** How large the market and the boards are drawn, and where, so that all of them fit on the screen. Pure functions.
 *
 * Panels keep their shape (height over width). The focus is the board of the player who looks (or acts) here; the
 * others are smaller. A plan has a name and the widths {market, focus, other}; boxes() says where they stand. Whoever wants
 * a larger board (`larger` in an area) has the other boards as thumbnails, which a tap or a click enlarges; so does
 * whoever plays with fingers on a phone (`fingers`).
 */

const GAP = 12;
const WEIGHTS = { market: 1.15, focus: 1.1, other: 0.65 };
const LARGER_WEIGHTS = { market: 1.15, focus: 1.35, other: 0.1 };
const THUMBNAIL = 88; // the least width of other boards that are thumbnails: enough to tap, and to see how full they are
const LEAST_OWN = 0.97; // of the largest market and focus on a phone held sideways: fingers need 32 pixels for a line
const MOST_THUMBNAILS = 3; // in a row, on screens that scroll
const STEP = 0.02;
const CLEARLY = 1.02; // how much better an unusual plan must be than a usual one
const FLOW_WIDTH = 760; // narrower screens scroll,
const WIDE_FLOW = 560; // and the wider of them show market and focus together
const LEAST_SHARED = 270; // the least width of market and focus where nothing has to be clicked (`together`)
const LARGEST_OTHER = 0.72; // of the focus,
const LARGEST_THUMBNAIL = 0.28; // and for whoever wants a larger board
const LEAST_MARKET = 0.75; // of the focus, on screens that scroll
const DOCK_WORTH = 0.92; // what the drawings may lose for the log to stand beside them
const LEGIBLE = 205; // the width, and
const LEGIBLE_SHARE = 0.5; // the share of the height of a low screen, below which other boards are hard to read,
const ILLEGIBLE = 2.2; // and by how much that raises their weight
const BALANCE = 1.2; // what it costs that market and focus, which are looked at in turn, differ in size

function* shares(from, to) {
  for (let share = from; share <= to + 1e-9; share += STEP) yield share;
}

/** The widest panel of a shape that fits, and the widest of several in a column or in a row. */
const fit = (shape, width, height) => Math.max(0, Math.min(width, height / shape));
const inColumn = (count, shape, width, height) => fit(shape, width, (height - GAP * (count - 1)) / count);
const inRow = (count, shape, width, height) => fit(shape, (width - GAP * (count - 1)) / count, height);

/** Ways to lay a table with other players, the usual ones first; each yields the widths of what it tries. */
const WAYS = {
  /* focus over the others, market beside them */
  *under({ width, height }, market, board, others) {
    for (const share of shares(0.3, 0.7)) {
      for (const cut of shares(0.4, 0.85)) {
        const right = (width - GAP) * (1 - share);
        yield {
          market: fit(market, (width - GAP) * share, height),
          focus: fit(board, right, (height - GAP) * cut),
          other: inRow(others, board, right, (height - GAP) * (1 - cut)),
        };
      }
    }
  },
  /* market, focus, and the others two by two */
  *pairs({ width, height }, market, board, others) {
    const room = width - 2 * GAP;
    const rows = Math.ceil(others / 2);
    if (rows < 2) return;
    for (const first of shares(0.2, 0.5)) {
      for (const third of shares(0.2, 0.5)) {
        if (first + third > 0.8) continue;
        yield {
          market: fit(market, room * first, height),
          focus: fit(board, room * (1 - first - third), height),
          other: Math.min(inRow(2, board, room * third, height), inColumn(rows, board, room, height)),
        };
      }
    }
  },
  /* market, focus, and a column of the others */
  *three({ width, height }, market, board, others) {
    const room = width - 2 * GAP;
    for (const first of shares(0.2, 0.6)) {
      for (const third of shares(0.1, 0.42)) {
        if (first + third > 0.85) continue;
        yield {
          market: fit(market, room * first, height),
          focus: fit(board, room * (1 - first - third), height),
          other: inColumn(others, board, room * third, height),
        };
      }
    }
  },
  /* market over the others, focus beside them */
  *beside({ width, height }, market, board, others) {
    for (const share of shares(0.3, 0.7)) {
      for (const cut of shares(0.3, 0.85)) {
        const left = (width - GAP) * share;
        yield {
          market: fit(market, left, (height - GAP) * cut),
          focus: fit(board, width - GAP - left, height),
          other: inRow(others, board, left, (height - GAP) * (1 - cut)),
        };
      }
    }
  },
  /* market over focus, the others in a column beside them */
  *stack({ width, height }, market, board, others) {
    for (const share of shares(0.4, 0.85)) {
      for (const cut of shares(0.25, 0.7)) {
        const left = (width - GAP) * share;
        yield {
          market: fit(market, left, (height - GAP) * cut),
          focus: fit(board, left, (height - GAP) * (1 - cut)),
          other: inColumn(others, board, width - GAP - left, height),
        };
      }
    }
  },
};

/** The value of a plan: the product of the sizes, each to the power of its weight, so that nothing is neglected. */
function valueOf(widths, market, board, { height, larger }) {
  const weights = larger ? LARGER_WEIGHTS : WEIGHTS;
  const size = (width, shape) => Math.log(Math.max(1, width * Math.sqrt(shape)));
  const own = weights.market * size(widths.market, market) + weights.focus * size(widths.focus, board);
  const other = size(widths.other, board);
  const legible = larger ? THUMBNAIL : Math.min(LEGIBLE, LEGIBLE_SHARE * height);
  const strain = ILLEGIBLE * Math.min(0, Math.log(Math.max(1, widths.other) / legible));
  const tilt = (larger ? 0 : BALANCE) * (size(widths.market, market) - size(widths.focus, board)) ** 2;
  return Math.exp((own + weights.other * other + strain) / (weights.market + weights.focus + weights.other) - tilt);
}

/** One below the other. Market and focus share the height of the screen if that leaves the market large enough. */
function flow({ width, height, together, larger, fingers }, market, board, others) {
  if (larger) return largeFlow(width, others);
  if (fingers) return { name: "flow", widths: { market: width, focus: width, other: others > 1 ? (width - GAP) / 2 : width }, value: 0 };
  const shared = (height - GAP) / (market + board);
  if (width >= WIDE_FLOW || (together && shared >= LEAST_SHARED)) return wideFlow({ width, height }, market, board);
  const focus = Math.min(width, Math.max(320, height / board));
  const beside = (height - GAP - focus * board) / market;
  const widest = Math.min(width, 560);
  const other = others > 1 ? (width - GAP) / 2 : focus;
  const widths = { market: beside < focus * LEAST_MARKET ? widest : Math.min(widest, beside), focus };
  return { name: "flow", widths: { ...widths, other: Math.min(other, focus) }, value: 0 };
}

/** Each as wide as the screen, and the others below them in a row. */
function largeFlow(width, others) {
  const row = Math.max(2, Math.min(MOST_THUMBNAILS, others));
  return { name: "flow", widths: { market: width, focus: width, other: (width - GAP * (row - 1)) / row }, value: 0 };
}

/** A tablet held upright: market and focus of one width, over or beside each other, both in sight. */
function wideFlow({ width, height }, market, board) {
  const half = (width - GAP) / 2;
  const over = Math.min(width, (height - GAP) / (market + board));
  const beside = Math.min(half, height / Math.max(market, board));
  const both = Math.max(over, beside);
  return { name: "flow", widths: { market: both, focus: both, other: Math.min(half, both) }, value: 0 };
}

/** Whether panels follow each other on an area; the style sheet decides that, where one is asked. */
const flows = (area) => area.flows ?? area.width < FLOW_WIDTH;

/** A phone held sideways: market and focus as high as it, or, where boards are tall, two columns that scroll.
 *
 * The others stand beside them, for which market and focus shrink as far as fingers allow, or below the focus.
 */
function sideways({ width, height }, market, board, others) {
  const half = (width - GAP) / 2;
  if (board > 1) return { name: "tall", widths: { market: half, focus: half, other: (half - GAP) / 2 }, value: 0 };
  const own = { market: fit(market, half, height), focus: fit(board, half, height) };
  const both = own.market + own.focus;
  const room = width - 2 * GAP;
  const slim = Math.min(1, Math.max(LEAST_OWN, (room - THUMBNAIL) / both));
  const beside = Math.max(0, inColumn(others, board, room - slim * both, height));
  const below = others ? inRow(others, board, own.focus, height - own.focus * board - GAP) : 0;
  if (below > beside) return { name: "under", widths: { ...own, other: below }, value: 0 };
  return { name: "three", widths: { market: slim * own.market, focus: slim * own.focus, other: beside }, value: 0 };
}

/** The best plan for an area: {name, widths, value}; "flow" for narrow screens, where panels follow each other. */
export function arrange(area, market, board, others) {
  if (flows(area)) return flow(area, market, board, others);
  if (area.fingers) return sideways(area, market, board, others);
  let best = null;
  for (const [name, way] of Object.entries(WAYS)) {
    for (const widths of way(area, market, board, others)) {
      widths.other = Math.min(widths.other, widths.focus * (area.larger ? LARGEST_THUMBNAIL : LARGEST_OTHER));
      const value = valueOf(widths, market, board, area);
      if (!best || value > best.value * (best.name === name ? 1 : CLEARLY)) best = { name, widths, value };
    }
  }
  return best;
}

/** Whether the log should stand beside the table: if the drawings lose little by it. */
export function docksLog(area, width, market, board, others) {
  if (area.larger || flows(area) || area.width < FLOW_WIDTH + width) return false;
  const narrow = arrange({ ...area, width: area.width - width }, market, board, others);
  return narrow.value > arrange(area, market, board, others).value * DOCK_WORTH;
}

const inPairs = (others) => Array.from({ length: Math.ceil(others.length / 2) }, (_, n) => others.slice(2 * n, 2 * n + 2));

/** Columns of rows of panels: each plan as it stands. */
const COLUMNS = {
  stack: (others) => [[["market"], ["focus"]], others.map((other) => [other])],
  beside: (others) => [[["market"], others], [["focus"]]],
  under: (others) => [[["market"]], [["focus"], others]],
  three: (others) => [[["market"]], [["focus"]], others.map((other) => [other])],
  pairs: (others) => [[["market"]], [["focus"]], inPairs(others)],
  tall: (others) => [[["market"], ...inPairs(others)], [["focus"]]],
};

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** The left top corner and width of each panel: Map of "market", "focus", 0, 1... (others) to {x, y, width}. */
export function boxes(plan, area, market, board, others) {
  const widthOf = (panel) => Math.floor(plan.widths[typeof panel === "number" ? "other" : panel]);
  const heightOf = (panel) => widthOf(panel) * (panel === "market" ? market : board);
  const rowWidth = (row) => sum(row.map(widthOf)) + GAP * (row.length - 1);
  const rowHeight = (row) => Math.max(...row.map(heightOf));
  const columns = COLUMNS[plan.name]([...Array(others).keys()]);
  const sizes = columns.map((rows) => Math.max(...rows.map(rowWidth)));
  const spare = Math.min(4 * GAP, Math.max(0, area.width - sum(sizes) - GAP * (columns.length - 1)) / (columns.length + 1));
  const whole = sum(sizes) + (GAP + spare) * (columns.length - 1);
  const found = new Map();
  let x = (area.width - whole) / 2;
  columns.forEach((rows, index) => {
    const gaps = rows.length - 1;
    const tall = sum(rows.map(rowHeight)) + GAP * gaps;
    const loose = gaps ? Math.min(3 * GAP, Math.max(0, area.height - tall) / (gaps + 2)) : 0;
    let y = Math.max(0, (area.height - tall - loose * gaps) / 2);
    for (const row of rows) {
      let left = x + (sizes[index] - rowWidth(row)) / 2;
      for (const panel of row) {
        found.set(panel, { x: Math.round(left), y: Math.round(y), width: widthOf(panel) });
        left += widthOf(panel) + GAP;
      }
      y += rowHeight(row) + GAP + loose;
    }
    x += sizes[index] + GAP + spare;
  });
  return found;
}
