/** A table where somebody tries a move of a reviewed game again: it says so, and leads back or to another try. */

import { post } from "./api.js";
import { element } from "./dom.js";
import * as settings from "./settings.js";
import { say } from "./texts.js";

/** Opens a table that begins before an event of a reviewed game, and goes there. */
export async function openRetry(review, event) {
  const body = { event, name: settings.get("name") ?? "" };
  location.href = (await post(`/api/reviews/${review}/practice`, body)).url;
}

/** What such a table says of itself; fail(sentence) tells why another try was refused. */
export function retryNotice({ review, event }, fail) {
  const number = event + 1;
  const again = () => openRetry(review, event).catch((error) => fail(error.message));
  return element(
    "div",
    { class: "notice retry" },
    element("p", {}, say("review.retry", { number })),
    element("a", { class: "button", href: `/review/${review}?at=${number}#${number}` }, say("review.back_to_review")),
    element("button", { type: "button", on: { click: again } }, say("review.retry_again")),
  );
}
