/** `stripewise history heat-map`: in the terminal, as data, as a page and as a picture. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayStart } from '../../core/archive/keys.ts';
import { heatMapSchema } from '../../core/schemas/history-heat-map.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson, runCli } from './run-cli.ts';
import { writeArchive } from './written-archive.ts';

const directory = temporaryDirectory();
const archive = join(directory.path, 'archive');
const id = 'vol-0000000000000aaaa';
/** A Monday. */
const first = dayStart('2026-11-02');
const days = 14;

/** 100 IOPS; 1,000 from 09:00 to 10:59 on each Tuesday; without points on the first Friday. */
beforeAll(async () => {
  const dayOf = (minute: number): number => Math.floor(minute / 1_440);
  const times = Array.from({ length: days * 1_440 }, (_, i) => first + i * 60);
  const isBusy = (minute: number): boolean =>
    dayOf(minute) % 7 === 1 && minute % 1_440 >= 540 && minute % 1_440 < 660;
  await writeArchive(
    archive,
    { account: '111122223333', region: 'us-east-1' },
    [
      {
        id,
        epochSeconds: times.filter((time) => dayOf((time - first) / 60) !== 4),
        metrics: {
          VolumeReadOps: (minute) => (isBusy(minute) ? 60_000 : 6_000),
          VolumeWriteOps: () => 0,
        },
      },
    ],
    { fromSeconds: first, endSeconds: first + days * 86_400 },
  );
});

const here = (...more: string[]): string[] => ['history', 'heat-map', id, '--archive', archive, ...more];

test('in the terminal: an hour of the week is two columns, a week of days is one', async () => {
  const { code, out, err } = await runCli(...here());
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const lines = out.split('\n');
  expect(lines[2]).toBe(
    '  Highest hour of the week: Tue 09:00 UTC, 1,000 IOPS on average. Highest day: 2026-11-03, 1,000.',
  );
  // 100 of 1,000 is within the first fifth: blank.
  expect(lines.slice(4, 8)).toEqual([
    'IOPS by hour of the week, on average (highest 1,000; UTC)',
    '       00:00       06:00       12:00       18:00',
    `  Mon  ${' '.repeat(48)}`.trimEnd(),
    `  Tue  ${' '.repeat(18)}████`,
  ]);
  const byDay = lines.slice(lines.findIndex((line) => line.startsWith('IOPS day by day')) + 2);
  expect(byDay.slice(0, 5)).toEqual(['  Mon', '  Tue  ██', '  Wed', '  Thu', '  Fri  ·']);
});

test('as data', async () => {
  const map = heatMapSchema.parse(await cliJson(...here()));
  expect(map.week[1]?.slice(8, 12)).toEqual([100, 1_000, 1_000, 100]);
  expect(map.days[4]).toMatchObject({ day: '2026-11-06', value: null });
});

test('as a page without scripts, and as a picture: what it shows stands in text, too', async () => {
  const [html, svg] = [join(directory.path, 'year.html'), join(directory.path, 'year.svg')];
  const note = '<script>alert(1)</script> & generated';
  const { code, err } = await runCli(...here('--html', html, '--chart', svg, '--note', note));
  expect(code).toBe(0);
  expect(err).toMatch(/wrote .*year.html \(14 days, .*\nwrote .*year.svg \(14 days/);
  const page = readFileSync(html, 'utf8');
  expect(page).not.toContain('<script');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; generated');
  expect(page).toContain("default-src 'none'");
  expect(page).toMatch(/<img alt="Highest hour of the week: Tue 09:00 UTC, 1,000 IOPS/);
  expect(page).toContain('<th scope="row">2026-11-03</th><td>1,000</td>');
  // Not known is no zero.
  expect(page).toContain('<th scope="row">2026-11-06</th><td>-</td>');
  const picture = readFileSync(svg, 'utf8');
  expect(picture).toContain('<desc>Highest hour of the week: Tue 09:00 UTC');
  expect(picture).not.toContain('<script');
});

test('where nothing can be read, no page is left', async () => {
  const html = join(directory.path, 'none.html');
  await expectOneLine(
    ['history', 'heat-map', 'vol-0', '--archive', archive, '--html', html],
    /vol-0 is not in it/,
  );
  expect(existsSync(html)).toBe(false);
});
