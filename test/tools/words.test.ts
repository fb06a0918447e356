/** The guard of the words: what it finds, and what it lets be. */
import { longSentences } from '../../tools/sentences.ts';
import { notShown, nowhere, replacedIn } from '../../tools/vocabulary.ts';

const found = (line: string): string[] => replacedIn(line, nowhere).map(({ word }) => word);

test.each([
  ['a volume that is held back', ['held back']],
  ['const heldBackMinutes = 1;', ['heldBackMinutes']],
  ['held-back-by-instance', ['held-back']],
  ['mostUsd: 20', ['mostUsd']],
  ['Judge each batch', ['Judge']],
  ['audit --ask-hosts', ['--ask-hosts']],
  ['the pulse mends it', ['pulse', 'mends']],
])('%s', (line, words) => {
  expect(found(line).sort()).toEqual([...words].sort());
});

test.each(['impulse', 'recommended', 'amendment', 'the market', 'advised against RAID5', 'shelves'])(
  '%s stands',
  (line) => {
    expect(found(line)).toEqual([]);
  },
);

test('what people see has stricter words', () => {
  expect(replacedIn('nobody is told', nowhere)).toEqual([]);
  expect(replacedIn('nobody is told', notShown)).toEqual([
    { word: 'told', use: 'notify, sent to; say, show' },
  ]);
});

const long = Array.from({ length: 26 }, (_, i) => `w${i}`).join(' ');

test('a sentence of 26 words is found in a paragraph over two lines, in a list and in a cell', () => {
  const [first, rest] = [long.slice(0, 40), long.slice(41)];
  const markdown = `# ${long}\n\n${first}\n${rest}.\n\n- ${long}.\n\n| a | ${long} |\n\n\`\`\`\n${long}\n\`\`\`\n`;
  expect(longSentences(markdown, 25).map(({ line, words }) => [line, words])).toEqual([
    [3, 26],
    [6, 26],
    [8, 26],
  ]);
});

test('code and the address of a link are no words; a full stop ends a sentence', () => {
  expect(
    longSentences(`\`${long}\` is [a link](https://example.com/a/b). ${long.slice(0, 60)}. End.\n`, 25),
  ).toEqual([]);
});
