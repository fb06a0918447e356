/**
 * The words of the audit that a configuration may set other figures for, and between which bounds. Beyond them the rules that
 * clear volumes by few metrics, or the words themselves, would no longer hold.
 */
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
/** What is told from a price on is never told of nothing. */
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
} as const satisfies Record<ThresholdName, ThresholdBounds>;
export const configurableThresholds = Object.keys(thresholdBounds) as ThresholdName[];

const unitTexts: Partial<Record<ThresholdBounds['unit'], string>> = { share: ', a share', times: ' times' };

/** "a number from 1 to 5 minutes". */
export function boundsText({ min, max, unit, isWhole = false }: ThresholdBounds): string {
  const what = isWhole ? 'a whole number' : 'a number';
  return `${what} from ${min} to ${max}${unitTexts[unit] ?? ` ${unit}`}`;
}

function figureSchema(bounds: ThresholdBounds): z.ZodNumber {
  const { min, max, isWhole = false } = bounds;
  const right = boundsText(bounds);
  return (isWhole ? z.int(right) : z.number(right)).min(min, right).max(max, right);
}

type FigureSchemas = { [K in ThresholdName]: z.ZodOptional<z.ZodNumber> };
const figureSchemas = Object.fromEntries(
  configurableThresholds.map((name) => [name, figureSchema(thresholdBounds[name]).optional()]),
) as FigureSchemas;

/** What is not said stays as documented. */
export const thresholdsSchema = z.strictObject(figureSchemas) satisfies z.ZodType<OtherThresholds>;
