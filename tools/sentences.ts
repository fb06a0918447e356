/** Sentences of a Markdown document: paragraphs, entries of lists and cells of tables; no code, no headings. */

export interface LongSentence {
  line: number;
  words: number;
  sentence: string;
}

interface Block {
  line: number;
  text: string;
}

/** Inline code and addresses of links are no words of a sentence. */
const plain = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`(?:(?:,| or|, or) `[^`]*`)*/g, 'code')
    .replace(/[*_]{1,2}/g, '');

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  let isCode = false;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(line)) {
      isCode = !isCode;
      open = null;
      continue;
    }
    if (isCode || line.trim() === '' || /^#|^\s*<|^\s*\|?\s*:?-{3,}/.test(line)) {
      open = null;
      continue;
    }
    if (line.trimStart().startsWith('|')) {
      for (const cell of line.split(/(?<!\\)\|/)) blocks.push({ line: index + 1, text: cell });
      open = null;
      continue;
    }
    const entry = /^\s*(?:[-*+]|\d+\.)\s+(.*)$/.exec(line);
    if (open === null || entry !== null) {
      open = { line: index + 1, text: entry?.[1] ?? line };
      blocks.push(open);
    } else open.text += ` ${line.trim()}`;
  }
  return blocks;
}

/** Those with more words than may be; a colon or a semicolon does not end a sentence. */
export const longSentences = (markdown: string, maxWords: number): LongSentence[] =>
  blocksOf(markdown).flatMap(({ line, text }) =>
    plain(text)
      .split(/(?<=[.!?])\s+/)
      .map((sentence) => ({
        line,
        words: sentence.split(/\s+/).filter((word) => /\w/.test(word)).length,
        sentence: sentence.trim(),
      }))
      .filter(({ words }) => words > maxWords),
  );
