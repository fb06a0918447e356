/** The archive of `npm run demo:history`: of ten generated volumes, always the same, and labelled. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { volumeHistorySchema } from '../../core/schemas/history-answers.ts';
import { generatedLabel, generatedTarget, writeGenerated } from '../../local/history/generated-archive.ts';
import { generatedVolumes, idOf, minutesOfVolume } from '../../local/history/generated-volumes.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const archive = join(directory.path, 'archive');
/** From 25 August on, so 31 August is the last. */
const days = 7;
const steps: string[] = [];

beforeAll(() => writeGenerated(directory.path, days, (step) => steps.push(step)));

const historyOf = async (name: string) =>
  volumeHistorySchema.parse(await cliJson('history', 'volume', idOf({ name }), '--archive', archive));

test('each of the ten has its minutes, and it says that they are generated', async () => {
  expect(readFileSync(join(directory.path, 'GENERATED.txt'), 'utf8')).toBe(`${generatedLabel}\n`);
  for (const { name } of generatedVolumes)
    expect(await historyOf(name)).toMatchObject({ minutesWithPoints: days * 1_440, holes: [] });
  expect(steps.at(-1)).toBe('the days up to 2026-08-31 are put into one file');
});

test('at the end of the month billing is at its limit of 3,000 IOPS, and throttled on that day alone', async () => {
  const { days: found } = await historyOf('billing');
  const [sunday, monday] = found.slice(-2);
  expect(monday).toMatchObject({ day: '2026-08-31', maxIops: 3_000 });
  expect(monday?.throttledMinutes).toBeGreaterThan(300);
  // A Sunday has 0.3 of what a weekday has: 5,500 x 0.3 x 1.3 = 2,145 at most.
  expect(sunday?.maxIops).toBeLessThanOrEqual(2_145);
  expect(found.slice(0, -1).map(({ throttledMinutes }) => throttledMinutes)).toEqual(new Array(6).fill(0));
});

test('a second time it is the same', () => {
  const [first] = generatedVolumes;
  const window = { firstSeconds: 0, fromSeconds: 86_400, endSeconds: 2 * 86_400 };
  const minutes = () => minutesOfVolume(first as (typeof generatedVolumes)[number], generatedTarget, window);
  expect(minutes()).toEqual(minutes());
});

test('its volumes are described as the AWS CLI does, so that a trend has limits', async () => {
  const volumes = join(directory.path, 'volumes.json');
  const id = idOf({ name: 'ledger' });
  const { code, out } = await runCli('history', 'trend', id, '--archive', archive, '--volumes', volumes);
  expect(code).toBe(0);
  expect(out).toContain('unknown: 7 days known, a trend needs 30');
});
