/** Report cards in the planner: the same answer as `stripewise grade --json` of the same files. */

import { usualState } from '../../planner/fragment.ts';
import { cardOf, type GivenText, readAll, resultsOf, withTexts } from '../../planner/grade/grade-files.ts';
import { type GradeState, gradeFields } from '../../planner/grade/grade-state.ts';
import { cliJson } from '../cli/run-cli.ts';
import { fio3, fio21, type Job } from '../fixtures/fio-output.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
const madeAt = '2026-11-20T12:00:00.000Z';
const random = (users: number, p95Ms: number, iops: number, options = {}): Job => ({
  name: `randread-8k-${users}`,
  read: { operations: iops * 60, seconds: 60, blockKiB: 8, meanMs: p95Ms / 2, p95Ms },
  options: { rw: 'randread', bs: '8k', numjobs: `${users}`, ...options },
});
const given = (name: string, content: string | object): GivenText => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return { name, text, bytes: text.length };
};
const said = (state: Partial<GradeState> = {}): GradeState => ({ ...usualState(gradeFields), ...state });
const answerOf = (files: readonly GivenText[], state: Partial<GradeState> = {}) =>
  cardOf(resultsOf(files).results, said(state), madeAt).card.grades;

let count = 0;
/** @returns paths of the JSON among them. */
function written(files: readonly GivenText[]): string[] {
  count++;
  const paths = files.map(({ name, text }) => directory.write(`run-${count}/${name}`, text));
  return paths.filter((path) => path.endsWith('.json'));
}

const logged = { write_iops_log: 'a', log_avg_msec: '1000', per_job_logs: '0' };
const log = given('a_iops.log', [1, 2, 3].map((second) => `${second * 1_000}, 500, 0, 0, 0\n`).join(''));
const linear = given('linear.json', fio3(random(16, 20, 500, logged), random(32, 30, 520)));
const stripe = given('stripe.json', fio3(random(16, 3, 3_000), random(32, 4, 5_000)));
const old = given('old.json', fio21({ name: 'random-read', read: random(16, 5, 1_000).read ?? never() }));
function never(): never {
  throw new Error('a random read has reads');
}

test.each<[string, GivenText[], Partial<GradeState>, string[]]>([
  ['one file with its log', [linear, log], {}, []],
  ['two side by side', [stripe, linear, log], {}, []],
  ['repeats', [linear, stripe], { areRepeats: 'yes', monthlyUsd: 42 }, ['--repeats', '--monthly-usd', '42']],
  ['what one costs', [stripe], { monthlyUsd: 42.5 }, ['--monthly-usd', '42.5']],
  [
    'fio that does not say what it did',
    [old],
    { access: 'randread', users: 16 },
    ['--access', 'randread', '--users', '16'],
  ],
  ['fio that did something else', [old], { access: 'write' }, ['--access', 'write']],
])('%s', async (_, files, state, options) => {
  const paths = written(files).sort();
  const answer = answerOf(files, state);
  expect(answer.tests.length).toBeGreaterThan(0);
  expect(answer).toEqual(await cliJson('grade', ...paths, ...options));
});

test('the log is in the answer', () => {
  expect(answerOf([linear, log]).tests[0]?.overTime).toMatchObject({ iops: [500, 500, 500] });
  expect(answerOf([linear]).notes).toContainEqual({
    ...{ code: 'not-over-time', file: 'linear.json' },
    reason: { code: 'no-log', log: 'a_iops.log' },
  });
});

test('files with a load each are one run', () => {
  const files = [16, 32].map((users) => given(`one-randread-qd${users}.json`, fio3(random(users, 5, 1_000))));
  expect(answerOf(files).notes).toEqual([
    { code: 'files-of-one-run', run: 'one', files: files.map(({ name }) => name) },
  ]);
});

test.each<[string, GivenText[], Partial<GradeState>, RegExp]>([
  ['repeats of one file', [linear], { areRepeats: 'yes' }, /^Repeats need the files of two runs/],
  ['one price of two layouts', [linear, stripe], { monthlyUsd: 42 }, /^USD a month is of one layout/],
])('%s: a line, and the card without it', (_, files, state, line) => {
  const { misfit, card } = cardOf(resultsOf(files).results, said(state), madeAt);
  expect(misfit).toMatch(line);
  expect(card.grades).toEqual(answerOf(files));
});

test.each([
  ['another JSON', '{"Volumes": []}'],
  ['half a JSON', linear.text.slice(0, 300)],
  ['text of fio', 'read: (groupid=0, jobs=1): err= 0\n  read: IOPS=1000'],
  ['nothing', ''],
  ['two results', `${linear.text}\n${linear.text}`],
])('%s is one line, and the others are graded', (_, text) => {
  const { results, problems } = resultsOf([given('odd.json', text), stripe]);
  expect(problems).toEqual([expect.stringMatching(/^odd\.json: [^\n]+$/)]);
  expect(results.map(({ path }) => path)).toEqual(['stripe.json']);
});

test('a file that was given again is the later one', () => {
  expect(
    withTexts([linear, log], [given('linear.json', stripe.text)]).map(({ name, text }) => [name, text]),
  ).toEqual([
    ['linear.json', stripe.text],
    ['a_iops.log', log.text],
  ]);
});

test('of all files that are kept the size counts, of a name that is given again the later one', async () => {
  const mib = 1_048_576;
  const picked = (name: string, size: number) => ({ name, size: size * mib, text: async () => name });
  const kept = ['a', 'b', 'c', 'd'].map((name) => ({ name, bytes: 60 * mib })); // 4 x 60 = 240 of 256 MiB
  const more = await readAll([picked('e', 10), picked('f', 10)], kept); // 250, then 260
  expect(more.texts.map(({ name }) => name)).toEqual(['e']);
  expect(more.problems).toEqual([expect.stringMatching(/^f: the files are more than 256 MiB together/)]);
  const again = await readAll([picked('a', 64), picked('e', 12)], kept); // 240 - 60 + 64 + 12 = 256
  expect(again.problems).toEqual([]);
});
