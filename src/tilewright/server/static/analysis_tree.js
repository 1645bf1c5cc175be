/** The moves and variations of a study as a list to read. */

import { element } from "./dom.js";
import { say } from "./texts.js";

/** The list shrinks when the engine has something to say: the current move stays in sight. */
const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => reveal(target)));

function reveal(holder) {
  const link = holder.querySelector("[aria-current]");
  if (!link) return;
  const [box, frame] = [link.getBoundingClientRect(), holder.getBoundingClientRect()];
  if (box.top < frame.top || box.bottom > frame.bottom) holder.scrollTop += (box.top + box.bottom - frame.top - frame.bottom) / 2;
}

/** Lists the tree in a holder; a click on a move goes there. */
export class TreeList {
  constructor(holder, names, go) {
    Object.assign(this, { holder, names, go });
    resized.observe(holder);
  }

  show(tree, current) {
    this.tree = tree;
    const begin = element("p", { class: "beginning" }, this.link(0, say("analysis.start")), ...this.remarks(0));
    this.holder.replaceChildren(begin, ...this.line(0));
    this.point(current);
  }

  /** The main line after a node as a list; the variations that replace a move stand below it. */
  line(from) {
    const list = element("ol", { class: "tree-line" });
    let { round } = this.tree.at(from);
    for (let here = from; this.tree.at(here).children.length; ) {
      const [main, ...others] = this.tree.at(here).children;
      list.append(this.item(main, round), ...this.variations(others));
      here = main;
      round = this.tree.at(here).round;
    }
    return list.children.length ? [list] : [];
  }

  variations(ids) {
    return ids.map((id) => {
      const rest = this.line(id);
      const first = element("ol", { class: "tree-line" }, this.item(id));
      return element("li", { class: "variation", "aria-label": say("analysis.variation") }, first, ...rest);
    });
  }

  item(id, round) {
    const node = this.tree.at(id);
    const text = node.seat ? [element("b", {}, this.names[node.seat - 1]), ` ${node.told}`] : [node.told];
    const begins = round !== undefined && node.round > round && !node.seat;
    const heading = begins ? [element("p", { class: "round" }, say("review.round", { number: node.round }))] : [];
    return element("li", {}, ...heading, this.link(id, ...text), ...this.remarks(id));
  }

  link(id, ...content) {
    const go = (event) => {
      event.preventDefault();
      this.go(id);
    };
    return element("a", { href: `#node-${id}`, "data-node": id, on: { click: go } }, ...content);
  }

  remarks(id) {
    const { comment } = this.tree.at(id);
    return comment ? [element("p", { class: "remark" }, comment)] : [];
  }

  point(id) {
    this.holder.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.holder.querySelector(`[data-node="${id}"]`)?.setAttribute("aria-current", "step");
    reveal(this.holder);
  }
}
