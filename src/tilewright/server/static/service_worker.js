/** The service worker: opens pages from what it keeps, and says so when the server cannot be reached.
 *
 * It keeps the static files and a few pages that are the same for everybody. Everything else, above all whatever
 * belongs to a person or changes while somebody plays, comes from the server each time and is never kept. BUILD, which
 * the server writes before this script, names the version and its files.
 */

const CACHE = `tilewright ${BUILD.version}`;
const READER = "tilewright reader"; // how whoever reads here likes it, as pages tell us; it outlives versions
const AT_ONCE = 6;
const PATIENCE = 10_000; // a server that has not begun to answer by then cannot be reached
const UNREACHABLE = [502, 503, 504]; // what a proxy says for a server that is down
const LESSONS = /^\/learn(\/[\w-]+)?$/;

if (BUILD.additions.length) importScripts(...BUILD.additions);

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(open(event, address));
  else if (address.pathname.startsWith("/static/")) event.respondWith(file(request));
});

async function install() {
  const pages = BUILD.languages.flatMap((language) => [`/shell?language=${language}`, `/offline?language=${language}`]);
  const missing = [...BUILD.files, ...pages];
  const cache = await caches.open(CACHE);
  const work = async () => {
    for (let path = missing.shift(); path; path = missing.shift()) await keep(cache, path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await self.skipWaiting();
}

/** Fetches something without saying who asks, and keeps it. While servers are being updated, a file may come from one
 * of another version, which says that it must not be kept: then this version is installed on the next visit.
 */
async function keep(cache, path) {
  const answer = await fetch(path, { credentials: "omit", cache: "no-cache" });
  const lasts = !path.startsWith("/static/") || answer.headers.get("Cache-Control")?.includes("immutable");
  if (!answer.ok || !lasts) throw new Error(`${path} cannot be kept: ${answer.status}`);
  await cache.put(path, answer);
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => ![CACHE, READER].includes(name)).map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function reader() {
  const told = await caches.match("/reader", { cacheName: READER });
  const { language, theme, tiles } = told ? await told.json() : {};
  const known = BUILD.languages.includes(language) ? language : BUILD.languages[0];
  const look = { theme: ["light", "dark"].includes(theme) ? theme : "auto", tiles: /^[a-z]+$/.test(tiles) ? tiles : "glazed" };
  return { language: known, look };
}

/** The page that is kept for an address; null for one that must come from the server. */
function keptFor({ pathname, search }, language) {
  if (search) return null;
  if (pathname === "/") return `/shell?language=${language}`;
  return LESSONS.test(pathname) ? `${pathname}?language=${language}` : null;
}

/** A page that is the same for everybody comes from the cache and is renewed behind it; any other from the server. */
async function open(event, address) {
  const { language, look } = await reader();
  const path = keptFor(address, language);
  if (path) {
    const cache = await caches.open(CACHE);
    const kept = await cache.match(path);
    event.waitUntil(keep(cache, path).catch(() => undefined)); // what is kept stays until there is something newer
    if (kept) return dressed(kept, look);
  }
  const answer = await fromServer(event);
  if (answer && !UNREACHABLE.includes(answer.status)) return answer;
  return dressed(await caches.match(`/offline?language=${language}`), look, answer?.status ?? 503);
}

async function fromServer(event) {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
  const asked = (async () => (await event.preloadResponse) ?? fetch(event.request))();
  return Promise.race([asked.catch(() => null), late]);
}

/** A kept page in the theme and with the tiles that its reader chose. */
async function dressed(kept, { theme, tiles }, status = 200) {
  const html = (await kept.text())
    .replace('data-theme="auto"', `data-theme="${theme}"`)
    .replace('data-tiles="glazed"', `data-tiles="${tiles}"`);
  const headers = new Headers(kept.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response(html, { status, headers });
}
