/** Notifications of your turn: a button that starts and stops them on this device. */

import { get, post, remove } from "./api.js";
import { say } from "./words.js";

const WORKER = "/static/push-worker.js";

export function canNotify() {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** The worker that receives notifications. */
function worker() {
  return navigator.serviceWorker.register(WORKER);
}

async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Takes away the notifications of a table that somebody looks at now. */
export async function readNotices(tag) {
  if (!canNotify()) return;
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
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
    const registration = await worker();
    await ready(registration);
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

/** A worker that was just registered takes a moment until it can be subscribed. */
function ready(registration) {
  const worker = registration.installing ?? registration.waiting;
  if (registration.active || !worker) return Promise.resolve();
  return new Promise((resolve) => {
    worker.addEventListener("statechange", () => worker.state === "activated" && resolve());
  });
}

for (const root of document.querySelectorAll("[data-notifications]")) new Notifications(root);
