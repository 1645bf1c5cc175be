/** Invitations lead to the server from other computers too, if there is a way. Run by `node --test tests/server/`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { inviting } from "../../src/tilewright/server/static/inviting.js";

const NETWORK = "http://192.168.1.7:8765/";
const LOCAL = ["http://127.0.0.1:8765/t/a", "http://localhost:8765/t/a", "http://[::1]:8765/", "http://127.8.0.1:8765/t/a"];

test("a page that was opened on the server's own computer invites by the address of the network", () => {
  for (const here of LOCAL) {
    assert.deepEqual(inviting("/t/a", here, NETWORK), { address: "http://192.168.1.7:8765/t/a", local: false });
  }
});

test("without one the link is of use on this computer only, and that is said", () => {
  for (const here of LOCAL) {
    assert.deepEqual(inviting("/t/a", here, ""), { address: new URL("/t/a", here).href, local: true });
  }
});

test("every other address is as good for friends as for us", () => {
  for (const here of ["https://club.example/t/a", "http://192.168.1.7:8765/", "http://127.0.0.1.example/t/b"]) {
    for (const network of ["", NETWORK]) {
      assert.deepEqual(inviting("/t/a", here, network), { address: new URL("/t/a", here).href, local: false });
    }
  }
});
