/** How dates and numbers are written: in the language of the page, and as the reader's country does it. */

const { lang } = document.documentElement;

export const locale = navigator.languages.find((one) => one.split("-")[0] === lang) ?? lang;
