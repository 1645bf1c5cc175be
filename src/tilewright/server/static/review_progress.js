/** A review while it is being made: it goes on by itself when the connection or the server is lost for a while. */

import { get, post } from "./api.js";
import { say } from "./texts.js";

const POLL = 900;
const FIRST_PAUSE = 1000; // twice as long after each attempt that failed
const LONGEST_PAUSE = 30000;
const MOST_INTERRUPTIONS = 4; // in a row, without any progress: then the reason is not a restart

class Interrupted extends Error {}

export class ReviewProgress {
  /** learn(review): more is known; halted(sentence): it does not go on for now, until resumed(). */
  constructor(id, { learn, halted, resumed }) {
    Object.assign(this, { id, learn, halted, resumed });
    this.known = -1;
    this.failures = 0;
    window.addEventListener("online", () => this.endPause?.());
  }

  /** Asks for the review and follows it to the end; during a pause, tries again at once. */
  async go() {
    if (this.isGoing) {
      this.endPause?.();
      return;
    }
    this.isGoing = true;
    this.failures = 0;
    this.resumed();
    while (!(await this.attempt())) await this.pause();
    this.isGoing = false;
  }

  /** Whether there is nothing more to do: the review is complete, or another attempt would not help. */
  async attempt() {
    try {
      await post(`/api/reviews/${this.id}`);
      await this.poll();
      return true;
    } catch (error) {
      this.failures += 1;
      this.halted(error.status === 0 ? say("review.lost") : error.message);
      return !isPassing(error) || (error instanceof Interrupted && this.failures >= MOST_INTERRUPTIONS);
    }
  }

  /** A review that is not being made was interrupted, by a restart of the server for instance. */
  async poll() {
    for (;;) {
      const review = await get(`/api/reviews/${this.id}/told`);
      if (review.progress === null) throw new Interrupted(say("review.failed"));
      this.resumed();
      if (review.chances) this.told(review);
      if (review.complete) return;
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
  }

  told(review) {
    if (review.progress > this.known) this.failures = 0;
    this.known = review.progress;
    this.learn(review);
  }

  async pause() {
    const length = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (this.failures - 1));
    await new Promise((resolve) => {
      this.endPause = resolve;
      setTimeout(resolve, length);
    });
    this.endPause = null;
  }
}

/** Whether it may go better in a moment: without a connection, or while a proxy has no server behind it. */
function isPassing(error) {
  return error instanceof Interrupted || error.status === 0 || error.status >= 502;
}
