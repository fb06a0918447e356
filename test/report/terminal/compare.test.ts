/** Two runs in a terminal: the figures as a table or, in a narrow one, as lines; then a block for each finding that changed. */
import { compareRuns } from '../../../core/report/compare-runs.ts';
import { comparisonText } from '../../../report/terminal/compare.ts';
import { comparedLines, noteLines } from '../../../report/wording/run-comparison.ts';
import {
  aFinding,
  anEvaluation,
  aRecommendation,
  aResult,
  findingsOnVolumes,
} from '../../fixtures/findings.ts';

const minutes = (throttledMinutesPeak24h: number) => ({ throttledMinutesPeak24h });
const recommendations = [aRecommendation({ monthlyUsdDelta: -3 })];
const before = aResult([aFinding({ evidence: minutes(12) })], { volumes: [anEvaluation({ monthlyUsd: 8 })] });
const after = aResult([aFinding({ severity: 'critical', evidence: minutes(90), recommendations })], {
  runId: 'run-2',
  volumes: [anEvaluation({ monthlyUsd: 10.5 })],
});
const compared = compareRuns(before, after);
const linesOf = (columns: number | null, comparison = compared): string[] =>
  comparisonText(comparison, columns).flatMap((text) => text.split('\n'));

test('a finding has its change before it, and its lines below each other', () => {
  const [first, ...others] = comparedLines(compared.findings[0] as (typeof compared.findings)[number]);
  const lines = linesOf(200);
  const at = lines.indexOf(`worse          ${first}`);
  expect(at).toBeGreaterThan(0);
  expect(lines.slice(at + 1)).toEqual(others.map((line) => `${' '.repeat(15)}${line}`));
});

test('in 80 columns nothing is cut or lost', () => {
  const lines = linesOf(80);
  expect(lines.every((line) => line.length <= 80)).toBe(true);
  expect(
    lines.some((line) => /^│ volumes cost a month +│ 8.00 USD │ 10.50 USD │ \+2.50 USD │$/.test(line)),
  ).toBe(true);
  const words = (texts: readonly string[]): string => texts.join(' ').replace(/\s+/g, ' ');
  expect(words(lines)).toContain(`worse ${words(comparedLines(compared.findings[0] as never))}`);
});

test('figures with what they do not count are lines where their table is too wide', () => {
  const priceless = compareRuns(aResult([], { volumes: [anEvaluation()] }), after);
  expect(linesOf(80, priceless)).toContain(
    'volumes cost a month: unknown, 1 volume without a price -> 10.50 USD (unknown, 1 volume left out)',
  );
  expect(linesOf(200, priceless)).not.toContain('volumes: 1');
});

test('of very many changes the first fifty are shown; what a reader should know stands last', () => {
  const many = compareRuns(aResult([], { volumes: [anEvaluation()] }), aResult(findingsOnVolumes(53)));
  const lines = linesOf(null, many);
  expect(lines.filter((line) => line.startsWith('new '))).toHaveLength(50);
  expect(lines).toContain('... and 3 more findings (--json has them all)');
  expect(lines.slice(-noteLines(many).length)).toEqual(noteLines(many));
});
