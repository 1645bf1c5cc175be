/** Passkeys: making one for the profile of this browser, and using one to have a profile here. */

import { post, remove } from "./api.js";
import { attempt } from "./attempt.js";
import { byId } from "./dom.js";
import { say } from "./texts.js";

const CALLS = "/api/person/passkeys";

/** Asks the device for a passkey; whoever closes its dialog has decided against it. */
async function asked(ask) {
  try {
    return await ask();
  } catch (error) {
    if (error.name === "NotAllowedError") return null;
    throw new Error(say(error.name === "InvalidStateError" ? "profile.passkey_there" : "profile.passkey_failed"));
  }
}

async function make() {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await post(`${CALLS}/options`));
  const made = await asked(() => navigator.credentials.create({ publicKey }));
  if (!made) return;
  await post(CALLS, { credential: made.toJSON() });
  byId("end-passkeys").hidden = false;
  byId("passkey-note").textContent = say("profile.passkey_made");
}

async function use() {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await post(`${CALLS}/claim/options`));
  const used = await asked(() => navigator.credentials.get({ publicKey }));
  if (!used) return;
  await post(`${CALLS}/claim`, { credential: used.toJSON() });
  location.reload();
}

async function end() {
  await remove(CALLS);
  byId("end-passkeys").hidden = true;
  byId("passkey-note").textContent = say("profile.passkeys_removed");
}

if (window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
  byId("passkeys").hidden = false;
  for (const [name, act] of [["make-passkey", make], ["use-passkey", use], ["end-passkeys", end]]) {
    byId(name).addEventListener("click", () => attempt(act));
  }
}
