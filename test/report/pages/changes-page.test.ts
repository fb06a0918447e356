/** The ledger as a page: totals first, a row a change, and nothing that somebody else wrote acts. */
import { ledgerTotals, realisedUsdOfAll } from '../../../core/changes/ledger.ts';
import type { ChangesList } from '../../../core/schemas/changes-answers.ts';
import type { VolumeChange } from '../../../core/schemas/volume-change.ts';
import { changesPage } from '../../../report/pages/changes-page.ts';
import { aChange, aPlan, noon } from '../../fixtures/volume-change.ts';

const list = (changes: VolumeChange[], more: Partial<ChangesList> = {}): ChangesList => ({
  ...{ changes, nowSeconds: noon, killSwitch: 'go', approvalsNeeded: 1 },
  ...{ totals: ledgerTotals(changes), realisedUsd: realisedUsdOfAll(changes, noon), ...more },
});
const day = 86_400;
const made = {
  ...{ askedSeconds: noon - 10 * day, lastStartSeconds: null, startSeconds: noon - 10 * day },
  ...{ completedSeconds: noon - 9 * day, refusal: null },
};
const kept = aChange({
  ...{ id: 'c-kept', made },
  approvals: [{ by: 'arn:aws:iam::111122223333:role/dba', session: 'ann', atSeconds: noon }],
  comparison: {
    ...{ minutes: 1_440, throttledBefore: 300, throttledAfter: 12, loadRatio: 1 },
    ...{ latencyMsBefore: 4, latencyMsAfter: 1 },
  },
  ...{ end: { code: 'kept', outcome: 'better' }, endedSeconds: noon - 2 * day },
});
const undone = aChange({
  ...{
    id: 'c-undone',
    made,
    undo: { ...made, startSeconds: noon - 5 * day, completedSeconds: noon - 4 * day },
  },
  undoAskedBy: 'monitoring',
  ...{ end: { code: 'undone' }, endedSeconds: noon - 4 * day },
});

/** Its cells, without tags. */
function rows(page: string): string[][] {
  const body = page.split('<tbody>')[1] ?? '';
  return body
    .split('<tr>')
    .slice(1)
    .map((row) => row.split(/<\/t[hd]>/).slice(0, -1))
    .map((cells) => cells.map((cell) => cell.replaceAll('<small>', ' / ').replaceAll(/<[^>]*>/g, '')));
}

test('totals before the rows; of what was undone nothing is realised, but the days until then', () => {
  const page = changesPage(list([kept, undone]));
  const texts = [...page.matchAll(/<dt>(\w+)<\/dt><dd>([^<]*)<\/dd>/g)].map(([, label, text]) => [
    label,
    text,
  ]);
  expect(texts).toEqual([
    ['Changes', '2 changes: 0 open, 1 kept, 1 undone, 0 not made.'],
    ['Claimed', '-30.00 USD a month, of all that were made.'],
    // 15 USD of 730 hours: 10 days (240 h) are 4.93, 5 days (120 h) until its undo began are 2.47
    [
      'Realised',
      '-15.00 USD a month, of those that stand. Until now, of all changes, also the undone: -7.40 USD.',
    ],
    ['Throttled', '12 minutes a day instead of 300, of what was compared and kept.'],
  ]);
  expect(page.indexOf('<dl>')).toBeLessThan(page.indexOf('<table'));
});

test('a row says volume, settings, people, how it ended, minutes and USD', () => {
  expect(rows(changesPage(list([kept])))).toEqual([
    [
      ...['c-kept', 'kept: better / 2026-11-18 12:00 UTC', 'vol-0123456789abcdef0 / us-east-1, 111122223333'],
      'gp3, 500 GiB, 6,000 IOPS, 250 MiB/s / -&gt; gp3, 500 GiB, 3,000 IOPS, 250 MiB/s',
      'Slack user U0000000001 / approved by role dba of 111122223333 (ann)',
      ...['300', '12', '-15.00 USD a month / -4.93 USD until now'],
    ],
  ]);
});

test('of what was undone the USD a month are those that were claimed', () => {
  expect(rows(changesPage(list([undone])))[0]?.at(-1)).toBe(
    'claimed -15.00 USD a month / -2.47 USD until now',
  );
});

test('what is not known, or not compared yet, is -', () => {
  const row = aChange({ plan: { ...aPlan, monthlyUsdDelta: null }, made });
  const page = changesPage(list([row]));
  expect(rows(page)[0]?.slice(5)).toEqual(['-', '-', '- / not known until now']);
  expect(page).toContain(
    'not known: a price is missing, of those that stand. Until now, of all changes, also the undone: not known.',
  );
});

test('what is open comes before what has ended, of each the newest first', () => {
  const waiting = aChange({ id: 'c-waits', proposedSeconds: noon - 20 * day });
  const page = changesPage(list([kept, waiting, undone]));
  expect(rows(page).map(([id]) => id)).toEqual(['c-waits', 'c-kept', 'c-undone']);
});

test('a ledger without changes has no table, and a stopped one says so', () => {
  const page = changesPage(list([], { killSwitch: 'stop' }));
  expect(page).not.toContain('<table');
  expect(page).toContain('Nothing begins and nothing is undone');
});

describe('text of others', () => {
  const nasty = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e&amp;';
  const page = changesPage(
    list([
      aChange({
        ...{ id: nasty, requestedBy: `slack:${nasty}`, made },
        plan: { ...aPlan, volumeId: nasty, account: nasty, region: nasty, findingId: nasty },
        approvals: [
          { by: nasty, session: nasty, atSeconds: noon },
          { by: 'arn:aws:iam::111122223333:role/dba', session: nasty, atSeconds: noon },
        ],
      }),
    ]),
  );

  test('is text: no element and no attribute of it', () => {
    const names = new Set([...page.matchAll(/<([a-z]+)/g)].map(([, name]) => name));
    expect([...names].filter((name) => name === 'script' || name === 'img')).toEqual([]);
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toContain('\u202e');
  });

  test('the page runs nothing and fetches nothing', () => {
    expect(page).toMatch(/Content-Security-Policy" content="default-src 'none'; /);
    expect(page).not.toMatch(/script-src|https?:/);
  });
});
