/** What people read of a finding: every kind, status and recommendation once, in a file that a person reads in a review. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { findingKinds, statuses } from '../../../core/schemas/finding-kinds.ts';
import { type Risk, recommendationSchema } from '../../../core/schemas/recommendation.ts';
import { findingLines, labelledLine } from '../../../report/wording/finding-lines.ts';
import { shortText } from '../../../report/wording/words.ts';
import { linesInShort, samples } from './samples.ts';

const file = join(__dirname, 'lines.txt');

const rendered = (): string =>
  samples
    .map(({ title, what, finding }) =>
      [`# ${title}`, ...findingLines(finding).map(labelledLine), '', ...linesInShort(finding, what)].join(
        '\n',
      ),
    )
    .join('\n\n\n');

const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?])\s+/);
const texts = samples.flatMap(({ what, finding }) => [
  ...findingLines(finding).map(({ text }) => text),
  ...linesInShort(finding, what),
]);

test('the lines are those that were read in a review (UPDATE_LINES=1 writes them anew)', () => {
  if (process.env['UPDATE_LINES'] === '1') writeFileSync(file, `${rendered()}\n`);
  expect(`${rendered()}\n`).toBe(readFileSync(file, 'utf8'));
});

test('no sentence has more than 25 words', () => {
  const long = texts.flatMap(sentencesOf).filter((sentence) => sentence.split(/\s+/).length > 25);
  expect(long).toEqual([]);
});

test('every kind, status, action, purpose, sizing and risk is among the samples', () => {
  const all = samples.flatMap(({ finding }) => finding.recommendations);
  const { action, purpose, sizedBy, risks } = recommendationSchema.shape;
  expect(new Set(samples.map(({ finding }) => finding.kind))).toEqual(new Set(findingKinds));
  expect(new Set(samples.map(({ finding }) => finding.status))).toEqual(new Set(statuses));
  expect(new Set(all.map((one) => one.action))).toEqual(new Set(action.options));
  expect(new Set([...all.map((one) => one.sizedBy), null])).toEqual(
    new Set([...sizedBy.unwrap().options, null]),
  );
  const codes = new Set(all.flatMap((one) => one.risks.map(({ code }) => code)));
  const known = risks.element.options.flatMap(({ shape }) => [...shape.code._zod.values]);
  expect(known.length).toBeGreaterThan(30);
  expect(known.filter((code) => !codes.has(code as Risk['code']))).toEqual([]);
  const notified = new Set(all.map((one) => one.purpose));
  expect(purpose.options.filter((one) => !notified.has(one))).toEqual([]);
});

test('nothing is undefined, and every line ends', () => {
  for (const text of texts) {
    expect(text).not.toMatch(/undefined|NaN|null|\bInfinity\b|\.\.$/);
    expect(text).toMatch(/\.$/);
  }
});

test('a text that is too long ends with a whole word, or with a mark where it has none', () => {
  expect(shortText('On-Demand, Linux and Windows', 18)).toBe('On-Demand, Linux …');
  expect(shortText('costs 12,345.67 USD a month', 14)).toBe('costs …');
  fc.assert(
    fc.property(fc.lorem({ maxCount: 20 }), fc.integer({ min: 14, max: 80 }), (text, most) => {
      const short = shortText(text, most);
      expect(short.length).toBeLessThanOrEqual(most);
      const words = new Set(text.split(/[\s,;:/]+/));
      for (const word of short.replace(/ …$/, '').split(/[\s,;:/]+/)) expect(words).toContain(word);
    }),
  );
});
