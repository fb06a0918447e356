/** Volumes that cost money and do nothing: unattached, or attached and idle. */
import type { Known } from '../known.ts';
import type { Deployment } from '../limits/volume-types.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { PriceReason } from '../prices/price-reason.ts';
import type { Severity } from '../schemas/finding.ts';
import { isoFromEpochSeconds, secondsPerHour, secondsPerMinute } from '../units.ts';
import type { Draft } from './draft.ts';
import type { Thresholds } from './thresholds.ts';
import { byConfiguration, evidenceOver, standing } from './throttled.ts';

/** What an unused volume costs: known, or why not; on an Outpost the price is the Region's. */
export interface UnusedPrice {
  usd: Known<number, PriceReason>;
  deployment: Deployment;
}

const unusedSeverity = ({ usd }: UnusedPrice, { unusedWarningUsd }: Thresholds): Severity =>
  usd.known && usd.value >= unusedWarningUsd ? 'warning' : 'info';

const priceEvidence = ({ usd, deployment }: UnusedPrice) => ({
  monthlyUsd: usd.known ? usd.value : null,
  priceUnknownReason: usd.known ? null : usd.reason,
  isOnOutpost: deployment === 'outposts',
});

/** A volume in state available. EC2 does not say since when. */
export const unattachedFinding = (price: UnusedPrice, thresholds: Thresholds): Draft<'unattached'> => ({
  kind: 'unattached',
  severity: unusedSeverity(price, thresholds),
  ...standing,
  ...{ limit: null, demand: null, confidence: 'high', ...byConfiguration },
  evidence: { state: 'available', ...priceEvidence(price) },
});

/** Attached, with fewer than one operation a minute over a window of at least a day; null where that is not so. */
export function idleFinding(
  load: VolumeLoad,
  windowSeconds: number,
  price: UnusedPrice,
  thresholds: Thresholds,
): Draft<'idle'> | null {
  const { knownSeconds } = load;
  if (windowSeconds < thresholds.idleWindowSeconds) return null;
  if (knownSeconds < thresholds.idleKnownShare * windowSeconds) return null;
  const knownMinutes = knownSeconds / secondsPerMinute;
  let operations = 0;
  for (let i = 0; i < load.ops.length; i++) {
    if ((load.ops[i] as number) > 0) operations += load.ops[i] as number;
    // Of most volumes the first period tells.
    if (operations / knownMinutes >= thresholds.idleOpsPerMinute) return null;
  }
  const opsPerMinute = operations / knownMinutes;
  const lastActive = load.ops.findLastIndex((ops) => ops > 0);
  return {
    kind: 'idle',
    severity: unusedSeverity(price, thresholds),
    status: 'standing',
    firstSeen: isoFromEpochSeconds(load.epochSeconds[0] as number),
    lastSeen: isoFromEpochSeconds((load.epochSeconds.at(-1) as number) + load.periodSeconds),
    ...{ limit: null, demand: null, confidence: 'high', ...evidenceOver(load, knownSeconds) },
    evidence: {
      operations,
      opsPerMinute,
      knownHours: knownSeconds / secondsPerHour,
      lastActive: lastActive < 0 ? null : isoFromEpochSeconds(load.epochSeconds[lastActive] as number),
      ...priceEvidence(price),
    },
  };
}
