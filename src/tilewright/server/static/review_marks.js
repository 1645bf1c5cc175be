/** The move that was played and the better one on the board: outlined, and told apart by ✗ and ✓. */

const SVG = "http://www.w3.org/2000/svg";
const LOOKS = { played: "✗", better: "✓" };

/** Where the sign of an element stands: at its upper left corner, upright even if the element is turned. */
function placeOf(element, shift) {
  if (!element.dataset.slot) {
    const { x, y } = (element.querySelector(":scope > .halo") ?? element).getBBox();
    return `translate(${x + shift} ${y})`;
  }
  const { a, b } = element.getScreenCTM();
  return `rotate(${(-Math.atan2(b, a) * 180) / Math.PI}) translate(${shift - 16} -16)`;
}

function badge(element, look, shift) {
  const made = document.createElementNS(SVG, "g");
  made.setAttribute("class", `badge ${look}`);
  made.setAttribute("transform", placeOf(element, shift));
  const disc = document.createElementNS(SVG, "circle");
  disc.setAttribute("r", 9);
  const sign = document.createElementNS(SVG, "text");
  sign.setAttribute("text-anchor", "middle");
  sign.setAttribute("y", 4.5);
  sign.textContent = LOOKS[look];
  made.append(disc, sign);
  return made;
}

export function unmark(board) {
  for (const mark of board.root.querySelectorAll(".badge")) mark.remove();
  for (const look of Object.keys(LOOKS)) {
    for (const element of board.root.querySelectorAll(`.was-${look}`)) element.classList.remove(`was-${look}`);
  }
}

/** Marks the things that are clicked for a move. Where both moves meet, their signs stand side by side. */
export function mark(board, look, spots) {
  for (const spot of new Set(spots)) {
    board.elementsOf(spot).forEach((element, order) => {
      element.classList.add(`was-${look}`);
      if (order) return;
      const taken = element.querySelector(":scope > .badge") ? 20 : 0;
      element.append(badge(element, look, taken));
    });
  }
}
