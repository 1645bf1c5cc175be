/** A closer look at the small boards of the others: they grow while the mouse rests on them, and a click fetches one.
 * A tap shows one as large as the screen allows, and the next tap puts it back: on a phone every board is small. */

const WAIT = 450;
const SIZE = 420; // pixels: smaller boards grow to this

export class Peeking {
  /** fetch(seat): bring that board to the front. */
  constructor(root, fetch) {
    this.root = root;
    root.addEventListener("pointermove", (event) => {
      const moved = event.movementX || event.movementY; // else a board came under a mouse that rests
      if (event.pointerType === "mouse" && moved) this.consider(event.target);
    });
    root.addEventListener("pointerleave", () => this.end());
    root.addEventListener("click", (event) => {
      const small = event.target.closest("[data-part=other]");
      if (!small || event.target.closest(".lit, .other, .chosen")) return;
      if (event.pointerType === "touch") this.enlarge(small);
      else fetch(Number(small.dataset.seat));
    });
    this.closer = document.getElementById("closer");
    this.closer.addEventListener("click", () => this.closer.close());
  }

  enlarge(figure) {
    this.closer.replaceChildren(figure.firstElementChild.cloneNode(true));
    this.closer.showModal();
  }

  consider(target) {
    const small = target.closest("[data-part=other]");
    if (small === this.wanted) return;
    this.end();
    this.wanted = small;
    if (small) this.timer = setTimeout(() => this.begin(small), WAIT);
  }

  begin(figure) {
    if (document.body.classList.contains("dragging") || figure.offsetWidth >= SIZE * 0.8) return;
    const { x, y } = figure.dataset;
    if (!x) return; // the boards flow one below the other
    const scale = SIZE / figure.offsetWidth;
    const within = (at, size, room) => Math.max(0, Math.min(room - size * scale, at - (size * (scale - 1)) / 2));
    const left = within(Number(x), figure.offsetWidth, this.root.clientWidth);
    const top = within(Number(y), figure.offsetHeight, this.root.clientHeight);
    this.figure = figure;
    this.before = figure.style.transform;
    figure.classList.add("peeked");
    figure.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
  }

  end() {
    if (this.closer.open) this.closer.close();
    clearTimeout(this.timer);
    this.wanted = null;
    if (!this.figure) return;
    this.figure.classList.remove("peeked");
    this.figure.style.transform = this.before;
    this.figure = null;
  }
}
