/** The replay for people. */
import type { ReplayAnswer } from '../../../core/schemas/replay-answer.ts';
import { replayText } from '../../../report/terminal/replay.ts';

const limits = { baselineIops: 3_000, maximumIops: 3_000, baselineMiBps: 125, maximumMiBps: 125 };

const anAnswer = (more: Partial<ReplayAnswer> = {}): ReplayAnswer => ({
  minutes: 1_440,
  unknownMinutes: 0,
  throttledMinutes: 0,
  unservedShare: 0,
  backlogSecondsP95: 0,
  backlogSecondsMax: 0,
  backlogIoAtEnd: 0,
  lowestCreditPercent: null,
  lowestCredits: { volume: null, instanceIo: null, instanceBytes: null },
  byCause: {},
  burstMinutes: 0,
  asked: {
    meanIops: 1_000,
    highestIops: 3_999.2,
    meanMiBps: 15.6,
    highestMiBps: 62.4,
    meanIoSizeKiB: 16,
    writeShare: 0.3,
  },
  series: {
    from: '2026-11-20T00:00:00Z',
    to: '2026-11-21T00:00:00Z',
    periodSeconds: 60,
    rows: 1_440,
    repeatedTimestamps: 0,
    gaps: 0,
    overlappingRows: 0,
  },
  configuration: {
    layout: {
      kind: 'single',
      members: 1,
      volumeType: 'gp3',
      sizeGiB: 500,
      iops: 3_000,
      throughputMiBps: 125,
    },
    deployment: 'region',
    chunkKiB: 64,
    stripeEfficiency: 1,
    startBalancePercent: 100,
    volumes: limits,
    instance: null,
  },
  notes: [],
  ...more,
});

const text = (more: Partial<ReplayAnswer> = {}): string =>
  replayText(anAnswer(more), 'stripewise').join('\n');

const throttled: Partial<ReplayAnswer> = {
  throttledMinutes: 72,
  unservedShare: 0.000_001,
  backlogSecondsMax: 199.999_999_9,
  backlogSecondsP95: 12,
  byCause: { 'volume-iops': 70, 'instance-credits': 2 },
};

test('nothing throttled: asked, limits, and that less may do', () => {
  const out = text();
  expect(out).toMatch(
    /^Replayed: 2026-11-20 00:00 to 2026-11-21 00:00 UTC, 1,440 minutes, in periods of 60 s\n/,
  );
  expect(out).toMatch(/\nOn: one gp3 of 500 GiB: 3,000 IOPS and 125 MiB\/s\n/);
  expect(out).toMatch(/│ 1,000 IOPS and 15.6 MiB\/s on average +│/);
  expect(out).toMatch(/│ 16 KiB an I\/O, 30 % of them writes +│/);
  expect(out).toMatch(/│ throttled +│ never +│/);
  expect(out).toMatch(/│ lowest credits +│ no credits are spent +│/);
  expect(out).toMatch(/\nNext: nothing was throttled; another --layout/);
  expect(out).not.toMatch(/backlog|NaN|null|undefined/);
});

test('throttled: by what, what waited, and the plan for the highest rates', () => {
  const out = text(throttled);
  expect(out).toMatch(/│ 72 of 1,440 minutes \(5 %\) +│/);
  expect(out).toMatch(/│ {3}volume-iops 70 min +│\n.*│ {3}instance-credits 2 min +│/);
  expect(out).toMatch(/│ 3 min 20 s \(200 s\) at worst +│\n.*│ 12 s at the 95th percentile/);
  expect(out).toMatch(
    /Next: stripewise plan --iops 4000 --throughput-mibps 63 --capacity-gib 500 --io-size-kib 16 --read-share 0\.7:/,
  );
});

test('a share that is small is not none', () => {
  expect(text(throttled)).toMatch(/│ 0\.0001 % of all I\/O/);
});

test('what still waits at the end', () => {
  expect(text({ ...throttled, backlogIoAtEnd: 1_234.5 })).toMatch(/│ 1,235 I\/O still wait at the end/);
});

test('on an instance with credits: its limits, each bucket, and it in the plan', () => {
  const { configuration } = anAnswer();
  const instance = {
    ...{ instanceType: 'm5.large', region: 'eu-west-1', baselineIops: 3_600, maximumIops: 18_750 },
    ...{ baselineMiBps: 77.486, maximumMiBps: 566.244 },
  };
  const out = text({
    ...throttled,
    configuration: { ...configuration, deployment: 'outposts', instance },
    lowestCreditPercent: 0,
    lowestCredits: { volume: null, instanceIo: 0, instanceBytes: 99.5 },
  });
  expect(out).toMatch(/of 500 GiB on Outposts: /);
  expect(out).toMatch(
    /\n {4}m5\.large: baseline 3,600 IOPS and 77\.49 MiB\/s; burst 18,750 and 566\.24 on credits\n/,
  );
  expect(out).toMatch(/│ instance I\/O 0 %, instance bytes 99\.5 % /);
  // 4,000 IOPS and 63 MiB/s are more than 3,600: a plan counts on no credits
  expect(out).toMatch(
    / --deployment outposts --region eu-west-1:.* m5\.large has a lower baseline: it is left out/,
  );
  const enough = { ...instance, baselineIops: 4_032 }; // 63 MiB/s of 16 KiB
  const steady = text({ ...throttled, configuration: { ...configuration, instance: enough } });
  expect(steady).toMatch(/ --instance-type m5\.large --region eu-west-1: what would carry the [^.]*\.$/);
  const tooFew = { ...instance, baselineIops: 4_031 };
  expect(text({ ...throttled, configuration: { ...configuration, instance: tooFew } })).toMatch(
    /left out\.$/,
  );
});

test('a start with less than full buckets is said', () => {
  const { configuration } = anAnswer();
  const low = { configuration: { ...configuration, startBalancePercent: 20 } };
  expect(text({ ...low, lowestCreditPercent: 3 })).toMatch(
    /\n {4}every credit bucket has 20 % at the start\n/,
  );
  expect(text(low)).toMatch(/at the start \(here there is none\)/);
  expect(text()).not.toMatch(/at the start/);
});

test.each([
  ['stripe', 4, 'stripe of 4 gp3', 2_000],
  ['raid10', 4, 'RAID10 of 4 gp3', 1_000],
  ['raid5', 3, 'RAID5 of 3 gp3', 1_000],
] as const)('a %s, and the capacity that it has', (kind, members, said, capacityGiB) => {
  const { configuration } = anAnswer();
  const layout = { ...configuration.layout, kind, members };
  const out = text({ ...throttled, configuration: { ...configuration, layout } });
  expect(out).toMatch(`On: ${said} of 500 GiB: `);
  expect(out).toMatch(` --capacity-gib ${capacityGiB} `);
});

test('unknown time, unknown bursts, bursts', () => {
  expect(text({ unknownMinutes: 30 })).toMatch(/1,440 minutes, 30 of them unknown, in periods/);
  expect(text({ unknownMinutes: 30 })).toMatch(/nothing was throttled in the time that is known/);
  expect(text({ burstMinutes: null })).toMatch(/│ bursts inside periods +│ unknown +│/);
  expect(text({ burstMinutes: 1 })).toMatch(/│ 1 min: within the limits on average, not in the busy seconds/);
});

test('nothing asked: nothing to plan for', () => {
  const asked = {
    ...{ meanIops: 0, highestIops: 0, meanMiBps: 0, highestMiBps: 0 },
    ...{ meanIoSizeKiB: null, writeShare: null },
  };
  expect(text({ asked })).toMatch(/\nNext: give a --series with load\.$/);
});

test('notes are sanitized', () => {
  const note = {
    code: 'on-credits',
    instanceType: 'm5.large\u001b[31m',
    ...{ baselineIops: 3_600, baselineMiBps: 81.25 },
  } as const;
  expect(text({ notes: [note] })).toMatch(/\nnote: m5\.large\\u\{1b\}\[31m carries the highest rates /);
});

test('no line of the table is above 80 characters', () => {
  const rows = text({ ...throttled, backlogSecondsMax: 123_456, backlogSecondsP95: 98_765 })
    .split('\n')
    .filter((line) => line.startsWith('│'));
  expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(80);
});
