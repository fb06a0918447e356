/** No sentence of shown text is longer than 25 words: counted in every text that was read in a review, and in what can be made of findings. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statuses } from '../../../core/schemas/finding-kinds.ts';
import type { ComparedFinding } from '../../../core/schemas/run-comparison.ts';
import { findingLines } from '../../../report/wording/finding-lines.ts';
import { comparedLines } from '../../../report/wording/run-comparison.ts';
import { sentencesOf, tooLong } from '../../fixtures/sentences.ts';
import { linesInShort, type Sample, samples } from './samples.ts';

const texts = readdirSync(__dirname).filter((name) => name.endsWith('.txt'));

/** A title says whose lines follow, and the label of a line is set before it: neither belongs to a sentence. */
const label = /^(?:Problem|Evidence|Fix|Effect|Cost|Or) +/;
const linesOf = (name: string): string[] =>
  readFileSync(join(__dirname, name), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.replace(label, ''));

test('there are texts to count in', () => {
  expect(texts).toEqual(expect.arrayContaining(['lines.txt', 'run-comparison.txt']));
  for (const name of texts) expect(linesOf(name).flatMap(sentencesOf).length).toBeGreaterThan(10);
});

test('a sentence that is longer is named', () => {
  const long = `${'word '.repeat(26).trim()}.`;
  expect(tooLong([`Short. ${long}`, `${'word '.repeat(25).trim()}.`])).toEqual([`26 words: ${long}`]);
});

test.each(texts)('%s', (name) => {
  expect(tooLong(linesOf(name))).toEqual([]);
});

const recommendations = samples.flatMap(({ finding }) => finding.recommendations);
const side = (severity: 'warning' | 'critical'): ComparedFinding['before'] => ({
  ...{ severity, throttledMinutesPeak24h: 1_440, savingMonthlyUsd: -12_345.67 },
});

/** In all channels, and in a comparison, of each status and with each recommendation. */
const allLines = ({ finding: sample, what }: Sample): string[] =>
  statuses.flatMap((status) =>
    recommendations.flatMap((one) => {
      const finding = { ...sample, status, recommendations: [one, one] };
      const compared: ComparedFinding = {
        ...{ change: 'worse', finding, volumeText: what, before: side('warning'), after: side('critical') },
      };
      return [
        ...findingLines(finding).map(({ text }) => text),
        ...linesInShort(finding, what),
        ...comparedLines(compared),
      ];
    }),
  );

test.each(samples.map((sample) => [sample.title, sample] as const))('%s', (_, sample) => {
  expect(tooLong(allLines(sample))).toEqual([]);
});
