/** The tree of a study: its moves and variations, and how they are listed. */

import { element } from "./dom.js";
import { say } from "./words.js";

export class Tree {
  /** nodes: as the server lists them, each after its parent; number 0 is the beginning. */
  constructor({ start, nodes }) {
    this.start = start;
    this.nodes = [];
    for (const node of nodes) this.append(node);
  }

  append(node) {
    const id = this.nodes.length;
    this.nodes.push({ ...node, id, children: [] });
    if (node.parent !== null) this.nodes[node.parent].children.push(id);
    return id;
  }

  at(id) {
    return this.nodes[id];
  }

  /** The child with an event, made if it is not there yet. */
  follow(parent, node) {
    const known = this.at(parent).children.find((child) => this.at(child).event === node.event);
    return known ?? this.append({ comment: "", ...node, parent });
  }

  /** The numbers from the beginning to a node. */
  path(id) {
    const found = [];
    for (let here = id; here !== null; here = this.at(here).parent) found.unshift(here);
    return found;
  }

  /** The end of the line that goes on from a node. */
  end(id) {
    let here = id;
    while (this.at(here).children.length) [here] = this.at(here).children;
    return here;
  }

  /** The node after a number of events of the main line. */
  onMainLine(count) {
    let here = 0;
    for (let n = 0; n < count && this.at(here).children.length; n += 1) [here] = this.at(here).children;
    return here;
  }

  isMain(id) {
    return this.path(id).every((here) => here === 0 || this.at(this.at(here).parent).children[0] === here);
  }

  /** The line to a node becomes the main line. */
  promote(id) {
    for (const here of this.path(id).slice(1)) {
      const { children } = this.at(this.at(here).parent);
      children.splice(children.indexOf(here), 1);
      children.unshift(here);
    }
  }

  /** Takes a node and all that follows out of the tree; what is left to stand on. */
  remove(id) {
    const { parent } = this.at(id);
    const { children } = this.at(parent);
    children.splice(children.indexOf(id), 1);
    return parent;
  }

  /** What the server saves: [parent, event, comment] for each node, in the order of the tree. */
  told() {
    const order = [];
    const pending = [0];
    while (pending.length) {
      const id = pending.pop();
      order.push(id);
      pending.push(...[...this.at(id).children].reverse());
    }
    const numbers = new Map(order.map((id, index) => [id, index]));
    return order.slice(1).map((id) => [numbers.get(this.at(id).parent), this.at(id).event, this.at(id).comment]);
  }
}

/** Lists the tree in a holder; a click on a move goes there. */
export class TreeList {
  constructor(holder, names, go) {
    Object.assign(this, { holder, names, go });
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
    const link = this.holder.querySelector(`[data-node="${id}"]`);
    link?.setAttribute("aria-current", "step");
    if (!link) return;
    const [box, frame] = [link.getBoundingClientRect(), this.holder.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) this.holder.scrollTop += box.top - frame.top - frame.height / 2;
  }
}
