/** What people read of a benchmark of a finding. */
import { validationText } from '../../../report/wording/benchmark.ts';
import { benchmarkLines } from './benchmark-samples.ts';
import { checkLines } from './coded-lines.ts';

checkLines('benchmark.txt', benchmarkLines);

test('a label is sanitized, and has room for two hundred characters', () => {
  const text = validationText({
    ...{ isValidated: true, gradedAt: '2026-11-22T13:00:00Z', campaignId: 'c1' },
    ...{ current: { iops: 1, p95Ms: null }, recommended: { iops: 2, p95Ms: null } },
    label: `\u001b[2J${'word '.repeat(60)}`,
  });
  expect(text).toContain(' Label: \\u{1b}[2Jword ');
  expect(text.length).toBeLessThan(300);
});
