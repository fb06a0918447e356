/** `replay` as a person types it: the figures of the contract, and what a reader is reported beside them. */
import { type ReplayAnswer, type ReplayNote, replayAnswerSchema } from '../../core/schemas/replay-answer.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { csvOf, gp3Layout, readRow, replayOf, seriesHeader, timeAt } from './replay-files.ts';
import { cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();

/** The answer, which must be one by its schema and nothing more. */
async function replayed(csv: string, layout: object = gp3Layout, ...more: string[]): Promise<ReplayAnswer> {
  return replayAnswerSchema.strict().parse(await cliJson(...replayOf(directory, csv, layout), ...more));
}

const codesOf = ({ notes }: ReplayAnswer): ReplayNote['code'][] => notes.map(({ code }) => code);

const worked = csvOf(Array.from({ length: 30 }, (_, i) => readRow(i, i < 10 ? 4_000 : 2_000)));
const minutesAt = (minutes: number, iops: number): string =>
  csvOf(Array.from({ length: minutes }, (_, i) => readRow(i, iops)));

test('10 minutes at 4,000 IOPS against 3,000, then 2,000', async () => {
  expect(await replayed(worked)).toMatchObject({
    minutes: 30,
    unknownMinutes: 0,
    throttledMinutes: 20,
    unservedShare: 0.6375, // 3,060 of 4,800 thousand
    backlogSecondsP95: 180,
    backlogSecondsMax: 200, // 600,000 / 3,000
    backlogIoAtEnd: 0,
    lowestCreditPercent: null,
    byCause: { 'volume-iops': 20 },
    burstMinutes: null,
    asked: { highestIops: 4_000, highestMiBps: 62.5, meanIoSizeKiB: 16, writeShare: 0 },
    series: { from: '2026-11-20T00:00:00Z', to: '2026-11-20T00:30:00Z', periodSeconds: 60, rows: 30 },
  });
});

test('gp2 of 500 GiB at 3,000: 60 minutes of credits, then it is throttled', async () => {
  const gp2 = { ...gp3Layout, volumeType: 'gp2', iops: 1_500, throughputMiBps: 250 };
  expect(await replayed(minutesAt(70, 3_000), gp2)).toMatchObject({
    byCause: { 'volume-credits': 10 },
    lowestCreditPercent: 0,
    configuration: { volumes: { baselineIops: 1_500, maximumIops: 3_000 } },
  });
  const half = await replayed(minutesAt(70, 3_000), gp2, '--start-balance-percent', '50');
  expect(half.byCause).toEqual({ 'volume-credits': 40 }); // 2.7 M / 1,500 = 30 min
});

test('an instance: 3,600 IOPS all the time, 18,750 for 30 minutes', async () => {
  const layout = { ...gp3Layout, iops: 16_000, throughputMiBps: 500 };
  const { byCause, lowestCredits, notes, configuration } = await replayed(
    minutesAt(60, 10_000),
    layout,
    ...['--instance-type', 'm5.large'],
  );
  // By I/O (18,750 - 3,600) x 1,800 = 27.27 M credits, 6,400 a second: 4,261 s. By bytes 156.25 MiB/s against
  // 77.486: (566.244 - 77.486) x 1,800 = 879,764 MiB, 78.764 a second: 11,170 s.
  expect(byCause).toEqual({});
  expect(lowestCredits.instanceIo).toBeCloseTo(100 * (1 - (6_400 * 3_600) / 27_270_000), 4);
  expect(lowestCredits.instanceBytes).toBeCloseTo(100 * (1 - (78.764 * 3_600) / 879_764.4), 4);
  expect(configuration.instance).toMatchObject({ instanceType: 'm5.large', region: 'us-east-1' });
  expect(notes).toContainEqual({ code: 'instance-credits-assumed' });
  const longer = await replayed(minutesAt(75, 10_000), layout, '--instance-type', 'm5.large');
  expect(longer.byCause).toEqual({ 'instance-credits': 4 }); // 71 whole minutes are within 4,261 s
});

test('chunk, efficiency and deployment', async () => {
  const stripe = { ...gp3Layout, kind: 'stripe', members: 2 };
  const rows = Array.from({ length: 3 }, (_, i) => `${timeAt(i)},180000,0,${180_000 * 65_536},0`);
  // 3,000 of 64 KiB on 2 x 3,000: one piece each by 64 KiB, two by 32 KiB, 187.5 of 250 MiB/s
  expect((await replayed(csvOf(rows), stripe)).throttledMinutes).toBe(0);
  expect((await replayed(csvOf(rows), stripe, '--chunk-kib', '16')).byCause).toEqual({ 'volume-iops': 3 });
  const weak = await replayed(csvOf(rows), stripe, '--stripe-efficiency', '0.7'); // 175 MiB/s
  expect(weak.byCause).toEqual({ 'volume-throughput': 3 });
  const outposts = await replayed(csvOf(rows), stripe, '--deployment', 'outposts');
  expect(outposts.configuration.deployment).toBe('outposts');
});

test('what a plan finds for a rate carries it, and the option can be given whole', async () => {
  const need = ['--iops', '15000', '--throughput-mibps', '625', '--capacity-gib', '1000'];
  const { options } = await cliJson<{ options: { layout: { members: number } }[] }>('plan', ...need);
  const rows = Array.from({ length: 5 }, (_, i) => `${timeAt(i)},900000,0,${625 * 60 * 1_048_576},0`);
  for (const option of options) {
    expect((await replayed(csvOf(rows), option)).throttledMinutes).toBe(0);
    expect((await replayed(csvOf(rows), option.layout)).throttledMinutes).toBe(0);
  }
});

describe('what is odd about a series is said', () => {
  test('missing rows are unknown and counted, a repeated timestamp is reported, the last kept', async () => {
    const rows = [0, 1, 2, 3, 4].map((minute) => readRow(minute, 1_000));
    const odd = csvOf([...rows, readRow(4, 3_500), readRow(20, 1_000)]);
    const { minutes, unknownMinutes, throttledMinutes, series, notes } = await replayed(odd);
    expect({ minutes, unknownMinutes }).toEqual({ minutes: 21, unknownMinutes: 15 });
    expect(throttledMinutes).toBe(2); // 3,500 in minute 4; its 30,000 take 15 s of minute 20
    expect(series).toMatchObject({ rows: 7, repeatedTimestamps: 1, gaps: 1 });
    expect(notes).toContainEqual({
      ...{ code: 'repeated-timestamps', rows: 1, at: ['2026-11-20T00:04:00Z'], more: 0 },
    });
    expect(notes).toContainEqual({
      ...{ code: 'gaps', minutes: 15, gaps: 1 },
      ...{ longestFrom: '2026-11-20T00:04:00Z', longestTo: '2026-11-20T00:20:00Z' },
    });
    expect(notes).toContainEqual({ code: 'mostly-unknown', knownMinutes: 6, minutes: 21 });
  });

  test('a queue says that it was recorded: demand was higher where it was throttled', async () => {
    const queued = csvOf(
      [0, 1].map((minute) => `${readRow(minute, 3_000)},0,40`),
      `${seriesHeader},idle_seconds,queue_length`,
    );
    expect(codesOf(await replayed(queued))[0]).toBe('recorded-rates');
    expect(codesOf(await replayed(worked))).not.toContain('recorded-rates');
  });

  test('idle seconds show bursts that the average hides', async () => {
    const bursts = csvOf(
      [20, 50].map((idle, minute) => `${readRow(minute, 1_000)},${idle}`),
      `${seriesHeader},idle_seconds`,
    );
    // 60,000 I/O in 40 s are 1,500 a second, in 10 s 6,000
    expect(await replayed(bursts)).toMatchObject({ burstMinutes: 1, throttledMinutes: 0 });
  });

  test('rows nearer to each other than the period', async () => {
    const rows = Array.from({ length: 150 }, (_, minute) => readRow(minute, 100));
    const shifted = csvOf([...rows, `2026-11-20T02:29:30Z,1,0,1,0`]);
    const { series, notes } = await replayed(shifted);
    expect(series.overlappingRows).toBe(1);
    expect(notes).toContainEqual({
      ...{ code: 'overlapping-rows', rows: 1, firstAt: '2026-11-20T02:29:30Z', periodSeconds: 60 },
    });
  });

  test('nothing was asked for', async () => {
    const { notes, asked } = await replayed(minutesAt(3, 0));
    expect(notes).toContainEqual({ code: 'nothing-asked' });
    expect(asked).toMatchObject({ meanIops: 0, meanIoSizeKiB: null, writeShare: null });
  });

  test('two rows are enough, of a byte each', async () => {
    const tiny = csvOf([`${timeAt(0)},1,0,1,0`, `${timeAt(1)},0,1,0,1`]);
    expect(await replayed(tiny)).toMatchObject({
      minutes: 2,
      throttledMinutes: 0,
      asked: { writeShare: 0.5 },
    });
  });
});

describe('what was taken for granted is said', () => {
  const notesOn = async (layout: object): Promise<ReplayNote[]> =>
    (await replayed(worked, { ...gp3Layout, ...layout })).notes;
  const ignoredOn = async (layout: object): Promise<ReplayNote[]> =>
    (await notesOn(layout)).filter(({ code }) => code === 'ignored-figure');

  test('figures that cannot be set are those of the type', async () => {
    const odd = { volumeType: 'gp2', sizeGiB: 100, iops: 3_000, throughputMiBps: 128 };
    const of = { code: 'ignored-figure', volumeType: 'gp2', sizeGiB: 100 };
    expect(await ignoredOn(odd)).toEqual([
      { ...of, figure: 'iops', given: 3_000, has: 300 }, // 3 x 100
      { ...of, figure: 'throughputMiBps', given: 128, has: 75 }, // 300 of 256 KiB
    ]);
    expect(await ignoredOn({ ...odd, iops: 300, throughputMiBps: 75 })).toEqual([]);
    expect(await ignoredOn({ ...odd, iops: undefined, throughputMiBps: undefined })).toEqual([]);
    expect(await ignoredOn({})).toEqual([]);
  });

  test('HDD merges, which small I/O hardly does', async () => {
    expect(await notesOn({ volumeType: 'st1', iops: 20, throughputMiBps: 20 })).toContainEqual({
      ...{ code: 'hdd-merged', volumeType: 'st1', smallIoSizeKiB: 16 },
    });
  });

  test('standard is promised nothing', async () => {
    const notes = await notesOn({ volumeType: 'standard', iops: 100, throughputMiBps: 40 });
    expect(notes).toContainEqual(
      expect.objectContaining({ code: 'average-of-type', volumeType: 'standard' }),
    );
  });
});

describe('credits that were spent and sufficed', () => {
  const gp2 = { ...gp3Layout, volumeType: 'gp2', iops: 1_500, throughputMiBps: 250 };
  const large = { ...gp3Layout, iops: 16_000, throughputMiBps: 500 };

  test('below a quarter: how low, and that a longer load empties them', async () => {
    // 3,000 - 1,500 = 1,500 a second of 5.4 M: 50 min leave a sixth, 40 min a third
    expect((await replayed(minutesAt(50, 3_000), gp2)).notes).toContainEqual({
      code: 'low-credits',
      lowest: [{ bucket: 'volume', percent: expect.closeTo(100 / 6, 4) }],
    });
    expect(codesOf(await replayed(minutesAt(40, 3_000), gp2))).not.toContain('low-credits');
    // Throttled after 60 min: that is said as such.
    expect(codesOf(await replayed(minutesAt(70, 3_000), gp2))).not.toContain('low-credits');
  });

  test('what was low from the start and not spent is not reported', async () => {
    const low = await replayed(minutesAt(3, 1_500), gp2, '--start-balance-percent', '20');
    expect(codesOf(low)).not.toContain('low-credits');
  });

  test('of an instance: it carries the load on credits only', async () => {
    const on = ['--instance-type', 'm5.large'];
    expect((await replayed(minutesAt(60, 10_000), large, ...on)).notes).toContainEqual(
      expect.objectContaining({ code: 'on-credits', instanceType: 'm5.large', baselineIops: 3_600 }),
    );
    expect(codesOf(await replayed(minutesAt(60, 3_000), large, ...on))).not.toContain('on-credits');
    expect(codesOf(await replayed(minutesAt(75, 10_000), large, ...on))).not.toContain('on-credits');
  });
});

test('the command of the Next line works: an instance that needs credits is left out of the plan', async () => {
  const layout = { ...gp3Layout, iops: 16_000, throughputMiBps: 500 };
  const { out } = await runCli(
    ...[...replayOf(directory, minutesAt(75, 10_000), layout), '--instance-type', 'm5.large'],
  );
  const [, command] =
    /Next: \S+ (plan .*?): what would carry .* m5\.large has a lower baseline/.exec(out) ?? [];
  if (command === undefined) throw new Error(out);
  const plan = await runCli(...command.split(' '));
  expect(plan.code).toBe(0);
  expect(plan.out).not.toContain('Nothing is good enough');
});

test('without --json it is for people', async () => {
  const { code, out, err } = await runCli(...replayOf(directory, worked));
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^Replayed: 2026-11-20 00:00 to 2026-11-20 00:30 UTC, 30 minutes/);
});

test('--help shows examples', async () => {
  expect((await runCli('replay', '--help')).out).toMatch(/Examples:\n {2}stripewise replay --series /);
});
