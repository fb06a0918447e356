/** What a run of tests cost, and which suite is named when a tier grows: test/tiers/reporter.cjs. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

interface Reporter {
  onTestResult(test: object): void;
  onRunComplete(): void;
  getLastError(): Error | undefined;
}
const TierReporter = require('./reporter.cjs') as new (
  config: { rootDir: string },
  options: { budgetsFile: string; measure: () => number },
) => Reporter;

const directory = temporaryDirectory();
let said = '';

/** Milliseconds of the reporter's piece of work on a machine that nobody shares. */
const aloneMs = 7;

/**
 * @param costs CPU seconds, and peak memory in MiB, of suites of one tier.
 * @param measuredMs what the piece of work takes.
 */
function run(
  costs: Record<string, [cpuSeconds: number, peakMiB: number]>,
  { keep = false, measuredMs = aloneMs } = {},
): Reporter {
  const kept = { ...process.env };
  const write = process.stderr.write;
  said = '';
  try {
    process.stderr.write = ((text: string) => {
      said += text;
      return true;
    }) as typeof write;
    if (keep) process.env['STRIPEWISE_KEEP_BUDGETS'] = '1';
    else delete process.env['STRIPEWISE_KEEP_BUDGETS'];
    const reporter = new TierReporter(
      { rootDir: '/project' },
      { budgetsFile: file, measure: () => measuredMs },
    );
    for (const [name, [cpuSeconds, peakMiB]] of Object.entries(costs)) {
      const path = `/project/test/${name}`;
      reporter.onTestResult({ path, context: { config: { displayName: { name: 'stacks' } } } });
      appendFileSync(
        process.env['STRIPEWISE_SUITE_COSTS'] ?? '',
        `${JSON.stringify({ path, cpuSeconds, peakMiB })}\n`,
      );
    }
    reporter.onRunComplete();
    return reporter;
  } finally {
    process.stderr.write = write;
    process.env = kept;
  }
}

let file: string;
beforeEach(() => {
  // 2 x 40 s is what may be taken.
  const budgets = { tiers: { stacks: 40 }, suites: { 'test/a.test.ts': 30, 'test/b.test.ts': 5 } };
  file = directory.write('budgets.json', budgets);
});

test('what was taken stands beside the budget, with the slowest suites and the most memory', () => {
  const reporter = run({ 'a.test.ts': [31, 300], 'b.test.ts': [5, 700] });
  expect(reporter.getLastError()).toBeUndefined();
  expect(said).toMatch(/stacks +36 s +40 s +2\n/);
  expect(said).toMatch(/31\.0 s {2}test\/a\.test\.ts\n +5\.0 s {2}test\/b\.test\.ts/);
  expect(said).toContain('Most memory of a worker: 700 MiB, seen after test/b.test.ts.');
});

test('a tier within twice its budget passes; over it the run fails and names what grew most', () => {
  expect(run({ 'a.test.ts': [31, 1], 'b.test.ts': [49, 1] }).getLastError()).toBeUndefined();
  const { message = '' } = run({ 'a.test.ts': [31, 1], 'b.test.ts': [50, 1] }).getLastError() ?? {};
  expect(message).toBe(
    'stacks took 81 s of CPU, over twice its budget of 40 s; grew most: ' +
      'test/b.test.ts (50 s, was 5 s), test/a.test.ts (31 s, was 30 s)',
  );
});

test('on a machine that others share, seconds are divided by what a fixed piece of work took more', () => {
  const costs = { 'a.test.ts': [92, 1], 'b.test.ts': [68, 1] } satisfies Parameters<typeof run>[0];
  expect(run(costs, { measuredMs: 2 * aloneMs }).getLastError()).toBeUndefined();
  expect(said).toContain('Work took 2.00 times as long here: divided by that.');
  expect(said).toMatch(/stacks +80 s +40 s/);
  // A fast machine hides nothing.
  expect(run(costs, { measuredMs: aloneMs / 2 }).getLastError()).toBeDefined();
  expect(said).toMatch(/stacks +160 s +40 s/);
});

test('a worker with more memory than it may have fails the run', () => {
  expect(run({ 'a.test.ts': [1, 1_501] }).getLastError()?.message).toBe(
    'a worker had more than 1500 MiB of memory, first seen after test/a.test.ts',
  );
});

test('budgets are written where that is asked for: what was taken and room for more, and suites that did not run as they were', () => {
  run({ 'a.test.ts': [50, 1] }, { keep: true });
  // 50 x 1.15
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    tiers: { stacks: 58 },
    suites: { 'test/a.test.ts': 50, 'test/b.test.ts': 5 },
  });
});

test('the budgets of this project are within what a check may cost on two cores', () => {
  const { tiers } = JSON.parse(readFileSync(join(__dirname, 'budgets.json'), 'utf8')) as {
    tiers: Record<string, number>;
  };
  const together = (...names: string[]): number =>
    names.reduce((sum, name) => sum + (tiers[name] ?? Number.NaN), 0);
  const ofTests = ['unit', 'stacks', 'deployed', 'emulator', 'truth'];
  // Minutes by the clock, of two cores that are both busy.
  expect(together(...ofTests)).toBeLessThanOrEqual(2 * 10 * 60);
  expect(together(...ofTests, 'resilience', 'browser')).toBeLessThanOrEqual(2 * 30 * 60);
  expect(together(...ofTests, 'resilience', 'browser', 'lab', 'guests')).toBeLessThanOrEqual(2 * 80 * 60);
});
