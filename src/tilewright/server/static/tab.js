/** The icon of the tab: with a mark on it while it is your turn. */

const icon = document.querySelector("link[rel=icon]");

export function markTab(marked) {
  const wanted = marked ? icon.dataset.marked : icon.dataset.plain;
  if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}
