/** The part of the service worker that shows notifications of your turn; a click on one opens the table. */

self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { url }, icon: "/icon/any.svg" }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openTable(new URL(event.notification.data.url, self.location.origin)));
});

/** The tab that shows the table comes to the front; if there is none, a new one is opened. */
async function openTable(address) {
  if (address.origin !== self.location.origin) return;
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = tabs.find((tab) => new URL(tab.url).pathname === address.pathname);
  await (shown ? shown.focus() : self.clients.openWindow(address.href));
}
