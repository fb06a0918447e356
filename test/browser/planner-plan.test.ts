/** The plan tab: the same numbers as the command line, and what a person does with it. */
import { figure, usdText } from '../../core/figures.ts';
import { rateText } from '../../core/plan/cheapest-member.ts';
import type { PlanAnswer } from '../../core/schemas/plan-answer.ts';
import type { PlanChoices } from '../../core/schemas/plan-choices.ts';
import { runCli } from '../cli/run-cli.ts';
import { planQuestions } from '../planner/any-plan-state.ts';
import { browserPage } from './browser-page.ts';
import { goTo, hashOf, saidProblems, settled, until } from './planner-page.ts';

const browser = browserPage();
const open = (hash = '') => browser.open('planner', { hash });

/** Figures of an option, as the table shows them. */
interface Row {
  total: string;
  delivered: string[];
  failure: string;
  instance: string | null;
}

const rowOf = ({
  monthlyUsd,
  deliveredIops,
  deliveredMiBps,
  annualFailureRate,
  instanceType,
}: {
  monthlyUsd: { total: number | null };
  deliveredIops: number;
  deliveredMiBps: number;
  annualFailureRate: number;
  instanceType: string | null;
}): Row => ({
  total: monthlyUsd.total === null ? 'price unknown' : usdText(monthlyUsd.total),
  delivered: [`${figure(deliveredIops)} IOPS`, `${figure(deliveredMiBps)} MiB/s`],
  failure: rateText(annualFailureRate, 2),
  instance: instanceType,
});

/** What `stripewise plan` answers; null where it refuses the question. */
async function printed(args: readonly string[]): Promise<Row[] | null> {
  const { code, out } = await runCli(...args, '--json');
  if (code !== 0) return null;
  const answer = JSON.parse(out) as PlanAnswer | PlanChoices;
  return 'choices' in answer ? answer.choices.map(rowOf) : answer.options.map(rowOf);
}

/** What the table shows; null where the page refuses the question. */
/** Where the instance is what changes, the name of the option says which. */
const shown = (): Promise<Row[] | null> =>
  browser.page().evaluate<Row[] | null>(`
    document.querySelector('.plan-refusal') !== null ? null :
    [...document.querySelectorAll('.plan-options tbody tr')].map((row) => ({
      total: row.querySelector('[data-head="USD a month"] b').textContent,
      delivered: [...row.querySelectorAll('[data-head="Delivers"] .plan-line')].map((line) => line.textContent).filter((text) => text !== 'not enough'),
      failure: row.querySelector('[data-head="Data loss a year"]').textContent,
      instance: [...row.querySelectorAll('th small')].map((line) => line.textContent).find((text) => text.startsWith('on '))?.slice(3) ?? row.querySelector('th b').textContent.match(/instance (.+)$/i)?.[1] ?? null,
    }))`);

const questions = planQuestions(100, 35);

test('shows the figures of stripewise plan --json for 100 random needs', async () => {
  const page = await open('#plan');
  const counts = { refused: 0, nothing: 0, options: 0 };
  for (const { hash, args } of questions) {
    const expected = await printed(args);
    await goTo(page, hash);
    expect({ hash, rows: await shown() }).toEqual({ hash, rows: expected });
    if (expected === null) counts.refused++;
    else if (expected.length === 0) counts.nothing++;
    else counts.options += expected.length;
  }
  // Most are met, and some cannot be.
  expect(counts.options).toBeGreaterThan(100);
  expect(counts.nothing).toBeGreaterThan(0);
  expect(await saidProblems(page)).toEqual([]);
});

const total = () => browser.page().locator('.plan-headline .plan-total').innerText();

test('what was moved stands in the address, which shows the same in a new page', async () => {
  const page = await open('#plan');
  await page.getByRole('textbox', { name: 'IOPS', exact: true }).fill('41500');
  await page.getByLabel('Capacity', { exact: true }).fill('700');
  await page.getByRole('radio', { name: 'by size' }).check({ force: true });
  await settled(page);
  const rows = await shown();
  await until(
    page,
    "location.hash.includes('plan.capacityGiB=700') && location.hash.includes('plan.instance=choose')",
  );
  const hash = hashOf(page);
  expect(hash).toContain('plan.iops=41500');
  await open(hash);
  expect(await shown()).toEqual(rows);
  expect(await browser.page().getByRole('textbox', { name: 'IOPS', exact: true }).inputValue()).toBe('41500');
});

test('a slider follows the arrows of a keyboard, and the answer follows it', async () => {
  const page = await open('#plan');
  const before = await total();
  const slider = page.getByLabel('IOPS, slider', { exact: true });
  await slider.focus();
  const from = Number(await slider.inputValue());
  for (let i = 0; i < 60; i++) await page.keyboard.press('ArrowRight');
  expect(Number(await slider.inputValue())).toBe(from + 60);
  await page.keyboard.press('End');
  await settled(page);
  expect(await total()).not.toBe(before);
});

test('a slider that is moved 400 times leaves the address of its last place', async () => {
  const page = await open('#plan');
  const slider = page.getByLabel('IOPS, slider', { exact: true });
  await slider.focus();
  for (let i = 0; i < 400; i++) await page.keyboard.press(i % 4 === 3 ? 'ArrowLeft' : 'ArrowRight');
  await settled(page);
  const typed = await page.getByRole('textbox', { name: 'IOPS', exact: true }).inputValue();
  await until(page, `location.hash.includes('plan.iops=${typed}')`);
});

test.each(['NaN', '1e9', '-5', '8000 IOPS', '<b>1</b>', '', '99999999999999999999'])(
  'what is typed and is no figure, "%s", is said in one line; the answer stays',
  async (text) => {
    const page = await open('#plan');
    const before = await shown();
    await page.getByRole('textbox', { name: 'IOPS', exact: true }).fill(text);
    await settled(page);
    expect(await saidProblems(page)).toEqual([
      expect.stringMatching(/^It takes [^\n]*8,000[^\n]* is used\.$/),
    ]);
    expect(await shown()).toEqual(before);
    expect(hashOf(page)).not.toContain('plan.iops');
  },
);

test('an option is explained when its row is chosen, with steps of it to copy', async () => {
  const page = await open('#plan?v=1&plan.current=gp2%3A500');
  await page.locator('.plan-options tbody tr').nth(1).click();
  await page.getByText('Steps to copy').click();
  const steps = await page.locator('.plan-steps').innerText();
  const { out } = await runCli(
    ...[
      'plan',
      '--iops',
      '8000',
      '--capacity-gib',
      '1000',
      '--current',
      'gp2:500',
      '--option',
      '2',
      '--steps',
      'cli',
    ],
  );
  const lines = steps.split('\n').filter((line) => line.trim() !== '');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(out).toContain(line.trimEnd());
});
