/** Notifications of your turn: a button that starts and stops them on this device. */

import { get, post, remove } from "./api.js";
import { say } from "./texts.js";

export function canNotify() {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Takes away the notifications of a table that somebody looks at now. */
export async function readNotices(tag) {
  if (!canNotify()) return;
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications({ tag })) ?? []) shown.close();
}

class Notifications {
  constructor(root) {
    this.button = root.querySelector("button");
    this.note = root.querySelector("[role=status]");
    this.button.addEventListener("click", () => this.change());
    const dialog = root.closest("dialog");
    if (!dialog) this.show();
    else new IntersectionObserver(() => dialog.open && this.show()).observe(root); // whenever it is opened
  }

  async show() {
    if (!canNotify()) return this.say("push.unsupported", true);
    const { key, endpoints } = await get("/api/person/push");
    this.key = key;
    const known = await subscription();
    this.on = known !== null && endpoints.includes(known.endpoint);
    this.button.textContent = say(this.on ? "push.stop" : "push.start");
    const denied = Notification.permission === "denied";
    this.say(denied ? "push.denied" : this.on ? "push.on" : "push.pitch", denied);
  }

  say(key, disabled = false) {
    this.note.textContent = say(key);
    this.button.disabled = disabled;
  }

  async change() {
    this.button.disabled = true;
    try {
      await (this.on ? this.stop() : this.start());
      await this.show();
    } catch (error) {
      this.note.textContent = error.status === undefined ? say("push.failed") : error.message;
      this.button.disabled = false;
    }
  }

  async start() {
    if ((await Notification.requestPermission()) !== "granted") return;
    const registration = await navigator.serviceWorker.ready;
    const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: this.key });
    await post("/api/person/push", made.toJSON());
  }

  async stop() {
    const known = await subscription();
    if (!known) return;
    await remove(`/api/person/push?endpoint=${encodeURIComponent(known.endpoint)}`);
    await known.unsubscribe();
  }
}

for (const root of document.querySelectorAll("[data-notifications]")) new Notifications(root);
