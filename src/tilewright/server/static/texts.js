/** The texts of the page, as the server wrote them into it, in the language of the reader. */

const block = document.getElementById("texts");
const texts = block ? JSON.parse(block.textContent) : {};
const rules = new Intl.PluralRules(document.documentElement.lang || "en");

/** French drops the e of "de" before a vowel. */
function elided(whole, name, values) {
  return /^[aeiouyœæ]/i.test(String(values[name] ?? "").normalize("NFD")) ? `d’{${name}}` : whole;
}

/** A text with what is in braces filled in; texts that count have the forms "one" and "other", chosen by n. */
export function say(key, values = {}) {
  let text = texts[key];
  if (text === undefined && "n" in values) {
    const form = rules.select(Math.abs(values.n)) === "one" ? "one" : "other";
    text = texts[`${key}.${form}`];
  }
  if (text === undefined) return key;
  if (document.documentElement.lang === "fr") text = text.replace(/\bde \{(\w+)\}/g, (whole, name) => elided(whole, name, values));
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
