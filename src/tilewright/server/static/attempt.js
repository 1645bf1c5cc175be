/** Doing something that the server may refuse. */

import { byId } from "./dom.js";

/** Does it, and shows why it was refused, if it was. */
export async function attempt(act) {
  const failure = byId("failure");
  failure.hidden = true;
  try {
    await act();
  } catch (error) {
    failure.textContent = error.message;
    failure.hidden = false;
    failure.scrollIntoView({ block: "nearest" });
  }
}
