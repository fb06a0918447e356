/** What a schedule of IOPS and throughput saves: a finding beside the other savings of a volume, with its steps. */
import type { Draft } from '../diagnosis/draft.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import { byConfiguration, standing } from '../diagnosis/throttled.ts';
import { partitionOf } from '../ids.ts';
import type { Volume } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import type { Layout, Rates } from '../plan/layout.ts';
import { roundUsd } from '../prices/prices.ts';
import type { Recommendation } from '../schemas/finding.ts';
import type { NeedUnknown } from '../schemas/load-codes.ts';
import type { Step } from '../schemas/recommendation.ts';
import { type Current, currentUsd, inPlace, toServe } from './candidates.ts';
import {
  layoutNow,
  modificationLimit,
  percentOf,
  run,
  safeRegion,
  safeVolumeId,
  unknownEffect,
  volumeTarget,
} from './recommendation.ts';
import {
  type NoSchedule,
  type PricedLayout,
  type ScheduleFound,
  type ScheduleInput,
  scheduleOf,
  timesOf,
} from './schedule.ts';

/** What of a volume's load a schedule is made of; its need is the same as of other savings. */
export type SeenForSchedule = Pick<ScheduleInput, 'load' | 'modifications' | 'throttledMinutesWith'>;

/** The part of what savings depend on that a schedule asks for. */
interface ScheduledOf {
  volume: Volume;
  current: Current;
  alike: readonly string[];
  thresholds: Thresholds;
  seen: Known<{ peak: Rates; rates: Rates; confidence: 'high' | 'medium' | 'low' }, NeedUnknown>;
  throttledMinutesWith: ((layout: Layout, times: number) => number) | null;
  scheduled?: SeenForSchedule | null;
}

/** Nobody may schedule a volume whose need is not known, or whose figures are not provisioned. */
export type NotScheduled = NoSchedule | { code: 'need-unknown' | 'figures-not-provisioned' };

const provisionedTypes = ['gp3', 'io1', 'io2'] as const;
type Provisioned = (typeof provisionedTypes)[number];
const isProvisioned = (volumeType: string): volumeType is Provisioned =>
  provisionedTypes.some((one) => one === volumeType);

/** @param allMonthUsd the least that serves it in place all month. */
export function scheduleFor(of: ScheduledOf, allMonthUsd: number): Known<ScheduleFound, NotScheduled> {
  const { current, seen, scheduled = null, thresholds } = of;
  const { volumeType } = current.config;
  if (!isProvisioned(volumeType)) return unknown({ code: 'figures-not-provisioned' });
  if (!seen.known || scheduled === null) return unknown({ code: 'need-unknown' });
  const withHeadroom = (rate: number): number => Math.ceil(rate * (1 + thresholds.savingHeadroom) - 1e-9);
  const layoutFor = (peak: Rates): PricedLayout | null =>
    inPlace(
      current,
      volumeType,
      toServe(current, {
        iops: withHeadroom(peak.iops),
        throughputMiBps: withHeadroom(peak.throughputMiBps),
      }),
    );
  const leastSavingUsd = thresholds.overProvisionedUsd;
  return scheduleOf({ ...scheduled, layoutFor, allMonthUsd, leastSavingUsd });
}

// What is said of it.

const twoDigits = (value: number): string => String(value).padStart(2, '0');
const clock = (minuteOfDay: number): string =>
  `${twoDigits(Math.floor(minuteOfDay / 60) % 24)}:${twoDigits(minuteOfDay % 60)}`;

const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;

/** Of Monday to Friday, where it is so many days later than the hours begin: SUN-THU for a day earlier. */
function daysText({ busy: { days } }: ScheduleFound, laterDays: number): string {
  if (days === 'daily') return '*';
  const shifted = (weekday: number): string => weekdays[(weekday + laterDays + 7) % 7] as string;
  return `${shifted(1)}-${shifted(5)}`;
}

interface Modification {
  what: 'raise' | 'lower';
  layout: Layout;
  minuteOfDay: number;
  days: string;
}

function modificationsOf(found: ScheduleFound): [Modification, Modification] {
  const times = timesOf(found);
  return [
    {
      ...{ what: 'raise', layout: found.high.layout, minuteOfDay: times.raiseMinuteOfDay },
      days: daysText(found, -times.raiseDaysEarlier),
    },
    {
      ...{ what: 'lower', layout: found.low.layout, minuteOfDay: times.lowerMinuteOfDay },
      days: daysText(found, times.lowerDaysLater),
    },
  ];
}

const hasThroughput = ({ volumeType }: Layout): boolean => volumeType === 'gp3';

function scheduledStep(of: ScheduledOf, { what, layout, minuteOfDay, days }: Modification): Step {
  const throughput = hasThroughput(layout) ? ` --throughput ${layout.throughputMiBps}` : '';
  return {
    ...{ code: 'scheduled', what, days, atUtc: clock(minuteOfDay) },
    command: `aws ec2 modify-volume ${volumeTarget(of.volume)} --iops ${layout.iops}${throughput}`,
  };
}

/** A try that is late is not made: raised after its hours, or lowered within them, it would do harm. */
const retries = { MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 900 } as const;

function schedulerStep({ volume }: ScheduledOf, { what, layout, minuteOfDay, days }: Modification): Step {
  const volumeId = safeVolumeId(volume.volumeId);
  const at = `${minuteOfDay % 60} ${Math.floor(minuteOfDay / 60)}`;
  const expression = days === '*' ? `cron(${at} * * ? *)` : `cron(${at} ? * ${days} *)`;
  const target = {
    Arn: `arn:${partitionOf(volume.region)}:scheduler:::aws-sdk:ec2:modifyVolume`,
    RoleArn: '<role-arn>',
    Input: JSON.stringify({
      ...{ VolumeId: volumeId, Iops: layout.iops },
      ...(hasThroughput(layout) ? { Throughput: layout.throughputMiBps } : {}),
    }),
    RetryPolicy: retries,
  };
  return run(
    [
      `aws scheduler create-schedule --region ${safeRegion(volume.region)}`,
      `--name ${what}-${volumeId} --schedule-expression '${expression}'`,
      `--schedule-expression-timezone UTC --flexible-time-window Mode=OFF --target '${JSON.stringify(target)}'`,
    ].join(' '),
  );
}

function recommendationOf(of: ScheduledOf, found: ScheduleFound): Recommendation {
  const { current, seen, alike, thresholds, throttledMinutesWith } = of;
  const { busy, low, high, leadMinutes, highShare, modifications } = found;
  const now = layoutNow(current.limits);
  // Its own limits throttle nothing of it: what its instance does to it stays as it is.
  const minutes = throttledMinutesWith === null ? null : throttledMinutesWith(now, 1);
  const [raise, lower] = modificationsOf(found);
  return {
    ...{ action: 'schedule', purpose: 'less-cost', inPlace: true },
    change: {
      ...{ of: 'schedule', from: now, low: low.layout, high: high.layout, days: busy.days },
      ...{ busyFromUtc: clock(busy.fromHour * 60), busyUntilUtc: clock(lower.minuteOfDay) },
      ...{ raiseAtUtc: clock(raise.minuteOfDay), lowerAtUtc: clock(lower.minuteOfDay), leadMinutes },
      highPercent: percentOf(highShare),
    },
    effect: {
      ...unknownEffect,
      ...{ method: 'simulated', throttledMinutesBefore: minutes, throttledMinutesAfter: minutes },
    },
    monthlyUsdDelta: roundUsd(found.monthlyUsd - currentUsd(current)),
    priceUnknownReason: null,
    ...{ sizedBy: 'headroom', headroomPercent: percentOf(thresholds.savingHeadroom) },
    sizedFor: seen.known ? toServe(current, seen.value.rates) : null,
    risks: [
      { code: 'modification-time', minutes: modifications.longestMinutes, count: modifications.count },
      ...(alike.length > 0 ? [{ code: 'like-volumes' as const, count: alike.length }] : []),
    ],
    steps: [
      { code: 'schedule-by-hand' },
      scheduledStep(of, raise),
      scheduledStep(of, lower),
      modificationLimit,
      { code: 'scheduler-role' },
      schedulerStep(of, raise),
      schedulerStep(of, lower),
    ],
  };
}

export interface ScheduledSaving {
  draft: Draft<'schedule-iops'>;
  recommendations: Recommendation[];
}

/**
 * Only where it beats whatever serves the volume in place all month, by what lower figures must save.
 */
export function scheduledSaving(of: ScheduledOf, allMonthUsd: number): Known<ScheduledSaving, NotScheduled> {
  const schedule = scheduleFor(of, allMonthUsd);
  if (!schedule.known) return schedule;
  if (!of.seen.known) return unknown({ code: 'need-unknown' });
  const found = schedule.value;
  const { current, alike, thresholds } = of;
  const { low, high, busy, leadMinutes, highShare, modifications, historyDays, heldOutDays } = found;
  const [raise, lower] = modificationsOf(found);
  const before = currentUsd(current);
  const { peak, confidence } = of.seen.value;
  return known({
    draft: {
      kind: 'schedule-iops',
      severity: before - found.monthlyUsd >= thresholds.savingWarningUsd ? 'warning' : 'info',
      ...standing,
      ...{ limit: null, demand: null, confidence },
      ...byConfiguration,
      evidence: {
        monthlyUsd: roundUsd(before),
        recommendedMonthlyUsd: roundUsd(found.monthlyUsd),
        recommendedVolumeType: high.layout.volumeType,
        recommendedMembers: 1,
        recommendedSizeGiB: high.layout.sizeGiB,
        recommendedIops: high.layout.iops,
        recommendedThroughputMiBps: high.layout.throughputMiBps,
        ...{ peakIops: peak.iops, peakMiBps: peak.throughputMiBps },
        ...{ loadNotUsedReason: null, alike: [...alike], scheduledDays: busy.days },
        busyFromUtc: clock(busy.fromHour * 60),
        busyUntilUtc: clock(lower.minuteOfDay),
        ...{ raiseAtUtc: clock(raise.minuteOfDay), lowerAtUtc: clock(lower.minuteOfDay), leadMinutes },
        longestModificationMinutes: modifications.longestMinutes,
        earlierModifications: modifications.count,
        ...{ lowIops: low.layout.iops, lowMiBps: low.layout.throughputMiBps },
        highPercent: percentOf(highShare),
        allMonthMonthlyUsd: roundUsd(allMonthUsd),
        historyDays: Number(historyDays.toFixed(2)),
        heldOutDays: Number(heldOutDays.toFixed(2)),
      },
    },
    recommendations: [recommendationOf(of, found)],
  });
}
