/** The word that somebody may have meant. */

/** Letters to leave out, put in, change or swap with the next, to make one word of the other. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...new Array<number>(b.length).fill(0)]);
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let j = 0; j <= b.length; j++) (rows[0] as number[])[j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      (rows[i] as number[])[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped);
    }
  }
  return at(a.length, b.length);
}

/** Longer words are no slips of a pen. */
const longest = 60;

/** The beginning of a word is less than the word, and a letter or two are no beginning. */
const forBeginning = 0.5;
const leastBeginning = 3;

/** From a word, or from its beginning, whichever is nearer. */
function far(word: string, other: string): number {
  const whole = distance(word, other);
  if (Math.min(word.length, other.length) < leastBeginning) return whole;
  const beginnings = [
    distance(word, other.slice(0, word.length)),
    distance(word, other.slice(0, word.length + 1)),
    distance(word.slice(0, other.length + 1), other),
  ];
  return Math.min(whole, Math.min(...beginnings) + forBeginning);
}

/** Null where none is like it: at most a third of its letters differ. */
export function nearest(word: string, words: readonly string[]): string | null {
  if (word.length > longest) return null;
  const lower = word.toLowerCase();
  const byDistance = words
    .map((one) => ({ one, far: far(lower, one.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  const [best] = byDistance;
  return best !== undefined && best.far <= Math.ceil(lower.length / 3) ? best.one : null;
}
