/** The words of the audit that a configuration may set other figures for, and between which bounds. Beyond them the rules that clear volumes by few metrics, or the words themselves, would no longer hold. */
import { z } from 'zod';
import type { OtherThresholds, ThresholdName } from '../diagnosis/thresholds.ts';
import { secondsPerDay, secondsPerHour } from '../units.ts';

export interface ThresholdBounds {
  min: number;
  max: number;
  unit:
    | 'minutes'
    | 'seconds'
    | 'percent'
    | 'USD a month'
    | 'share'
    | 'times'
    | 'ms'
    | 'a minute'
    | 'a second';
  isWhole?: boolean;
}

const minutesOfDay = { min: 1, max: 1_440, unit: 'minutes', isWhole: true } as const;
/** What is reported from a price on is never reported of nothing. */
const reportedFromUsd = { min: 0.01, max: 1_000_000, unit: 'USD a month' } as const;
const warningFromUsd = { ...reportedFromUsd, min: 0 } as const;
const knownShare = { min: 0.5, max: 1, unit: 'share' } as const;
const window = { min: secondsPerHour, max: 14 * secondsPerDay, unit: 'seconds', isWhole: true } as const;

export const thresholdBounds = {
  throttledWarningMinutes: minutesOfDay,
  throttledCriticalMinutes: minutesOfDay,
  throttledCriticalMinutesOfLastFive: { ...minutesOfDay, max: 5 },
  microBurstMinutes: minutesOfDay,
  microBurstAverageShare: { min: 0.5, max: 0.9, unit: 'share' },
  emptyBalancePercent: { min: 0, max: 20, unit: 'percent' },
  creditsExhaustedCriticalMinutes: minutesOfDay,
  willExhaustSeconds: { min: 600, max: 12 * secondsPerHour, unit: 'seconds', isWhole: true },
  willExhaustCriticalSeconds: { min: 60, max: 12 * secondsPerHour, unit: 'seconds', isWhole: true },
  idleOpsPerMinute: { min: 0.01, max: 60, unit: 'a minute' },
  idleWindowSeconds: window,
  idleKnownShare: knownShare,
  unusedWarningUsd: warningFromUsd,
  unreachableUsd: reportedFromUsd,
  unreachableWarningUsd: warningFromUsd,
  overProvisionedUsd: reportedFromUsd,
  cheaperTypeUsd: reportedFromUsd,
  cheaperStripeUsd: reportedFromUsd,
  cheaperStripeShare: { min: 0, max: 0.9, unit: 'share' },
  savingWarningUsd: warningFromUsd,
  savingHeadroom: { min: 0, max: 2, unit: 'share' },
  savingWindowSeconds: window,
  savingKnownShare: knownShare,
  stragglerTimes: { min: 2, max: 100, unit: 'times' },
  stragglerLeastMs: { min: 0.1, max: 10_000, unit: 'ms' },
  stragglerMinutes: minutesOfDay,
  stragglerLeastIops: { min: 0.1, max: 100_000, unit: 'a second' },
  maxLatencyMs: { min: 0, max: 10_000, unit: 'ms' },
  latencyMinutes: minutesOfDay,
} as const satisfies Record<ThresholdName, ThresholdBounds>;
export const configurableThresholds = Object.keys(thresholdBounds) as ThresholdName[];

const unitTexts: Partial<Record<ThresholdBounds['unit'], string>> = { share: ', a share', times: ' times' };

/** "a number from 1 to 5 minutes". */
export function boundsText({ min, max, unit, isWhole = false }: ThresholdBounds): string {
  const what = isWhole ? 'a whole number' : 'a number';
  return `${what} from ${min} to ${max}${unitTexts[unit] ?? ` ${unit}`}`;
}

/** What each decides, for the reference of the configuration. */
const decides: Readonly<Record<ThresholdName, string>> = {
  throttledWarningMinutes: 'throttled so long within 24 h is a warning; at most `throttledCriticalMinutes`',
  throttledCriticalMinutes: 'throttled so long within 24 h is critical',
  throttledCriticalMinutesOfLastFive: 'so many throttled minutes of the last five are critical',
  microBurstMinutes: 'so many minutes with micro-bursts within 24 h are a finding',
  microBurstAverageShare:
    'a throttled minute is a micro-burst where its average stays below this share of the limit',
  emptyBalancePercent: 'a balance at or below it counts as empty',
  creditsExhaustedCriticalMinutes: 'empty under load so long within 24 h is critical',
  willExhaustSeconds: 'credits that will be empty so soon are a warning',
  willExhaustCriticalSeconds: 'credits that will be empty so soon are critical; at most `willExhaustSeconds`',
  idleOpsPerMinute: 'fewer operations are idle',
  idleWindowSeconds: 'idle over so long at least; at most `audit.lookbackDays`',
  idleKnownShare: 'of which so much must be known',
  unusedWarningUsd: 'an unused volume is a warning from this price on',
  unreachableUsd:
    'what is paid for beyond the limit of an instance is a finding from this price on; at most `unreachableWarningUsd`',
  unreachableWarningUsd: 'and a warning from this price on',
  overProvisionedUsd: 'lower figures of the same type are recommended from this saving on',
  cheaperTypeUsd: 'another type is recommended from this saving on',
  cheaperStripeUsd: 'a stripe is recommended from this saving on',
  cheaperStripeShare: 'a stripe must save this share too',
  savingWarningUsd: 'a saving is a warning from here',
  savingHeadroom: 'a volume needs the most that was seen, and this share more',
  savingWindowSeconds: 'seen over so long at least; at most `audit.lookbackDays`',
  savingKnownShare: 'of which so much must be known',
  stragglerTimes: 'the latency of a straggler is so many times that of its siblings',
  stragglerLeastMs: 'and at least so long',
  stragglerMinutes: 'for so many minutes of 24 h',
  stragglerLeastIops: 'under at least so much load',
  maxLatencyMs: 'a longer average latency of small I/O is a finding where nothing throttles; 0: no target',
  latencyMinutes: 'for so many minutes of 24 h',
};

function figureSchema(bounds: ThresholdBounds): z.ZodNumber {
  const { min, max, isWhole = false } = bounds;
  const right = boundsText(bounds);
  return (isWhole ? z.int(right) : z.number(right)).min(min, right).max(max, right);
}

type FigureSchemas = { [K in ThresholdName]: z.ZodOptional<z.ZodNumber> };
const figureSchemas = Object.fromEntries(
  configurableThresholds.map((name) => [
    name,
    figureSchema(thresholdBounds[name]).optional().meta({ description: decides[name] }),
  ]),
) as FigureSchemas;

/** What is not said stays as documented. */
export const thresholdsSchema = z.strictObject(figureSchemas) satisfies z.ZodType<OtherThresholds>;
