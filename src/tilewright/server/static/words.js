/** The words of the page, as the server wrote them into it, in the language of the reader. */

const block = document.getElementById("words");
const words = block ? JSON.parse(block.textContent) : {};
const rules = new Intl.PluralRules(document.documentElement.lang || "en");

/** A text with what is in braces filled in; texts that count have the forms "one" and "other", chosen by n. */
export function say(key, values = {}) {
  let text = words[key];
  if (text === undefined && "n" in values) {
    const form = rules.select(Math.abs(values.n)) === "one" ? "one" : "other";
    text = words[`${key}.${form}`];
  }
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
