/** Asking the server: JSON there and back; what it refuses becomes an error with its sentence. */

import { say } from "./texts.js";

export class Refused extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

async function request(path, init) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", ...init });
  } catch {
    throw new Refused(say("no_connection"), 0);
  }
  const content = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(content?.said ?? say("went_wrong"), answer.status);
  return content;
}

export function get(path) {
  return request(path, { headers: { Accept: "application/json" } });
}

function send(method, path, body) {
  return request(path, {
    method,
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  });
}

export function post(path, body = {}) {
  return send("POST", path, body);
}

export function put(path, body) {
  return send("PUT", path, body);
}

export function remove(path) {
  return request(path, { method: "DELETE", headers: { Accept: "application/json" } });
}
