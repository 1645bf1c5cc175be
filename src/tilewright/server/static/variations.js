/** The tree of a study: moves, and the variations that replace them. Pure functions of what the server listed. */

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
