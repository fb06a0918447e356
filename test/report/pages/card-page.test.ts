/** The page of a report card: what a reader without scripts is reported, and that what is not ours is data. */
import type { CardReport } from '../../../core/report/card-report.ts';
import { gradeAnswer } from '../../../core/report-card/answer.ts';
import { testsOfFio } from '../../../core/report-card/fio-tests.ts';
import { cardPage } from '../../../report/pages/card-page.ts';
import { fio3 } from '../../fixtures/fio-output.ts';
import { dataInPage } from '../../fixtures/page-parts.ts';

const read = { operations: 60_000, seconds: 10, blockKiB: 8, meanMs: 1.5, p95Ms: 1.9 };
const options = { rw: 'randread', bs: '8k', numjobs: '16', iodepth: '1' };

function aCard(more: Partial<CardReport> = {}, name = 'randread', run = 'one.json'): CardReport {
  const tests = testsOfFio(fio3({ name, read, options }));
  const grades = gradeAnswer([{ name: run, tests, monthlyUsd: null }], { areRepeats: false });
  return {
    ...{ version: 1, madeAt: '2026-11-22T12:00:00Z', title: 'One volume', label: null, campaign: null },
    ...{ grades, ...more },
  };
}

const linesOf = (page: string): string => page.slice(page.indexOf('<noscript>'), page.indexOf('</noscript>'));

test('without scripts its letters are read in words', async () => {
  const lines = linesOf(await cardPage(aCard()));
  expect(lines).toContain('<h1>One volume</h1>');
  // 60,000 operations in 10 s
  expect(lines).toContain(
    'one.json, randread (8 KiB random reads, 16 users): latency A+; 6,000 IOPS. Grade A+: 95 % within 1.9 ms (below 2 ms for',
  );
});

test('what is to be known first stands first', async () => {
  expect(linesOf(await cardPage(aCard({ label: 'emulated' })))).toMatch(
    /<\/h1>\n<p>emulated<\/p>\n<p>Made at 2026-11-22T12:00:00Z\.<\/p>/,
  );
});

test('a card without tests says so', async () => {
  const nothing = gradeAnswer([], { areRepeats: false });
  expect(linesOf(await cardPage(aCard({ grades: nothing })))).toContain('<p>Nothing was measured.</p>');
});

test('of very many tests the first are reported, and how many more there are', async () => {
  const { grades } = aCard();
  const tests = Array.from({ length: 203 }, () => grades.tests[0] as (typeof grades.tests)[number]);
  expect(linesOf(await cardPage(aCard({ grades: { ...grades, tests } })))).toContain(
    '<p>3 more tests are in the page.</p>', // 203 - 200
  );
});

test('names are data: of markup and direction marks nothing is left that acts', async () => {
  const untrusted = '</noscript><script>alert(1)</script>\u202e';
  const page = await cardPage(aCard({ title: untrusted, label: untrusted }, untrusted, untrusted));
  expect(page).not.toContain('<script>alert(1)');
  expect(page).not.toContain('\u202e');
  expect(linesOf(page)).toContain('&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}');
});

test('its data is the card', async () => {
  const card = aCard();
  expect(dataInPage(await cardPage(card))).toEqual(JSON.parse(JSON.stringify(card)));
});
