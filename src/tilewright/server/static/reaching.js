/** Whether the server can be reached. */

const PATIENCE = 4000;

export async function isReachable() {
  try {
    return (await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) })).ok;
  } catch {
    return false;
  }
}
