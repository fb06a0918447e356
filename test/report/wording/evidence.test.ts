/** Evidence is shown in words with units. */
import type { EvidenceKey } from '../../../core/schemas/evidence.ts';
import type { AnyEvidence } from '../../../core/schemas/finding.ts';
import { evidenceNames, evidenceParts } from '../../../report/wording/evidence.ts';

const line = (evidence: AnyEvidence, key: EvidenceKey) =>
  evidenceParts(evidence)
    .flatMap(({ lines }) => lines)
    .find(({ label }) => label === evidenceNames[key][1]);
const text = (evidence: AnyEvidence) => {
  const [key] = Object.keys(evidence) as EvidenceKey[];
  return key && line(evidence, key)?.text;
};

test.each<[AnyEvidence, string]>([
  [{ limitIops: 3_000 }, '3,000 IOPS'],
  [{ topAverageMiBps: 124.96 }, '125 MiB/s'],
  [{ demandMiBpsAtMost: 46.3 }, '46.3 MiB/s'],
  [{ recommendedSizeGiB: 100 }, '100 GiB'],
  [{ medianLatencyMsThrottled: 43.521 }, '43.52 ms'],
  [{ lowestBalancePercent: 0 }, '0 %'],
  [{ throttledMinutesPeak24h: 12.5 }, '12.5 min'],
  [{ slowMinutesInWindow: 3 }, '3 min'],
  [{ burstSecondsMedian: 4.25 }, '4.3 s'],
  [{ knownHours: 26 }, '26 h'],
  [{ monthlyUsd: 1_090 }, '1,090.00 USD'],
  [{ timesSiblings: 2.5 }, '2.5 times'],
  [{ rateShare: 0.97 }, '97 %'],
  [{ topQueueLength: 130.63 }, '130.63'],
  [{ periodsProvedByCheck: 8 }, '8'],
  [{ replayMedianDeviationPoints: 1.2 }, '1.2 percentage points'],
  [{ lastActive: '2026-11-20T00:00:00Z' }, '2026-11-20 00:00 UTC'],
  [{ bindingLimit: 'iops+throughput' }, 'IOPS and throughput together'],
  [{ decidedBy: 'sum-of-volumes' }, 'its volumes together reached the limit while I/O queued'],
  [{ stripeEvidence: 'tag' }, 'a tag on each'],
  [{ balanceBasis: 'metric' }, 'as CloudWatch published it'],
  [
    { balanceBasis: 'simulated-merged-io' },
    'simulated from a full bucket, with every I/O taken as sequential and merged: none was published',
  ],
  [
    { balanceDisagrees: true },
    'the load costs other than its metrics show, as small I/O on HDD that is not merged, or its series has gaps',
  ],
  [{ isOnOutpost: true }, 'that of the Region: an Outpost is billed by its rack'],
  [{ forecastBy: 'recent-rate' }, 'the rate of the last 30 minutes'],
  [{ burstsUnknownReason: 'no-queue-metric' }, 'there is no queue metric: what waited is not known'],
])('%j reads: %s', (evidence, notified) => {
  expect(text(evidence)).toBe(notified);
});

test.each<[NonNullable<AnyEvidence['rhythm']>, string]>([
  [{ code: 'points-over-an-hour' }, 'none: its points stand for more than an hour'],
  [{ code: 'short-history', hours: 23 }, 'none: 23 h of history, a daily rhythm needs 24 h'],
  [{ code: 'hours-differ' }, 'none: its hours are not alike from day to day or from week to week'],
  [{ code: 'never-above-baseline' }, 'none: its rate was never above its baseline'],
  [
    { code: 'not-empty-in-7-days', historyDays: 9.96 },
    'from 10 days of history: not empty within the next 7 days',
  ],
  [
    { code: 'one-day', historyDays: 1.02 },
    'by hour of the day (UTC), from 1 days of history: seen on one day only',
  ],
  [
    { code: 'hour-of-day', historyDays: 5.02 },
    'by hour of the day (UTC), from 5 days of history; what came on one day only is left out',
  ],
  [
    { code: 'hour-of-week', historyDays: 14 },
    'by hour of the week (UTC), from 14 days of history; what came on one day only is left out',
  ],
])('the rhythm %j', (rhythm, notified) => {
  expect(text({ rhythm })).toBe(notified);
});

test('EBS cards are reported one by one; of one whose MiB/s are not known what its volumes have', () => {
  const card = { iops: 9_000, maximumIops: 20_000, mibps: 1_525 };
  expect(
    text({
      cards: [
        { card: 0, ...card, maximumMiBps: 1_000, volumes: 3 },
        { card: 1, ...card, maximumMiBps: null, volumes: 1 },
      ],
    }),
  ).toEqual([
    'card 0: 9,000 of 20,000 IOPS, 1,525 of 1,000 MiB/s, 3 volumes',
    'card 1: 9,000 of 20,000 IOPS, 1,525 MiB/s, 1 volume',
  ]);
});

test('what is configured otherwise stands beside what the others are', () => {
  const configuration = { volumeType: 'gp2', sizeGiB: 100, iops: 300, throughputMiBps: 75 };
  const othersConfiguration = { volumeType: 'gp9', sizeGiB: 200, iops: null, throughputMiBps: null };
  const unlike = { volumeId: 'vol-3', configuration, othersConfiguration };
  const said = 'gp2, 100 GiB, 300 IOPS, 75 MiB/s (the others: gp9, 200 GiB)';
  expect(text({ unlikeSiblings: unlike })).toBe(said);
  expect(text({ unlikeMembers: [unlike, { ...unlike, othersConfiguration: null }] })).toEqual([
    `vol-3: ${said}`,
    'vol-3: gp2, 100 GiB, 300 IOPS, 75 MiB/s',
  ]);
});

test('what was left out says why', () => {
  expect(
    text({
      volumesLeftOut: [
        { code: 'multi-attach', volumeId: 'vol-1' },
        {
          ...{ code: 'configuration-unknown', volumeId: 'vol-2' },
          reason: { code: 'configuration-refused', reason: 'gp3 has at least 3,000 IOPS' },
        },
        { code: 'excluded', count: 2 },
      ],
    }),
  ).toEqual([
    'vol-1: Multi-Attach, other instances use it too',
    'vol-2: EBS has no such configuration: gp3 has at least 3,000 IOPS',
    '2 volumes more: excluded by the configuration',
  ]);
  expect(text({ throughputNotEvaluatedReason: { code: 'bandwidth-weighting', weighting: 'vpc-1' } })).toBe(
    'its bandwidth weighting is vpc-1: EC2 does not report what that leaves for EBS',
  );
});

test('rates of bursts and of credits have the unit that stands beside them', () => {
  expect(text({ burstRateMedian: 9_000, burstUnit: 'IOPS' })).toBe('9,000 IOPS');
  expect(text({ drainPerSecond: 12.25, unit: 'MiB/s' })).toBe('12.3 MiB/s');
});

test('what is not known is said so, and a zero is a figure', () => {
  expect(line({ topQueueLength: null }, 'topQueueLength')).toMatchObject({
    text: 'not known',
    isKnown: false,
  });
  expect(line({ topQueueLength: 0 }, 'topQueueLength')).toMatchObject({ text: '0', isKnown: true });
});

test('where there is no reason and no oddity there is nothing to tell', () => {
  const nothing = { priceUnknownReason: null, alike: [], balanceDisagrees: false, isOnOutpost: false };
  expect(evidenceParts({ ...nothing, unlikeSiblings: null, unlikeMembers: [] })).toEqual([]);
});

test('lists stay lists; an empty one that is asked for says none', () => {
  expect(text({ members: ['vol-1', 'vol-2'] })).toEqual(['vol-1', 'vol-2']);
  expect(text({ volumesToLower: [] })).toBe('none');
});

test('text of the account is shown as it is, also where it is called like something of a JavaScript object', () => {
  expect(text({ worstMember: 'constructor' })).toBe('constructor');
  expect(text({ instanceType: '<img src=x>' })).toBe('<img src=x>');
});

test('groups come in the order in which they are read', () => {
  const parts = evidenceParts({ monthlyUsd: 1, limitIops: 1, throttledMinutesPeak24h: 1 });
  expect(parts.map(({ group }) => group)).toEqual(['When', 'Limits', 'Money']);
});

test('no name is the raw key, and no two are the same', () => {
  const names = Object.values(evidenceNames).map(([, name]) => name);
  expect(names.filter((name) => /[a-z][A-Z](?!OPS|iB)/.test(name.replaceAll('MiB/s', '')))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});
