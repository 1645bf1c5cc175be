/** One's own profile: name and avatar, the private link, and deleting everything. */

import { post, put, remove } from "./api.js";
import { attempt } from "./attempt.js";
import { byId, copy, tieDialogs } from "./dom.js";
import * as settings from "./settings.js";
import { say } from "./texts.js";

function tieProfile() {
  const form = byId("profile");
  form.addEventListener("change", (event) => {
    byId("saved").textContent = "";
    if (event.target.name === "avatar") byId("own-avatar").src = `/avatar/${event.target.value}.svg`;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      const { name } = await put("/api/person/profile", { name: form.elements.name.value, avatar: form.elements.avatar.value });
      form.elements.name.value = name;
      settings.set("name", name);
      byId("saved").textContent = say("profile.saved");
    });
  });
  if (!form.elements.name.value) form.elements.name.value = settings.get("name");
}

function tieLink() {
  const field = byId("link").querySelector("input");
  field.addEventListener("focus", () => field.select());
  byId("copy-link").addEventListener("click", () => copy(field.value, byId("copy-link")));
  byId("make-link").addEventListener("click", () =>
    attempt(async () => {
      field.value = new URL((await post("/api/person/link")).url, location.href).href;
      byId("link").hidden = byId("end-link").hidden = false;
      byId("make-link").textContent = say("profile.new_link");
    }),
  );
  byId("end-link").addEventListener("click", () =>
    attempt(async () => {
      await remove("/api/person/link");
      field.value = "";
      byId("link").hidden = byId("end-link").hidden = true;
      byId("make-link").textContent = say("profile.make_link");
    }),
  );
}

function tieDeleting() {
  byId("delete-now").addEventListener("click", () => {
    byId("deleting").close();
    attempt(async () => {
      await remove("/api/person");
      settings.set("name", "");
      location.reload();
    });
  });
}

tieDialogs();
settings.tie(document);
tieProfile();
tieLink();
tieDeleting();
document.body.classList.add("ready");
