/** A notice of what is still being compiled, shown until it is done. */

const INTERVAL = 1000; // milliseconds

const note = document.getElementById("compiling");

async function update() {
  const answer = await fetch("/compiling").catch(() => null);
  const { told } = answer?.ok ? await answer.json() : { told: note.textContent };
  if (!told) {
    note.remove();
    return;
  }
  if (note.textContent !== told) note.textContent = told;
  setTimeout(update, INTERVAL);
}

setTimeout(update, INTERVAL);
