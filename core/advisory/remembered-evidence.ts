/** Of the evidence of a finding the part that its lines are made from: it is remembered, and notified. */
import type { Finding } from '../schemas/finding.ts';

const keys = [
  ...['heldBackMinutesWorst24h', 'heldBackMinutesInWorstHour', 'bindingLimit', 'limitIops', 'limitMiBps'],
  ...['secondsToEmpty', 'balancePercent', 'lowestBalancePercent', 'balance', 'instanceType'],
  ...['burstSecondsMedian', 'burstRateMedianLow', 'burstRateMedianHigh', 'burstUnit'],
  ...['peakIops', 'peakMiBps', 'provisionedIops', 'provisionedMiBps', 'excessMonthlyUsd'],
  ...['monthlyUsd', 'operations', 'knownHours'],
  ...['members', 'membersConcerned', 'stripeConfidence'],
  ...['medianLatencyMs', 'siblingsMedianLatencyMs', 'slowMinutesWorst24h'],
] as const;

export const rememberedEvidence = (evidence: Finding['evidence']): Finding['evidence'] =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const value = evidence[key];
      return value === undefined || value === null ? [] : [[key, value]];
    }),
  );
