/** What a move would bring, line by line; points won and lost stand out. */

import { byId, element } from "./dom.js";

export function showPreviewLines(lines) {
  byId("preview").replaceChildren(
    ...lines.map(({ text, points }) => element("li", { class: points > 0 ? "won" : points < 0 ? "lost" : "" }, text)),
  );
}
