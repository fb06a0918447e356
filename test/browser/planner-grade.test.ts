/** The grade tab: results of fio that are dropped become the card of `stripewise grade`. */
import { closeSync, openSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { figure } from '../../core/figures.ts';
import { cliJson } from '../cli/run-cli.ts';
import { fio3 } from '../fixtures/fio-output.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { browserPage } from './browser-page.ts';
import { saidProblems } from './planner-page.ts';

const directory = temporaryDirectory();
const browser = browserPage();
const open = (hash = '#grade') => browser.open('planner', { hash });
const choose = (page: Page, ...paths: string[]): Promise<void> =>
  page.getByLabel('Choose results of fio').setInputFiles(paths);

/** 8 KiB random reads: 95 % within 1.5 ms is A+. With twice the users 9 ms: (9 / 1.5 - 1) / 2 = 2.5, above 0.9, is D. */
const jobs = [16, 32].map((users) => ({
  name: `${users} users`,
  read: { operations: 60_000, seconds: 60, blockKiB: 8, meanMs: 1, p95Ms: users === 16 ? 1.5 : 9 },
  options: { bs: '8k', rw: 'randread', numjobs: `${users}` },
}));
const result = directory.write('result.json', fio3(...jobs));

interface Card {
  tests: { grade: string | null; scalingGrade: string | null; iops: number }[];
}

test('shows the letters and rates of stripewise grade --json', async () => {
  const { tests } = await cliJson<Card>('grade', result);
  const letters = tests
    .flatMap(({ grade, scalingGrade }) => [grade, scalingGrade])
    .filter((one) => one !== null);
  expect(letters).toEqual(['A+', 'D']);
  const page = await open();
  await choose(page, result);
  const table = page.locator('#grades');
  await table.waitFor();
  expect(await table.locator('tbody .letter b').allInnerTexts()).toEqual(letters);
  const text = await table.innerText();
  for (const { iops } of tests) expect(text).toContain(`${figure(iops, 0)} IOPS`);
  expect(await saidProblems(page)).toEqual([]);
});

describe('a file that is no result is one line, and those that are one are graded', () => {
  const sparse = join(directory.path, 'two-gigabytes.json');
  closeSync(openSync(sparse, 'w'));
  truncateSync(sparse, 2 * 1024 ** 3);
  test.each([
    ['nothing', directory.write('nothing.json', '')],
    ['half of one', directory.write('half.json', JSON.stringify(fio3(...jobs)).slice(0, 400))],
    ['other JSON', directory.write('other.json', '{"Volumes": []}')],
    ['a list', directory.write('list.json', '[1, 2, 3]')],
    ['null', directory.write('null.json', 'null')],
    ['a name of every object', directory.write('proto.json', '{"__proto__": {"jobs": []}}')],
    ['no text', directory.write('bytes.json', '\u0000\u0001\ufffd'.repeat(1_000))],
    ['two gigabytes', sparse],
  ])('%s', async (_, path) => {
    const page = await open();
    await choose(page, path, result);
    await page.locator('#grades').waitFor();
    const [line, ...more] = await saidProblems(page);
    expect(more).toEqual([]);
    expect(line).toContain(path.split('/').at(-1));
    expect(line?.length).toBeLessThan(400);
    expect(line).not.toMatch(/[\r\n]/);
    expect(await page.evaluate("({}).jobs ?? 'clean'")).toBe('clean');
  });
});
