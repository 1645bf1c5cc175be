/** Whether the server can be reached, or one of its pages: a server without its database has none but says so. */

const PATIENCE = 4000;
const UNREACHABLE = 502; // and above, which is also what a proxy says for a server that is down

export async function isReachable(path = "/healthz") {
  try {
    const asked = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) };
    return (await fetch(path, asked)).status < UNREACHABLE;
  } catch {
    return false;
  }
}
