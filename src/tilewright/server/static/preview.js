/** What a move would bring, line by line; points won and lost stand out. */

import { byId } from "./dom.js";

export function showPreviewLines(lines) {
  byId("preview").replaceChildren(
    ...lines.map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      if (/^[+]|\s[+]\d/.test(line)) item.className = "won";
      if (/^[-−]\d|\s[-−]\d/.test(line)) item.className = "lost";
      return item;
    }),
  );
}
