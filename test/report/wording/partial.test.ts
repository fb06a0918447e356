/** Why a run is partial: what is missing, how much of it, which, and where it is listed. */
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import { partialText, type WhereListed } from '../../../report/wording/partial.ts';
import { aResult } from '../../fixtures/findings.ts';

type Coverage = AuditResult['coverage'];

const unknown = (count: number, nothingToRead = false): Coverage['unknown'] =>
  Array.from({ length: count }, (_, i) => ({
    ...{ volumeId: `vol-${nothingToRead ? 'stopped' : i}`, nothingToRead },
    reason: { code: 'no-operations' },
  }));

const incomplete = (...files: string[]): Coverage['incomplete'] =>
  files.map((file) => ({ code: 'more-pages', file }));

const textOf = (
  coverage: Partial<Coverage>,
  listed: WhereListed = 'above',
  selectors: readonly string[] = [],
): string => partialText({ coverage: { ...aResult([]).coverage, ...coverage } }, { selectors, listed });

test.each([
  [{ unknown: unknown(1) }, '1 volume unknown (vol-0). Listed above under "Unknown, and why".'],
  [
    { unknown: unknown(5) },
    '5 volumes unknown (vol-0, vol-1, vol-2 and 2 more). Listed above under "Unknown, and why".',
  ],
  [
    { incomplete: incomplete('a', 'b') },
    '2 reads of metrics or inventory incomplete. Listed above under "Not read, or not in whole".',
  ],
  [{ metricsWithoutResource: ['vol-9'] }, 'Metrics of 1 resource that no inventory has (vol-9).'],
])('%j', (coverage, said) => {
  expect(textOf(coverage)).toBe(`Partial, exit code 3. ${said}`);
});

test('a volume that there was nothing to read of is not why', () => {
  expect(textOf({ unknown: [...unknown(1), ...unknown(1, true)] })).toContain('1 volume unknown (vol-0).');
});

const all = { unknown: unknown(1), incomplete: incomplete('a'), metricsWithoutResource: ['vol-9'] };

test.each([
  ['above', 'Listed above under "Unknown, and why" and under "Not read, or not in whole".'],
  ['above-with-each', 'Listed above with each volume and under "Not read, or not in whole".'],
  ['in-json', 'Listed in coverage.unknown and coverage.incomplete.'],
  ['elsewhere', 'Listed by --format json in coverage.unknown and coverage.incomplete.'],
] as const)('%s', (listed, said) => {
  expect(textOf(all, listed).endsWith(` ${said}`)).toBe(true);
});

test('all of it in sentences of at most 25 words; no text of the account leaves its line', () => {
  const text = textOf({ ...all, metricsWithoutResource: ['vol-\u001b[2J\n'] }, 'above', [
    'tag:a=b',
    'c\u202e',
  ]);
  expect(text).toContain('Not found: --resource (tag:a=b, c\\u{202e}).');
  expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  for (const sentence of text.split(/(?<=\.)\s+/)) expect(sentence.split(' ').length).toBeLessThanOrEqual(25);
});
