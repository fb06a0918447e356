/** The evidence of a finding as people read it: what each figure is, with its unit, in groups that belong together. */
import { figure, usdText } from '../../core/figures.ts';
import type {
  CardEvidence,
  EvidenceKey,
  LeftOut,
  RhythmEvidence,
  UnlikeMember,
} from '../../core/schemas/evidence.ts';
import type { AnyEvidence } from '../../core/schemas/finding.ts';
import { assumptionText, needUnknownText, notRecommendedText } from './demand.ts';
import { hostStatisticsText } from './host-statistics.ts';
import { io2NotRecommendedWords } from './latency.ts';
import { configurationReasonText, priceReasonText, typeReasonText } from './reasons.ts';
import { counted, rateText } from './words.ts';

const groups = [
  'When',
  'Limits',
  'Load',
  'Demand',
  'Bursts',
  'Credits',
  'Volumes',
  'Money',
  'How sure',
] as const;
type EvidenceGroup = (typeof groups)[number];

type Named = readonly [EvidenceGroup, string];

const of = <Key extends EvidenceKey>(
  group: EvidenceGroup,
  names: Record<Key, string>,
): Record<Key, Named> => {
  const entries = Object.entries<string>(names).map(([key, name]): [string, Named] => [key, [group, name]]);
  return Object.fromEntries(entries) as Record<Key, Named>;
};

/** What each figure is called: in the order in which people read them. A key without a name does not compile. */
export const evidenceNames: Record<EvidenceKey, Named> = {
  ...of('When', {
    throttledMinutesInWindow: 'Throttled in the whole window',
    throttledMinutesPeak24h: 'Throttled in the peak 24 hours',
    throttledMinutesInPeakHour: 'Throttled in the peak hour',
    peakHour: 'The peak hour begins',
    throttledMinutesOfLastFive: 'Throttled in the last five minutes',
    createdAt: 'Made',
    slowMinutesInWindow: 'Slow, in the whole window',
    slowMinutesPeak24h: 'Slow, in the peak 24 hours',
    firstHalfSlowShare: 'Slow reads, of the first half of periods with reads',
    secondHalfSlowShare: 'Slow reads, of the second half',
    lastActive: 'Last operation',
    scheduledDays: 'Scheduled on',
    busyFromUtc: 'Busy from (UTC)',
    busyUntilUtc: 'Busy until (UTC)',
    raiseAtUtc: 'Raised at (UTC)',
    lowerAtUtc: 'Lowered at (UTC)',
    leadMinutes: 'Raised before the busy hours by',
    longestModificationMinutes: 'The longest earlier modification took',
    earlierModifications: 'Earlier modifications that are known',
    highPercent: 'Charged with the high figures, of the time',
    historyDays: 'Days of one-minute points',
    heldOutDays: 'Tried on so many days, made of those before',
    knownHours: 'Hours with figures',
    state: 'State',
  }),
  ...of('Limits', {
    bindingLimit: 'What it reached',
    limitIops: 'Maximum IOPS, with credits',
    limitMiBps: 'Maximum throughput, with credits',
    baselineIops: 'Baseline IOPS',
    baselineMiBps: 'Baseline throughput',
    instanceType: 'Instance type',
    instanceMaximumIops: 'Maximum IOPS of the instance',
    instanceBaselineIops: 'Baseline IOPS of the instance',
    instanceMaximumMiBps: 'Maximum throughput of the instance',
    instanceBaselineMiBps: 'Baseline throughput of the instance',
    provisionedIops: 'IOPS of its volumes together',
    provisionedMiBps: 'Throughput of its volumes together',
    excessIops: 'IOPS that cannot be reached',
    excessMiBps: 'Throughput that cannot be reached',
    throughputNotEvaluatedReason: 'Throughput was not evaluated, because',
    cards: 'EBS cards',
  }),
  ...of('Load', {
    topAverageIops: 'Highest IOPS of a period',
    topAverageMiBps: 'Highest throughput of a period',
    topActiveTimeIops: 'Highest active-time IOPS',
    topIopsOfAllVolumes: 'Highest IOPS of all its volumes together',
    topMiBpsOfAllVolumes: 'Highest throughput of all its volumes together',
    peakIops: 'IOPS that count for sizing',
    peakMiBps: 'Throughput that counts for sizing',
    topQueueLength: 'Longest queue (operations that wait)',
    medianLatencyMs: 'Latency as a rule (median)',
    targetLatencyMs: 'Latency target',
    slowLatencyMsMedian: 'Latency above the target (median)',
    slowIoKiBMedian: 'I/O size in those minutes (median)',
    medianLatencyMsThrottled: 'Latency while it was throttled (median)',
    siblingsMedianLatencyMs: 'Latency of its siblings (median)',
    timesSiblings: 'Slower than its siblings by',
    rateShare: 'Its operations, of an equal share',
    snapshotId: 'Made from',
    initializationRateMiBps: 'Initialization rate that it was made with',
    readLatencyMs: 'Latency of slow reads (median)',
    usualReadLatencyMs: 'Usual latency of reads of their size',
    writeLatencyMs: 'Latency of writes at the same time (median)',
    operations: 'Operations in the window',
    opsPerMinute: 'Operations a minute',
    latencyFrom: 'Latency was computed from',
    loadNotUsedReason: 'Its load was not used, because',
  }),
  ...of('Demand', {
    demandIopsAtLeast: 'IOPS in demand, at least',
    demandIopsAtMost: 'IOPS in demand, at most',
    demandMiBpsAtLeast: 'Throughput in demand, at least',
    demandMiBpsAtMost: 'Throughput in demand, at most',
    demandAssumptions: 'Assumed for that',
  }),
  ...of('Bursts', {
    waitedMinutesPeak24h: 'Minutes in which I/O waited, in the peak 24 hours',
    waitedMsMedian: 'Longer than usual in those minutes (median)',
    burstsMeasured: 'Bursts whose length is known',
    burstSecondsMedian: 'Length of a burst (median)',
    burstSecondsLongest: 'Length of the longest burst',
    burstRateMedian: 'Rate of a burst (median)',
    burstRateMedianLow: 'Rate of a burst, at least (median)',
    burstRateMedianHigh: 'Rate of a burst, at most (median)',
    burstRateHighest: 'Highest rate of a burst',
    burstUnit: 'Bursts are counted in',
    burstsUnknownReason: 'The length of bursts is not known, because',
  }),
  ...of('Credits', {
    lowestBalancePercent: 'Lowest burst balance',
    balancePercent: 'Burst balance at the end',
    lowestIoBalancePercent: 'Lowest EBS I/O balance of the instance',
    lowestByteBalancePercent: 'Lowest EBS byte balance of the instance',
    recentRatePerSecond: 'Recent rate',
    drainPerSecond: 'Credits drain at',
    secondsToEmpty: 'Empty in',
    secondsToEmptyAtRecentRate: 'Empty in, at the rate of the last 30 minutes',
    secondsToEmptyAtLastMinute: 'Empty in, at the rate of the last minute',
    secondsToEmptyByRhythm: 'Empty in, by the usual rhythm',
    forecastBy: 'Forecast by',
    rhythm: 'Pattern of its load',
    unit: 'Rates are counted in',
    balanceBasis: 'The balance is',
    replayDeviationPoints: 'Simulated balance is off by',
    replayMedianDeviationPoints: 'Simulated balance is off by (median)',
    replayLargestDeviationPoints: 'Simulated balance is off by at most',
    replayComparedPoints: 'Points compared with the simulation',
    balanceDisagrees: 'Simulation and metric disagree',
  }),
  ...of('Volumes', {
    volumes: 'Volumes',
    members: 'Volumes of the stripe',
    membersConcerned: 'Volumes concerned',
    worstMember: 'Worst of them',
    unlikeMembers: 'Not configured as the others',
    stripeId: 'Stripe',
    unlikeSiblings: 'Not configured as its siblings',
    alike: 'Configured like it',
    volumesToLower: 'Volumes to lower',
    volumesNotLowered: 'Volumes that are not lowered',
    volumesLeftOut: 'Volumes left out',
  }),
  ...of('Money', {
    monthlyUsd: 'Costs a month now',
    isOnOutpost: 'The price is',
    recommendedMonthlyUsd: 'Would cost a month',
    allMonthMonthlyUsd: 'Would cost a month without a schedule',
    lowIops: 'IOPS in the other hours',
    lowMiBps: 'Throughput in the other hours',
    io2NotRecommendedReason: 'io2 is not recommended, because',
    inPlaceMonthlyUsd: 'Would cost a month without a stripe',
    recommendedSavingMonthlyUsd: 'Saving a month',
    excessMonthlyUsd: 'Paid a month for what cannot be reached',
    recommendedVolumeType: 'Recommended type',
    recommendedMembers: 'Recommended number of volumes',
    recommendedSizeGiB: 'Recommended size of each',
    recommendedIops: 'Recommended IOPS of each',
    recommendedThroughputMiBps: 'Recommended throughput of each',
    priceUnknownReason: 'The price is not known, because',
    notRecommended: 'Not recommended',
  }),
  ...of('How sure', {
    decidedBy: 'Decided by',
    periodsProvedByCheck: 'Periods proved by the exceeded check',
    periodsProvedByRate: 'Periods proved by the rate and its queue',
    periodsProvedByActiveTimeRate: 'Periods proved by the active-time rate',
    periodsProvedByBalance: 'Periods proved by an empty balance',
    hostStatistics: 'NVMe statistics of the host',
    stripeEvidence: 'That they are one stripe is known from',
    stripeConfidence: 'Confidence that they are one stripe',
  }),
};

const places = Object.keys(evidenceNames) as EvidenceKey[];

export interface EvidenceLine {
  label: string;
  /** One text, or ids and sentences one after the other. */
  text: string | string[];
  isKnown: boolean;
}

export interface EvidencePart {
  group: EvidenceGroup;
  lines: EvidenceLine[];
}

type Value<Key extends EvidenceKey> = NonNullable<AnyEvidence[Key]>;
/** Keys whose values are codes; text of the account or another source is none. */
type CodeKey = {
  [Key in EvidenceKey]: Value<Key> extends string ? (string extends Value<Key> ? never : Key) : never;
}[EvidenceKey];
/** Keys whose values have figures of their own. */
type FactsKey =
  | 'demandAssumptions'
  | 'notRecommended'
  | 'loadNotUsedReason'
  | 'rhythm'
  | 'cards'
  | 'unlikeMembers'
  | 'unlikeSiblings'
  | 'volumesLeftOut'
  | 'priceUnknownReason'
  | 'hostStatistics'
  | 'throughputNotEvaluatedReason';

/** What a code says. A code without words does not compile. */
const codes: { [Key in CodeKey]: Readonly<Record<Value<Key>, string>> } = {
  state: { available: 'available' },
  bindingLimit: {
    iops: 'IOPS',
    throughput: 'throughput',
    'iops+throughput': 'IOPS and throughput together',
  },
  latencyFrom: {
    'total-time': 'total time / operations',
    'queue-length-in-part': 'queue length / rate, in part',
  },
  burstUnit: { IOPS: 'IOPS', 'MiB/s': 'MiB/s' },
  burstsUnknownReason: {
    'no-queue-metric': 'there is no queue metric: what waited is not known',
    'more-waiting-than-one-burst': 'more waited than one burst within these periods can bring',
  },
  forecastBy: { 'recent-rate': 'the rate of the last 30 minutes', rhythm: 'the rhythm of its load' },
  unit: { IOPS: 'IOPS', 'MiB/s': 'MiB/s' },
  balanceBasis: {
    metric: 'as CloudWatch published it',
    simulated: 'simulated from the load, from a full bucket: none was published',
    'simulated-merged-io':
      'simulated from a full bucket, with every I/O taken as sequential and merged: none was published',
    none: 'not known',
  },
  recommendedVolumeType: {
    ...{ gp2: 'gp2', gp3: 'gp3', io1: 'io1', io2: 'io2' },
    ...{ st1: 'st1', sc1: 'sc1', standard: 'standard' },
  },
  scheduledDays: { daily: 'all days', 'monday-to-friday': 'Monday to Friday' },
  io2NotRecommendedReason: io2NotRecommendedWords,
  decidedBy: {
    check: 'the exceeded checks of CloudWatch',
    balance: 'its burst balance',
    'active-time-rate': 'the active-time rate',
    'sum-of-volumes': 'its volumes together reached the limit while I/O queued',
  },
  stripeEvidence: {
    host: 'what the host says',
    tag: 'a tag on each',
    inferred: 'their load: they look like one',
  },
  stripeConfidence: { low: 'low', medium: 'medium', high: 'high' },
};

function rhythmText(rhythm: RhythmEvidence): string {
  switch (rhythm.code) {
    case 'points-over-an-hour':
      return 'none: its points stand for more than an hour';
    case 'short-history':
      return `none: ${rhythm.hours} h of history, a daily rhythm needs 24 h`;
    case 'hours-differ':
      return 'none: its hours are not alike from day to day or from week to week';
    case 'never-above-baseline':
      return 'none: its rate was never above its baseline';
  }
  const history = `from ${figure(rhythm.historyDays, 1)} days of history`;
  switch (rhythm.code) {
    case 'not-empty-in-7-days':
      return `${history}: not empty within the next 7 days`;
    case 'one-day':
      return `by hour of the day (UTC), ${history}: seen on one day only`;
    case 'hour-of-day':
      return `by hour of the day (UTC), ${history}; what came on one day only is left out`;
    case 'hour-of-week':
      return `by hour of the week (UTC), ${history}; what came on one day only is left out`;
  }
}

const cardText = ({ card, iops, maximumIops, mibps, maximumMiBps, volumes }: CardEvidence): string => {
  const most = maximumMiBps === null ? '' : ` of ${figure(maximumMiBps)}`;
  return `card ${card}: ${figure(iops)} of ${figure(maximumIops)} IOPS, ${figure(mibps)}${most} MiB/s, ${counted(volumes, 'volume')}`;
};

function configurationText(of: UnlikeMember['configuration']): string {
  const { volumeType, sizeGiB, iops, throughputMiBps } = of;
  return [
    ...[volumeType, `${figure(sizeGiB)} GiB`],
    ...(iops === null ? [] : [`${figure(iops)} IOPS`]),
    ...(throughputMiBps === null ? [] : [`${figure(throughputMiBps)} MiB/s`]),
  ].join(', ');
}

function unlikeText({ configuration, othersConfiguration: others }: UnlikeMember): string {
  const than = others === null ? '' : ` (the others: ${configurationText(others)})`;
  return `${configurationText(configuration)}${than}`;
}

function leftOutText(one: LeftOut): string {
  switch (one.code) {
    case 'excluded':
      return `${counted(one.count, 'volume')} more: excluded by the configuration`;
    case 'multi-attach':
      return `${one.volumeId}: Multi-Attach, other instances use it too`;
    case 'configuration-unknown':
      return `${one.volumeId}: ${configurationReasonText(one.reason)}`;
  }
}

/** What has figures of its own. */
const facts: { [Key in FactsKey]: (value: Value<Key>) => string | string[] } = {
  demandAssumptions: (all) => all.map(assumptionText),
  notRecommended: (all) => all.map(notRecommendedText),
  loadNotUsedReason: needUnknownText,
  rhythm: rhythmText,
  cards: (cards) => cards.map(cardText),
  unlikeMembers: (members) => members.map((one) => `${one.volumeId}: ${unlikeText(one)}`),
  unlikeSiblings: unlikeText,
  volumesLeftOut: (all) => all.map(leftOutText),
  priceUnknownReason: priceReasonText,
  hostStatistics: hostStatisticsText,
  throughputNotEvaluatedReason: typeReasonText,
};

/** What a yes means; a no is nothing to tell. */
const yes: { [Key in EvidenceKey as Value<Key> extends boolean ? Key : never]: string } = {
  balanceDisagrees:
    'the load costs other than its metrics show, as small I/O on HDD that is not merged, or its series has gaps',
  isOnOutpost: 'that of the Region: an Outpost is billed by its rack',
};

const units: readonly (readonly [RegExp, (value: number, evidence: AnyEvidence) => string])[] = [
  [/Usd$/, usdText],
  [/^burstRate/, (value, { burstUnit }) => rateText(value, burstUnit ?? '')],
  [/PerSecond$/, (value, { unit }) => rateText(value, unit ?? 'a second')],
  [/MiBps/, (value) => rateText(value, 'MiB/s')],
  [/Iops/i, (value) => `${figure(value, 0)} IOPS`],
  [/KiB/, (value) => `${figure(value, 1)} KiB`],
  [/GiB$/, (value) => `${figure(value, 0)} GiB`],
  [/[a-z]Ms($|[A-Z])/, (value) => `${figure(value, 2)} ms`],
  [/Percent$/, (value) => `${figure(value, 1)} %`],
  [/DeviationPoints$/, (value) => `${figure(value, 1)} percentage points`],
  [/share$/i, (value) => `${figure(100 * value, 0)} %`],
  [/Minutes|Minute$/, (value) => `${figure(value, 1)} min`],
  [/hours$/i, (value) => `${figure(value, 1)} h`],
  [/seconds/i, (value) => `${figure(value, 1)} s`],
  [/^times/, (value) => `${figure(value, 1)} times`],
];

function numberText(key: EvidenceKey, value: number, evidence: AnyEvidence): string {
  const unit = units.find(([pattern]) => pattern.test(key));
  return unit === undefined ? figure(value, 2) : unit[1](value, evidence).trimEnd();
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

const isIn = <Table extends object>(table: Table, key: PropertyKey): key is keyof Table =>
  Object.hasOwn(table, key);

function stringText(key: EvidenceKey, value: string): string {
  const said: Readonly<Record<string, string>> = isIn(codes, key) ? codes[key] : {};
  if (Object.hasOwn(said, value)) return said[value] as string;
  return isoTime.test(value) ? `${value.slice(0, 16).replace('T', ' ')} UTC` : value;
}

function factsText<Key extends FactsKey>(key: Key, value: Value<Key>): string | string[] {
  return facts[key](value);
}

function textOf(key: EvidenceKey, evidence: AnyEvidence): string | string[] {
  const value = evidence[key];
  if (value === null || value === undefined) return 'not known';
  if (typeof value === 'number') return numberText(key, value, evidence);
  if (typeof value === 'boolean') return isIn(yes, key) ? yes[key] : 'yes';
  if (typeof value === 'string') return stringText(key, value);
  if (Array.isArray(value) && value.length === 0) return 'none';
  return isIn(facts, key) ? factsText(key, value as never) : (value as string[]);
}

/** Where there is no reason or no oddity, there is nothing to tell. */
const silentWhere: { readonly [Key in EvidenceKey]?: null | false | 'empty' } = {
  ...{ priceUnknownReason: null, loadNotUsedReason: null, throughputNotEvaluatedReason: null },
  io2NotRecommendedReason: null,
  ...{ secondsToEmptyByRhythm: null, unlikeSiblings: null },
  ...{ writeLatencyMs: null, initializationRateMiBps: null },
  ...{ balanceDisagrees: false, isOnOutpost: false },
  ...{ alike: 'empty', unlikeMembers: 'empty', volumesLeftOut: 'empty', volumesNotLowered: 'empty' },
};

function isNothing(key: EvidenceKey, evidence: AnyEvidence): boolean {
  const value = evidence[key];
  if (value === undefined) return true;
  const silent = silentWhere[key];
  return silent === 'empty' ? Array.isArray(value) && value.length === 0 : value === silent;
}

/** All that is in the evidence, in groups. */
export function evidenceParts(evidence: AnyEvidence): EvidencePart[] {
  const parts = new Map<EvidenceGroup, EvidenceLine[]>();
  for (const key of places) {
    if (isNothing(key, evidence)) continue;
    const [group, label] = evidenceNames[key];
    const lines = parts.get(group) ?? [];
    lines.push({ label, text: textOf(key, evidence), isKnown: evidence[key] !== null });
    parts.set(group, lines);
  }
  return [...parts].map(([group, lines]) => ({ group, lines }));
}
