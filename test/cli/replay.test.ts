/** `replay` as a person types it: the figures of the contract, and what a reader is told beside them. */
import { type ReplayAnswer, replayAnswerSchema } from '../../core/schemas/replay-answer.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { csvOf, gp3Layout, readRow, replayOf, seriesHeader, timeAt } from './replay-files.ts';
import { cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();

/** The answer, which must be one by its schema and nothing more. */
async function replayed(csv: string, layout: object = gp3Layout, ...more: string[]): Promise<ReplayAnswer> {
  return replayAnswerSchema.strict().parse(await cliJson(...replayOf(directory, csv, layout), ...more));
}

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

test('gp2 of 500 GiB at 3,000: 60 minutes of credits, then they hold it back', async () => {
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
  expect(notes.join('\n')).toMatch(
    /AWS documents 30 minutes at the maximum .* \(maximum - baseline\) x 1,800 s/,
  );
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
    expect(notes).toContainEqual(
      'rows with a timestamp that comes again: 1 (2026-11-20T00:04:00Z); the last of each was kept',
    );
    expect(notes).toContainEqual(
      '15 minutes have no row (between the rows of 2026-11-20T00:04:00Z and 2026-11-20T00:20:00Z): unknown; what waits and what is saved stand still there',
    );
    expect(notes).toContainEqual('most of the time is unknown: the answer is of 6 of 21 minutes');
  });

  test('a queue says that it was recorded: more was wanted where it was held back', async () => {
    const queued = csvOf(
      [0, 1].map((minute) => `${readRow(minute, 3_000)},0,40`),
      `${seriesHeader},idle_seconds,queue_length`,
    );
    expect((await replayed(queued)).notes[0]).toMatch(
      /its rates are what was served then, not what was wanted/,
    );
    expect((await replayed(worked)).notes.join()).not.toMatch(/what was served then/);
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
    expect(notes.join()).toMatch(
      /come sooner than the period of 60 s .*: 1, the first at 2026-11-20T02:29:30Z/,
    );
  });

  test('nothing was asked for', async () => {
    const { notes, asked } = await replayed(minutesAt(3, 0));
    expect(notes).toContainEqual('nothing was asked for in the series');
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
  const notesOn = async (layout: object): Promise<string> =>
    (await replayed(worked, { ...gp3Layout, ...layout })).notes.join('\n');

  test('figures that cannot be set are those of the type', async () => {
    const odd = { volumeType: 'gp2', sizeGiB: 100, iops: 3_000, throughputMiBps: 128 };
    expect(await notesOn(odd)).toMatch(
      /^iops 3000 in the layout was ignored: gp2 of 100 GiB has 300\nthroughputMiBps 128 .* has 75\n/,
    );
    expect(await notesOn({ ...odd, iops: 300, throughputMiBps: 75 })).not.toMatch(/ignored/);
    expect(await notesOn({ ...odd, iops: undefined, throughputMiBps: undefined })).not.toMatch(/ignored/);
    expect(await notesOn({})).not.toMatch(/ignored/);
  });

  test('HDD merges, which small I/O hardly does', async () => {
    expect(await notesOn({ volumeType: 'st1', iops: 20, throughputMiBps: 20 })).toMatch(
      /st1 is taken at its MiB\/s, .* here it is 16 KiB on average and will hardly merge/,
    );
  });

  test('standard is promised nothing', async () => {
    expect(await notesOn({ volumeType: 'standard', iops: 100, throughputMiBps: 40 })).toMatch(
      /standard is taken at its average/,
    );
  });
});

describe('credits that were spent and sufficed', () => {
  const gp2 = { ...gp3Layout, volumeType: 'gp2', iops: 1_500, throughputMiBps: 250 };
  const large = { ...gp3Layout, iops: 16_000, throughputMiBps: 500 };

  test('below a quarter: how low, and that a longer load empties them', async () => {
    // 3,000 - 1,500 = 1,500 a second of 5.4 M: 50 min leave a sixth, 40 min a third
    const note =
      'nothing was held back, but credits went low: of the volume to 16.7 %; the same load for longer would empty them';
    expect((await replayed(minutesAt(50, 3_000), gp2)).notes.join('\n')).toContain(note);
    expect((await replayed(minutesAt(40, 3_000), gp2)).notes.join('\n')).not.toContain('went low');
    // Held back after 60 min: that is said as such.
    expect((await replayed(minutesAt(70, 3_000), gp2)).notes.join('\n')).not.toContain('went low');
  });

  test('what was low from the start and not spent is not told', async () => {
    const low = await replayed(minutesAt(3, 1_500), gp2, '--start-balance-percent', '20');
    expect(low.notes.join('\n')).not.toContain('went low');
  });

  test('of an instance: it carries the load on credits only', async () => {
    const on = ['--instance-type', 'm5.large'];
    const said =
      'm5.large carries the highest rates of this load on its credits only: all the time it does 3,600 IOPS';
    expect((await replayed(minutesAt(60, 10_000), large, ...on)).notes.join('\n')).toContain(said);
    expect((await replayed(minutesAt(60, 3_000), large, ...on)).notes.join('\n')).not.toContain(said);
    expect((await replayed(minutesAt(75, 10_000), large, ...on)).notes.join('\n')).not.toContain(said);
  });
});

test('the command of the Next line works: an instance that needs credits is left out of the plan', async () => {
  const layout = { ...gp3Layout, iops: 16_000, throughputMiBps: 500 };
  const { out } = await runCli(
    ...[...replayOf(directory, minutesAt(75, 10_000), layout), '--instance-type', 'm5.large'],
  );
  const [, command] =
    /Next: \S+ (plan .*?): what would carry .* m5\.large does not do them all the time/.exec(out) ?? [];
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
