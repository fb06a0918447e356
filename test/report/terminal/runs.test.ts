/** The runs that have a report, as a terminal lists them. */
import { type RunEntry, runEntry } from '../../../core/report/run-manifest.ts';
import { runsText } from '../../../report/terminal/runs.ts';
import { aResult } from '../../fixtures/findings.ts';

const made = { madeAt: '2026-11-22T12:00:00.000Z', byHand: false, report: 'runs/run-1/report.html' };

function savedIn(more: Partial<RunEntry>): string | undefined {
  const [table = ''] = runsText({ version: 1, runs: [{ ...runEntry(aResult([]), made), ...more }] });
  const row = table.split('\n').find((line) => line.includes('run-1'));
  return row?.split('│').map((cell) => cell.trim())[8];
}

test.each<[string, number, number]>([
  ['0.00 USD', 0, 0],
  ['not known', 0, 2],
  ['up to 1,234.50 USD', 1_234.5, 0],
  ['up to 12.00 USD, 3 without a price', 12, 3],
])('what could be saved: %s', (text, savedMonthlyUsd, findingsWithoutPrice) => {
  expect(savedIn({ savedMonthlyUsd, findingsWithoutPrice })).toBe(text);
});
