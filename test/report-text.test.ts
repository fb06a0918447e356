/** Text from an account is data: on a terminal it moves no cursor, changes no color and hides nothing. */
import fc from 'fast-check';
import type { Io } from '../cli/io.ts';
import { main } from '../cli/main.ts';
import { duration, sanitize } from '../report/terminal/text.ts';
import { runCli } from './cli/run-cli.ts';
import { day, describeVolumes, getMetricData, load } from './fixtures/aws-cli.ts';
import { temporaryDirectory } from './fixtures/temporary-directory.ts';
import { untrustedText } from './fixtures/untrusted-text.ts';

const directory = temporaryDirectory();

test('no control, format or direction character survives, and nothing grows without bound', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const shown = sanitize(text, 40);
      expect(shown).not.toMatch(/\p{C}/u);
      expect([...sanitize(text.replace(/\p{C}/gu, ''), 40)].length).toBeLessThanOrEqual(40);
    }),
    { seed: 5, numRuns: 500 },
  );
});

test('an untrusted name in a findings table is visible and harmless', async () => {
  const name = '\u001b[2J\u202Eevil\u0007<b>';
  const volumes = directory.write('v.json', describeVolumes({ Tags: [{ Key: 'Name', Value: name }] }));
  const metrics = directory.write(
    'm.json',
    getMetricData(...load('vol-0123456789abcdef0', day(60), { VolumeStalledIOCheck: day(1) })),
  );
  const { out } = await runCli('audit', '--volumes', volumes, '--metrics', metrics);
  expect(out).not.toContain('\u001b[2J');
  expect(out).not.toContain('\u202E');
  expect(out).toContain('\\u{1b}[2J');
});

test('an error that nobody expected is reported with where it happened, and moves nothing', async () => {
  const err: string[] = [];
  const io = { err: (line: string) => void err.push(line) } as Partial<Io> as Io;
  await fc.assert(
    fc.asyncProperty(untrustedText, async (text) => {
      err.length = 0;
      const failing = new Error(text);
      const now = (): Date => {
        throw failing;
      };
      const volumes = directory.write('v.json', describeVolumes({}));
      expect(await main(['audit', 'queries', '--volumes', volumes], { ...io, now })).toBe(4);
      expect(err.join('').replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(err.join('')).toContain('report-text.test.ts');
    }),
    { numRuns: 30 },
  );
});

test.each([
  [0, '0 s'],
  [0.5, '0.5 s'],
  [59, '59 s'],
  [3_600, '1 h (3,600 s)'],
  [4_993.2, '1 h 23 min (4,993 s)'],
  [1_800_000, '20 d 20 h (1,800,000 s)'],
])('%d seconds are said as %s', (seconds, said) => {
  expect(duration(seconds)).toBe(said);
});
