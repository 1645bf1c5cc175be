/** Ties a page to the service worker: tells it how the reader likes pages, and makes way for a new version. */

import { element } from "./dom.js";
import { say } from "./texts.js";

const READER = "tilewright reader"; // as in service_worker.js
let registration = null;

/** Pages that come from the cache are in the language, the theme and the tile set that were noted last. */
export async function noteReader() {
  if (!("caches" in window)) return;
  const { lang: language, dataset: { theme, tiles } } = document.documentElement;
  try {
    const cache = await caches.open(READER);
    await cache.put("/reader", new Response(JSON.stringify({ language, theme, tiles })));
  } catch {
    // no room, or forbidden: then such pages are in the first language
  }
}

/** Looks for a new version, as after the server was started again. */
export function lookForUpdate() {
  registration?.update().catch(() => undefined);
}

/** A new version has taken over: a page that nobody has touched is simply loaded again, any other offers it. */
function renew() {
  if (!touched && !document.body.classList.contains("at-table")) {
    location.reload();
    return;
  }
  const again = element("button", { type: "button", class: "primary", on: { click: () => location.reload() } }, say("reload"));
  const later = element("button", { type: "button", class: "quiet", on: { click: () => notice.remove() } }, say("close"));
  const notice = element("div", { class: "update", role: "status" }, element("p", {}, say("new_version")), again, later);
  document.body.append(notice);
}

let touched = false;
for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, () => (touched = true), { once: true, capture: true });

async function begin() {
  if (!("serviceWorker" in navigator)) return;
  const replaces = Boolean(navigator.serviceWorker.controller);
  if (replaces) navigator.serviceWorker.addEventListener("controllerchange", renew, { once: true });
  if (!new URLSearchParams(location.search).has("language")) await noteReader();
  registration = await navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" }).catch(() => null);
}

if (document.readyState === "complete") begin();
else window.addEventListener("load", begin);
