/**
 * What each kind of finding rests on: figures with the unit in the name, codes, ids, times. The words for all of it are in
 * `report/wording/evidence.ts`.
 */
import { z } from 'zod';
import { confidences } from '../diagnosis/causes.ts';
import { hostStatisticsSchema } from '../host/host-statistics.ts';
import { volumeTypes } from '../limits/volume-limits.ts';
import type { FindingKind } from './finding-kinds.ts';
import { demandAssumptionSchema, needUnknownSchema } from './load-codes.ts';
import { notRecommendedSchema, rateUnits, scheduledDays } from './recommendation.ts';
import { configurationReasonSchema, priceReasonSchema } from './unknown-reasons.ts';

const number = (description: string) => z.number().meta({ description });
/** Null where it is not known. */
const numberOrNull = (description: string) => z.number().nullable().meta({ description });
const text = (description: string) => z.string().meta({ description });
const textOrNull = (description: string) => z.string().nullable().meta({ description });
const texts = (description: string) => z.array(z.string()).meta({ description });
const code = <const Codes extends readonly string[]>(codes: Codes, description: string) =>
  z.enum(codes).meta({ description });

/** Minutes in which load was throttled, or did not complete. */
const throttled = {
  throttledMinutesInWindow: number('throttled in the whole window'),
  throttledMinutesPeak24h: number('throttled in the 24 hours with the most of them'),
  throttledMinutesInPeakHour: number('throttled in the clock hour (UTC) with the most of them'),
  peakHour: textOrNull('ISO 8601 UTC: when that hour begins; null where nothing was throttled'),
  throttledMinutesOfLastFive: number('throttled in the last five minutes before the audit ends'),
};

/** Absent where no host was asked, or where it says nothing of its volumes. */
const ofHost = { hostStatistics: hostStatisticsSchema.optional() };

/** What a volume, or a stripe as one, can do and was seen to do. */
const load = {
  limitIops: numberOrNull('the most that it can do, on credits where it has them'),
  limitMiBps: numberOrNull('the most that it can do, on credits where it has them'),
  baselineIops: numberOrNull('what it can do without credits'),
  baselineMiBps: numberOrNull('what it can do without credits'),
  topAverageIops: numberOrNull('of the period with the most'),
  topAverageMiBps: numberOrNull('of the period with the most'),
  topActiveTimeIops: numberOrNull('the highest rate over the non-idle seconds of a period'),
  topQueueLength: numberOrNull('the highest average of a period'),
  medianLatencyMs: numberOrNull('over periods in which nothing was throttled'),
  medianLatencyMsThrottled: numberOrNull('over the periods that count for this finding'),
  periodsProvedByCheck: number('periods that the exceeded check of CloudWatch proves'),
  periodsProvedByRate: number('periods that the rate and its queue prove'),
  periodsProvedByActiveTimeRate: number('periods that the rate over the non-idle seconds proves'),
  periodsProvedByBalance: number('periods that an empty balance proves'),
};

/** Absent where nothing but a hint says that more was demanded than served. */
const demand = z
  .object({
    demandIopsAtLeast: numberOrNull('the highest demand of a period'),
    demandIopsAtMost: numberOrNull('the highest demand of a period; null where nothing bounds it closely'),
    demandMiBpsAtLeast: numberOrNull('the highest demand of a period'),
    demandMiBpsAtMost: numberOrNull('the highest demand of a period; null where nothing bounds it closely'),
    demandAssumptions: z
      .array(demandAssumptionSchema)
      .meta({ description: 'what the bounds of the demand rest on' }),
  })
  .partial().shape;

/** Absent where everything that was tried is recommended, or nothing was tried. */
const tried = {
  notRecommended: z
    .array(notRecommendedSchema)
    .optional()
    .meta({ description: 'configurations that were tried and do not help' }),
};

const balance = {
  balanceBasis: code(
    ['metric', 'simulated', 'simulated-merged-io'],
    'metric: as CloudWatch published it; simulated: nothing was published, so the bucket is taken as full at the start; simulated-merged-io: the same, with every I/O taken as sequential and merged',
  ),
  replayMedianDeviationPoints: numberOrNull(
    'percentage points between the simulated balance and the published one; null where none was published',
  ),
  replayLargestDeviationPoints: numberOrNull('the largest of these differences'),
  replayComparedPoints: number('published points that were compared'),
  balanceDisagrees: z.boolean().meta({
    description:
      'the load does not explain the published balance: small I/O on HDD that is not merged costs more, or its series has gaps',
  }),
};

/** What a forecast by the rhythm of a load rests on, or why there is none. */
const rhythm = z
  .discriminatedUnion('code', [
    z.object({ code: z.enum(['points-over-an-hour', 'hours-differ', 'never-above-baseline']) }),
    z.object({ code: z.literal('short-history'), hours: z.number() }),
    z.object({
      code: z.enum(['not-empty-in-7-days', 'one-day', 'hour-of-day', 'hour-of-week']),
      historyDays: z.number(),
    }),
  ])
  .meta({
    description:
      'the hour in which it becomes empty was seen on one day only (one-day), by hour of the day or of the week; or why no rhythm tells',
  });
export type RhythmEvidence = z.infer<typeof rhythm>;

/** How long the I/O of bursts waited. */
const waited = {
  waitedMinutesPeak24h: numberOrNull(
    'minutes of the peak 24 hours in which operations took at least twice as long as usual; null where no queue is known',
  ),
  waitedMsMedian: numberOrNull(
    'how much longer an operation took in those minutes, median; null where no queue is known',
  ),
};

/** Absent where no burst at this limit can be known; of those that cannot, why. */
const bursts = z
  .object({
    burstsMeasured: number('bursts whose length and rate can be known'),
    burstSecondsMedian: number('how long they lasted'),
    burstSecondsLongest: number('how long the longest lasted'),
    burstUnit: code(rateUnits, 'of their rates'),
    burstRateMedian: number('in burstUnit'),
    burstRateMedianLow: number(
      'in burstUnit: if the median burst lasted as much longer as its length may be off',
    ),
    burstRateMedianHigh: number('in burstUnit: if it was as much shorter'),
    burstRateHighest: number('in burstUnit'),
    burstsUnknownReason: code(
      ['no-queue-metric', 'more-waiting-than-one-burst'],
      'present where no length can be known',
    ),
  })
  .partial().shape;

export const stripeSources = ['host', 'tag', 'inferred'] as const;
const stripeEvidence = code(stripeSources, 'who says that the volumes are one stripe');
const stripeConfidence = code(confidences, 'that they are one stripe');
const members = texts('volumes of the stripe');

const configuration = z.object({
  volumeType: z.string(),
  sizeGiB: z.number(),
  iops: z.number().nullable(),
  throughputMiBps: z.number().nullable(),
});
/** A member that is not configured as most of them are. */
export const unlikeMemberSchema = z.object({
  volumeId: z.string(),
  configuration,
  othersConfiguration: configuration
    .nullable()
    .meta({ description: 'of more than half of all; null where no more are alike' }),
});
export type UnlikeMember = z.infer<typeof unlikeMemberSchema>;

/** Of a stripe only: absent where the finding is on one volume. */
const ofStripe = z
  .object({
    members,
    membersConcerned: texts('those of which the finding was made'),
    worstMember: text('whose figures these are, where they are not of the whole stripe'),
    unlikeMembers: z
      .array(unlikeMemberSchema)
      .meta({ description: 'members that are not configured as most of them are' }),
    stripeEvidence,
    stripeConfidence,
  })
  .partial().shape;

/** What an instance was seen to do. */
const instance = {
  instanceType: textOrNull('null where EC2 does not tell'),
  lowestIoBalancePercent: numberOrNull('EBSIOBalance%'),
  lowestByteBalancePercent: numberOrNull('EBSByteBalance%'),
  balanceBasis: code(
    ['metric', 'simulated', 'none'],
    'metric: as CloudWatch published it; simulated: from the sum over its volumes, full at first; none: it is not known',
  ),
  replayDeviationPoints: numberOrNull(
    'median of the percentage points between the simulated balance and the published one',
  ),
  topIopsOfAllVolumes: numberOrNull('of the period with the most'),
  topMiBpsOfAllVolumes: numberOrNull('of the period with the most'),
  volumes: texts('volumes that are attached to it'),
  decidedBy: code(
    ['check', 'sum-of-volumes', 'active-time-rate', 'balance'],
    'what most of the minutes rest on: the exceeded check of CloudWatch, the sum over its volumes at its limit while they wait, or an empty balance',
  ),
};

/** What it costs, and what would serve as well for less. */
const saving = {
  monthlyUsd: numberOrNull('by list price'),
  recommendedMonthlyUsd: number('of the cheapest recommendation'),
  recommendedVolumeType: code(volumeTypes, 'of the cheapest recommendation'),
  recommendedMembers: number('volumes of the cheapest recommendation'),
  recommendedSizeGiB: number('of each'),
  recommendedIops: number('of each'),
  recommendedThroughputMiBps: number('of each'),
  peakIops: numberOrNull('of its busiest period; null where its load was not used'),
  peakMiBps: numberOrNull('of its busiest period; null where its load was not used'),
  loadNotUsedReason: needUnknownSchema
    .nullable()
    .meta({ description: 'why the saving rests on its configuration alone; null: it does not' }),
  alike: texts('volumes of the same instance with the same configuration: they may be one stripe'),
};

const price = {
  monthlyUsd: numberOrNull('by list price'),
  priceUnknownReason: priceReasonSchema.nullable().meta({ description: 'null where the price is known' }),
  isOnOutpost: z
    .boolean()
    .meta({ description: 'the price is that of its Region: an Outpost is billed by its rack' }),
};

const throttledVolume = z.strictObject({
  ...throttled,
  bindingLimit: code(
    ['iops', 'throughput', 'iops+throughput'],
    'what it reached, both at the same time or one',
  ),
  ...load,
  ...demand,
  ...tried,
  ...ofStripe,
  ...ofHost,
});

const savingInPlace = z.strictObject({ ...saving, ...ofStripe });

const throttledInstance = z.strictObject({ ...throttled, ...instance, ...ofHost });

const leftOut = z.discriminatedUnion('code', [
  z.object({ code: z.literal('multi-attach'), volumeId: z.string() }),
  z.object({
    code: z.literal('configuration-unknown'),
    volumeId: z.string(),
    reason: configurationReasonSchema,
  }),
  z.object({ code: z.literal('excluded'), count: z.number() }),
]);
export type LeftOut = z.infer<typeof leftOut>;

const card = z.object({
  card: z.number().meta({ description: 'its index' }),
  iops: z.number().meta({ description: 'provisioned on its volumes' }),
  maximumIops: z.number(),
  mibps: z.number().meta({ description: 'provisioned on its volumes' }),
  maximumMiBps: z.number().nullable(),
  volumes: z.number(),
});
export type CardEvidence = z.infer<typeof card>;

/** Why io2 is no remedy of a latency. */
const io2NotRecommended = [
  'already-io2',
  'target-below-documented',
  'instance-unknown',
  'not-nitro',
  'outpost',
  'multi-attach',
  'size-or-rate-out-of-reach',
] as const;
export type Io2NotRecommended = (typeof io2NotRecommended)[number];

/** By kind; a key that is not here is refused. */
export const evidenceOf = {
  'throttled-volume-iops': throttledVolume,
  'throttled-volume-throughput': throttledVolume,
  'credits-exhausted': z.strictObject({
    ...throttled,
    ...load,
    ...demand,
    lowestBalancePercent: numberOrNull('of its burst credits'),
    ...balance,
    ...tried,
    ...ofStripe,
    ...ofHost,
  }),
  'credits-will-exhaust': z.strictObject({
    balancePercent: number('of its burst credits, at the end'),
    recentRatePerSecond: numberOrNull(
      'in `unit`, over the last 30 minutes; null where not all members drain',
    ),
    drainPerSecond: numberOrNull(
      'in `unit`: what is spent beyond what is earned; null where not all members drain',
    ),
    secondsToEmpty: number('the sooner of the two'),
    forecastBy: code(['recent-rate', 'rhythm'], 'which of the two is the sooner'),
    secondsToEmptyAtRecentRate: numberOrNull('null where it does not become empty'),
    secondsToEmptyByRhythm: numberOrNull('null where no rhythm says that it becomes empty within 7 days'),
    secondsToEmptyAtLastMinute: number(
      'at the rate of the last minute, where that is much sooner; monitoring alone tells it',
    ).optional(),
    rhythm,
    unit: code(rateUnits, 'of the rates'),
    ...balance,
    ...tried,
    ...ofStripe,
  }),
  'throttled-instance-iops': throttledInstance,
  'throttled-instance-throughput': throttledInstance,
  'instance-credits-exhausted': throttledInstance,
  'micro-burst': z.strictObject({
    ...throttled,
    ...waited,
    ...bursts,
    ...load,
    ...demand,
    ...tried,
    ...ofStripe,
    ...ofHost,
  }),
  stalled: z.strictObject({ ...throttled, ...load, ...demand }),
  'over-provisioned': savingInPlace,
  'cheaper-type': savingInPlace,
  'cheaper-stripe': z.strictObject({
    ...saving,
    inPlaceMonthlyUsd: number('the least that serves its load without a stripe'),
  }),
  'schedule-iops': z.strictObject({
    ...saving,
    ...ofStripe,
    scheduledDays: code(scheduledDays, 'by the UTC day on which the hours begin'),
    busyFromUtc: text('HH:MM: the hours that need the high figures begin'),
    busyUntilUtc: text('HH:MM: they end'),
    raiseAtUtc: text('HH:MM: the figures are raised'),
    lowerAtUtc: text('HH:MM: they are lowered again'),
    leadMinutes: number('from the raise to the busy hours'),
    longestModificationMinutes: number('of the earlier modifications of the volume'),
    earlierModifications: number('completed ones that are known'),
    lowIops: number('in the rest of the time'),
    lowMiBps: number('in the rest of the time'),
    highPercent: number('of the time is charged with the high figures'),
    allMonthMonthlyUsd: number('the least that serves its load in place without a schedule'),
    historyDays: number('of one-minute points that it is made of'),
    heldOutDays: number('of them it was tried on, made of the days before'),
  }),
  'latency-above-target': z.strictObject({
    targetLatencyMs: number('configured: thresholds.maxLatencyMs'),
    slowMinutesInWindow: number('above the target in the whole window, under load of small I/O'),
    slowMinutesPeak24h: number('in the 24 hours with the most of them'),
    slowLatencyMsMedian: number('of an operation in those minutes'),
    slowIoKiBMedian: number('average I/O of those minutes'),
    io2NotRecommendedReason: code(
      io2NotRecommended,
      'why io2 is not recommended; null where it is',
    ).nullable(),
    ...ofStripe,
  }),
  'unreachable-performance': z.strictObject({
    instanceType: text('of the instance'),
    instanceMaximumIops: number('what the instance can do'),
    instanceBaselineIops: number('what the instance can do without credits'),
    instanceMaximumMiBps: numberOrNull('what the instance can do'),
    instanceBaselineMiBps: numberOrNull('what the instance can do without credits'),
    throughputNotEvaluatedReason: z
      .object({ code: z.literal('bandwidth-weighting'), weighting: z.string() })
      .nullable()
      .meta({
        description: 'EC2 does not tell what this weighting leaves for EBS; null: throughput was evaluated',
      }),
    provisionedIops: number('of its volumes together'),
    provisionedMiBps: number('of its volumes together'),
    excessIops: number('beyond what the instance can do'),
    excessMiBps: numberOrNull('beyond what the instance can do'),
    excessMonthlyUsd: number('what lowering to the limit of the instance would save, at least'),
    recommendedSavingMonthlyUsd: numberOrNull('of the recommendation; null where nothing is lowered'),
    volumes: texts('volumes that were counted'),
    volumesToLower: texts('volumes that the recommendation lowers'),
    volumesNotLowered: texts('counted, and throttled by their own limit'),
    volumesLeftOut: z.array(leftOut).meta({ description: 'attached, and not counted' }),
  }),
  idle: z.strictObject({
    operations: numberOrNull('in the window'),
    opsPerMinute: numberOrNull('in the window'),
    knownHours: number('of the window, with figures'),
    lastActive: textOrNull('ISO 8601 UTC: the last period with an operation; null where there is none'),
    ...price,
    ...ofStripe,
  }),
  unattached: z.strictObject({ state: code(['available'], 'as EC2 tells it'), ...price }),
  'stripe-straggler': z.strictObject({
    stripeId: text('of the stripe that waits for it'),
    members,
    stripeEvidence,
    stripeConfidence,
    medianLatencyMs: number('of its operations while it was slow'),
    siblingsMedianLatencyMs: number('of the other members at the same time'),
    timesSiblings: number('how many times as long its operations took'),
    slowMinutesPeak24h: number('in the 24 hours with the most of them'),
    slowMinutesInWindow: number('in the whole window'),
    topQueueLength: numberOrNull('the highest while it was slow'),
    rateShare: number('its operations, as a multiple of an equal share'),
    latencyFrom: code(
      ['total-time', 'queue-length-in-part'],
      'total time by operations, or of some periods the queue length by the rate',
    ),
    unlikeSiblings: unlikeMemberSchema
      .nullable()
      .meta({ description: 'its configuration and theirs; null where it is configured as they are' }),
  }),
  'ebs-card-imbalance': z.strictObject({
    instanceType: text('of the instance'),
    cards: z.array(card).meta({ description: 'all EBS cards of the instance' }),
    excessIops: number('provisioned beyond what its card can do'),
    excessMiBps: number('provisioned beyond what its card can do'),
    volumes: texts('volumes on the cards'),
  }),
  uninitialized: z.strictObject({
    snapshotId: text('that it was made from'),
    createdAt: text('ISO 8601 UTC: when it was made'),
    initializationRateMiBps: numberOrNull('that it was made with; null: none'),
    readLatencyMs: number('of reads in the slow periods, the median'),
    usualReadLatencyMs: number('what reads of their size take when nothing is fetched for them'),
    writeLatencyMs: numberOrNull('of writes at the same time; null: it hardly wrote'),
    slowMinutesPeak24h: number('in the 24 hours with the most of them'),
    slowMinutesInWindow: number('in the whole window'),
    firstHalfSlowShare: number('of the periods with reads, 0 to 1: of their first half'),
    secondHalfSlowShare: number('of their second half'),
  }),
} as const satisfies Record<FindingKind, z.ZodType>;

/** The evidence of each kind. */
export type Evidence = { [Kind in FindingKind]: z.infer<(typeof evidenceOf)[Kind]> };
export type EvidenceOf<Kind extends FindingKind> = Evidence[Kind];

export type EvidenceKey = { [Kind in FindingKind]: keyof Evidence[Kind] }[FindingKind];
type ValueOf<Key extends EvidenceKey> = {
  [Kind in FindingKind]: Key extends keyof Evidence[Kind] ? Evidence[Kind][Key] : never;
}[FindingKind];

/** The evidence of a finding of whatever kind: what its kind does not have is undefined. */
export type AnyEvidence = { [Key in EvidenceKey]?: ValueOf<Key> | undefined };

/** The part that the lines of a finding are made from: it is remembered, and notified. */
export const rememberedKeys = [
  ...(['throttledMinutesPeak24h', 'throttledMinutesInPeakHour'] as const),
  ...(['bindingLimit', 'limitIops', 'limitMiBps'] as const),
  ...(['secondsToEmpty', 'secondsToEmptyAtLastMinute', 'balancePercent', 'lowestBalancePercent'] as const),
  ...(['balanceBasis', 'instanceType'] as const),
  ...(['burstSecondsMedian', 'burstRateMedianLow', 'burstRateMedianHigh', 'burstUnit'] as const),
  ...(['peakIops', 'peakMiBps', 'provisionedIops', 'provisionedMiBps', 'excessMonthlyUsd'] as const),
  ...(['monthlyUsd', 'isOnOutpost', 'operations', 'knownHours'] as const),
  ...(['members', 'membersConcerned', 'stripeConfidence', 'hostStatistics'] as const),
  ...(['medianLatencyMs', 'siblingsMedianLatencyMs', 'slowMinutesPeak24h'] as const),
  ...(['targetLatencyMs', 'slowLatencyMsMedian', 'io2NotRecommendedReason'] as const),
  ...(['readLatencyMs', 'usualReadLatencyMs', 'writeLatencyMs', 'initializationRateMiBps'] as const),
] as const satisfies readonly EvidenceKey[];
type RememberedKey = (typeof rememberedKeys)[number];

/** Of each kind what is remembered of its evidence; what was not known is left out. */
export type RememberedEvidence = {
  [Kind in FindingKind]: Partial<Pick<Evidence[Kind], Extract<keyof Evidence[Kind], RememberedKey>>>;
};

/** @returns an object of the remembered keys that the kind has, none of which must be there. */
export function rememberedEvidenceOf(kind: FindingKind): z.ZodType {
  const shape: Record<string, z.ZodType> = evidenceOf[kind].shape;
  const kept = rememberedKeys.flatMap((key) =>
    shape[key] === undefined ? [] : [[key, shape[key]] as const],
  );
  return z.object(Object.fromEntries(kept)).partial();
}
