/** Text as XML 1.0 allows it. */

/** Control characters, halves of a character, and U+FFFE and U+FFFF: no escape makes them well-formed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

export const xmlCharacters = (text: string): string => text.replace(forbidden, '\ufffd');

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const xmlText = (text: string): string =>
  xmlCharacters(text).replace(/[&<>"']/g, (character) => escapes[character] as string);
