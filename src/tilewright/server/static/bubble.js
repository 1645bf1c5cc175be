/** A remark beside something on the table, as long as it takes to read it. */

const TIME = 5000;
const MARGIN = 8;

export class Bubble {
  constructor(layer) {
    this.layer = layer;
    document.addEventListener("pointerdown", () => this.hide(), true);
    document.addEventListener("keydown", () => this.hide(), true);
  }

  /** Shows a text above a box on the screen, or below it where there is no room. */
  show(text, box) {
    this.hide();
    this.shown = document.createElement("div");
    this.shown.className = "bubble";
    this.shown.textContent = text;
    this.layer.append(this.shown);
    const { offsetWidth: width, offsetHeight: height } = this.shown;
    const middle = box.x + box.width / 2;
    const left = Math.max(MARGIN, Math.min(window.innerWidth - width - MARGIN, middle - width / 2));
    const above = box.y - height - 10;
    const below = above < MARGIN;
    this.shown.classList.toggle("under", below);
    this.shown.style.left = `${left}px`;
    this.shown.style.top = `${below ? box.y + box.height + 10 : above}px`;
    this.shown.style.setProperty("--point", `${Math.max(14, Math.min(width - 14, middle - left))}px`);
    this.timer = setTimeout(() => this.hide(), TIME);
  }

  hide() {
    clearTimeout(this.timer);
    this.shown?.remove();
    this.shown = null;
  }
}
