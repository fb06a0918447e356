/** Several JSON documents in one text, one after the other, as pages are that were appended to one file. */

/** Where each document ends that begins with { or [: the place after it. What is open at the end is not whole. */
function* endsOf(text: string): Generator<number> {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      // To the end of the string, over what is escaped.
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) yield at + 1;
  }
}

/**
 * The documents of a text, in their order; of an empty text none.
 * @throws SyntaxError where something in it is no JSON, or not whole.
 */
export function jsonDocuments(text: string): unknown[] {
  const documents: unknown[] = [];
  let start = 0;
  for (const end of endsOf(text)) {
    documents.push(JSON.parse(text.slice(start, end)));
    start = end;
  }
  const rest = text.slice(start);
  return rest.trim() === '' ? documents : [...documents, JSON.parse(rest)];
}
