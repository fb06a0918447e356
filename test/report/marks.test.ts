/** Texts that are cut say nothing else than they said, and format nothing. */
import { cut } from '../../report/marks.ts';

test.each([
  ['what fits', 'abc', 3, 'abc'],
  ['what does not', 'abcd', 3, 'ab…'],
  ['a character of two halves', 'a\u{1f4be}bc', 3, 'a…'],
  ['an escape', 'a&lt;b', 4, 'a…'],
  ['a word at its underscore: at the end of a word it formats', 'red_circle', 5, 'red…'],
  ['a word at several', 'red__circle', 6, 'red…'],
])('%s', (_, text, length, expected) => {
  expect(cut(text, length)).toBe(expected);
});
