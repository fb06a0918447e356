/** The burst tab: what `stripewise burst` says of the same volume, and a day that is drawn by keyboard and by mouse. */
import { figure } from '../../core/figures.ts';
import type { BurstAnswer } from '../../core/schemas/answers.ts';
import { cliJson } from '../cli/run-cli.ts';
import { uniformSource } from '../simulator/random.ts';
import { browserPage } from './browser-page.ts';
import { phone } from './open-page.ts';
import { goTo, hashOf, saidProblems, settled, until } from './planner-page.ts';

const browser = browserPage();
const open = (hash = '#burst') => browser.open('planner', { hash });

/** A fact beside its name. */
const fact = (name: string): Promise<string> =>
  browser.page().locator('.burst-facts div', { hasText: name }).first().locator('dd').innerText();
const headline = () => browser.page().locator('.burst-headline').innerText();

interface Asked {
  of: 'gp2' | 'st1' | 'sc1';
  sizeGiB: number;
  balancePercent: number;
  rate: number;
}

/** Volumes with credits: gp2 below 1,000 GiB, st1 and sc1 below 12.5 TiB. */
function randomVolumes(count: number): Asked[] {
  const uniform = uniformSource(35, 'volumes with credits');
  const upTo = (most: number): number => Math.floor(uniform() * most);
  return Array.from({ length: count }, (_, i) => {
    const of = (['gp2', 'st1', 'sc1'] as const)[i % 3] ?? 'gp2';
    return of === 'gp2'
      ? { of, sizeGiB: 1 + upTo(990), balancePercent: upTo(101), rate: upTo(4_000) }
      : { of, sizeGiB: 125 + upTo(12_000), balancePercent: upTo(101), rate: upTo(600) };
  });
}

/** "33 min 20 s (2,000 s)" or "45 s". */
const seconds = (text: string): number =>
  Number((/\(([\d,]+)\ss\)/.exec(text)?.[1] ?? /^([\d,]+)\ss/.exec(text)?.[1] ?? 'NaN').replaceAll(',', ''));

test('shows credits, burst and time to empty as stripewise burst --json, for 30 random volumes', async () => {
  const page = await open();
  for (const { of, sizeGiB, balancePercent, rate } of randomVolumes(30)) {
    const key = of === 'gp2' ? 'iops' : 'mibps';
    await goTo(
      page,
      `#burst?v=1&burst.of=${of}&burst.sizeGiB=${sizeGiB}&burst.balancePercent=${balancePercent}&burst.load=steady&burst.${key}=${rate}`,
    );
    const option = of === 'gp2' ? '--iops' : '--throughput-mibps';
    const answer = await cliJson<BurstAnswer>(
      ...['burst', '--type', of, '--size-gib', `${sizeGiB}`],
      ...['--balance-percent', `${balancePercent}`, option, `${rate}`],
    );
    const { creditBalance, burstDurationSeconds, secondsToEmpty } = answer;
    if (creditBalance === null || burstDurationSeconds === null)
      throw new Error(`${of} ${sizeGiB} has no credits`);
    expect(await fact('Balance')).toContain(figure(creditBalance, 0));
    const full = await fact('Full burst lasts');
    const empty = await fact('At this rate, empty in');
    expect([sizeGiB, Math.abs(seconds(full) - burstDurationSeconds) <= 1]).toEqual([sizeGiB, true]);
    if (secondsToEmpty === null) expect(empty).not.toMatch(/\d/);
    else if (secondsToEmpty > 0)
      expect([of, sizeGiB, rate, Math.abs(seconds(empty) - secondsToEmpty) <= 1]).toEqual([
        of,
        sizeGiB,
        rate,
        true,
      ]);
  }
  expect(await saidProblems(page)).toEqual([]);
});

test('a day is drawn with the keyboard alone, stands in the address and comes back from it', async () => {
  const page = await open();
  const bar = page.locator('[role="slider"][aria-valuetext^="03:00"]');
  await page.locator('[role="slider"][tabindex="0"]').focus();
  for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowLeft');
  expect(await page.evaluate("document.activeElement?.getAttribute('aria-valuetext')")).toMatch(/^03:00/);
  const before = Number(await bar.getAttribute('aria-valuenow'));
  await page.keyboard.press('PageUp');
  await page.keyboard.press('ArrowUp');
  const after = Number(await bar.getAttribute('aria-valuenow'));
  expect(after).toBeGreaterThan(before);
  await until(page, `/burst.iopsByHour=\\d[^&]*_${after}_/.test(location.hash)`);
  const hash = hashOf(page);
  const answer = await headline();
  await open(hash);
  const again = browser.page().locator('[role="slider"][aria-valuetext^="03:00"]');
  expect(Number(await again.getAttribute('aria-valuenow'))).toBe(after);
  expect(await headline()).toBe(answer);
});

test('a day is drawn in one move of the mouse', async () => {
  const page = await open();
  const ground = page.locator('.day-ground');
  await ground.scrollIntoViewIfNeeded();
  const box = await ground.boundingBox();
  if (box === null) throw new Error('it has no place');
  await page.mouse.move(box.x + 2, box.y + box.height * 0.95);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + box.height * 0.95, { steps: 30 });
  await page.mouse.up();
  await settled(page);
  const rates = await page.evaluate<string[]>(
    "[...document.querySelectorAll('.day-ground [role=slider]')].map((bar) => bar.getAttribute('aria-valuenow'))",
  );
  expect(rates).toHaveLength(24);
  expect(new Set(rates).size).toBe(1);
});

test.each([
  ['a rate too many', '100x25'],
  ['a rate too few', '100x23'],
  ['NaN', 'NaNx24'],
  ['below zero', '-1x24'],
  ['markup', '<img src=x onerror="window.__hacked=1">'],
  ['a day of a million rates', '1_'.repeat(9_000)],
])('a day in the address that has %s is one line, and the usual day', async (_, day) => {
  const page = await open(`#burst?v=1&burst.iopsByHour=${encodeURIComponent(day)}`);
  expect(await saidProblems(page)).toHaveLength(1);
  expect(await page.evaluate('window.__hacked')).toBeUndefined();
  expect(await page.locator('.day-ground [role="slider"]').count()).toBe(24);
});

test.each(['m5.nosuch', 'm7i.48xlarge'])('%s, which has no credits, is said in words', async (type) => {
  const page = await open(`#burst?v=1&burst.of=instance&burst.instanceType=${type}`);
  await settled(page);
  expect(await page.locator('main').innerText()).toContain(type);
});

test('on a phone the answer stands above the load, and stays in sight while that is drawn', async () => {
  const page = await browser.open('planner', { hash: '#burst', ...phone });
  const topOf = async (selector: string): Promise<number> =>
    (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;
  expect(await topOf('.burst-headline')).toBeLessThan(await topOf('.burst input'));
  expect(await topOf('.day-ground')).toBeLessThan(await topOf('.burst-detail'));
  await page.evaluate("document.querySelector('.day-ground').scrollIntoView({ block: 'center' })");
  await settled(page);
  expect(await topOf('.burst-headline')).toBe(0);
});
