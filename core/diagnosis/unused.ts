/** Volumes that cost money and do nothing: unattached, or attached and idle. */
import type { Known } from '../known.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { Severity } from '../schemas/finding.ts';
import { isoFromEpochSeconds, secondsPerMinute } from '../units.ts';
import { thresholds } from './thresholds.ts';
import type { Draft } from './volume-findings.ts';

const unusedSeverity = (usd: Known<number>): Severity =>
  usd.known && usd.value >= thresholds.unusedWarningUsd ? 'warning' : 'info';

const priceText = (usd: Known<number>): string =>
  usd.known ? `${usd.value.toFixed(2)} USD a month` : `price unknown: ${usd.because}`;

const priceEvidence = (
  usd: Known<number>,
): { monthlyUsd: number | null; priceUnknownBecause: string | null } =>
  usd.known
    ? { monthlyUsd: usd.value, priceUnknownBecause: null }
    : { monthlyUsd: null, priceUnknownBecause: usd.because };

/** A volume in state available. EC2 does not say since when. */
export const unattachedFinding = (usd: Known<number>): Draft => ({
  kind: 'unattached',
  severity: unusedSeverity(usd),
  since: null,
  reason: `attached to no instance (${priceText(usd)})`,
  evidence: { state: 'available', ...priceEvidence(usd), confidence: 'high' },
});

/** Attached, with fewer than one operation a minute over a window of at least a day; null where that is not so. */
export function idleFinding(load: VolumeLoad, windowSeconds: number, usd: Known<number>): Draft | null {
  const { knownSeconds } = load;
  if (windowSeconds < thresholds.idleWindowSeconds) return null;
  if (knownSeconds < thresholds.idleKnownShare * windowSeconds) return null;
  const operations = load.ops.reduce((total, ops) => total + (Number.isNaN(ops) ? 0 : ops), 0);
  const opsPerMinute = operations / (knownSeconds / secondsPerMinute);
  if (opsPerMinute >= thresholds.idleOpsPerMinute) return null;
  const lastActive = load.ops.findLastIndex((ops) => ops > 0);
  return {
    kind: 'idle',
    severity: unusedSeverity(usd),
    since: isoFromEpochSeconds(load.epochSeconds[0] as number),
    reason: `attached, but ${operations} operations in ${Math.round(knownSeconds / 3600)} h (${priceText(usd)})`,
    evidence: {
      operations,
      opsPerMinute,
      knownHours: knownSeconds / 3600,
      lastActive: lastActive < 0 ? null : isoFromEpochSeconds(load.epochSeconds[lastActive] as number),
      ...priceEvidence(usd),
      confidence: 'high',
    },
  };
}
