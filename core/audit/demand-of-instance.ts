/** What the volumes of an instance demanded of it together, ready to be replayed against other instance types. */

import type { EbsFigures } from '../catalog/instance-type.ts';
import { isShared } from '../diagnosis/attached-volumes.ts';
import { causeCode, proofs } from '../diagnosis/causes.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import type { InstanceEvidence } from '../diagnosis/instance-evidence.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import { isHdd } from '../limits/volume-types.ts';
import { sameTimes } from '../load/series.ts';
import { countedSsdIops } from '../load/volume-load.ts';
import type { InstanceDemand, InstanceLoadDemand } from '../recommendations/instance-recommendation.ts';
import { type ReplayConfiguration, replayConfiguration, type StartPercent } from '../replay/configuration.ts';
import type { ReplaySeries } from '../replay/series.ts';
import { demandByPeriod, withRoom } from './demand-series.ts';
import type { InstanceToEvaluate } from './instances-to-evaluate.ts';
import type { Observed } from './observed.ts';
import { instanceStart, throttledMinutes } from './replay-basis.ts';

/** Diagnosed on one time axis, all of them; null where one is not, or is not looked at. */
function allDiagnosed(
  { instance, volumes }: InstanceToEvaluate,
  observed: Observed,
): DiagnosedVolume[] | null {
  if (instance.excludedVolumes !== undefined) return null;
  const found: DiagnosedVolume[] = [];
  for (const volume of volumes) {
    const one = observed.diagnosisOf(volume.volumeId);
    const first = found[0] ?? one;
    if (one === undefined || first === undefined || isShared(volume)) return null;
    if (!sameTimes(one.load.epochSeconds, first.load.epochSeconds)) return null;
    found.push(one);
  }
  return found.length === 0 ? null : found;
}

type Sums = Pick<ReplaySeries, 'iops' | 'mibps'>;

/** What a volume asks of its instance: no more than the volume can do itself. */
function addOne({ limits }: DiagnosedVolume, { iops, mibps }: Sums, to: Sums): void {
  const { burstIops, burstMiBps, volumeType } = limits;
  const mostIops = isHdd(volumeType) ? Number.POSITIVE_INFINITY : burstIops;
  for (let i = 0; i < iops.length; i++) {
    const mib = mibps[i] as number;
    const counted = countedSsdIops(iops[i] as number, mib);
    if (!(counted > 0)) continue;
    const part = Math.min(1, mostIops / counted, mib > 0 ? burstMiBps / mib : 1);
    to.iops[i] = (to.iops[i] as number) + counted * part;
    if (mib > 0) to.mibps[i] = (to.mibps[i] as number) + mib * part;
  }
}

/** Demanded at most, with headroom above what is likely where the two are near; or likely, with headroom. */
function demandOfOne(diagnosed: DiagnosedVolume, line: 'high' | 'likely', thresholds: Thresholds): Sums {
  const likely = withRoom(demandByPeriod(diagnosed, 'likely', thresholds), diagnosed, thresholds);
  if (line === 'likely') return likely;
  const high = demandByPeriod(diagnosed, 'high');
  return {
    iops: high.iops.map((io, i) => Math.max(io, likely.iops[i] as number)),
    mibps: high.mibps.map((mib, i) => Math.max(mib, likely.mibps[i] as number)),
  };
}

const highest = (column: Float64Array): number => column.reduce((top, value) => Math.max(top, value), 0);

const unlimited = {
  baselinePerSecond: Number.POSITIVE_INFINITY,
  burstPerSecond: Number.POSITIVE_INFINITY,
  creditCapacity: 0,
  startCredits: 0,
  leastRefillPerSecond: 0,
};

/** An instance whose volumes are no limit. */
const instanceOnly = (instance: EbsFigures, startPercent: Partial<StartPercent>): ReplayConfiguration => ({
  ...replayConfiguration(
    { kind: 'single', members: 1, volumeType: 'gp3', sizeGiB: 1, iops: 3_000, throughputMiBps: 125 },
    { instance, startPercent },
  ),
  volumeIops: unlimited,
  volumeMiBps: unlimited,
});

function loadOf(
  volumes: readonly [DiagnosedVolume, ...DiagnosedVolume[]],
  line: 'high' | 'likely',
  startPercent: Partial<StartPercent>,
  thresholds: Thresholds,
): InstanceLoadDemand {
  const { periodSeconds, epochSeconds } = volumes[0].load;
  const { length } = epochSeconds;
  const sums = { iops: new Float64Array(length), mibps: new Float64Array(length) };
  for (const volume of volumes) addOne(volume, demandOfOne(volume, line, thresholds), sums);
  const series: ReplaySeries = { periodSeconds, epochSeconds, ...sums, writeShare: 0 };
  // Many types have the same figures.
  const replayed = new Map<string, number>();
  return {
    rates: { iops: highest(sums.iops), throughputMiBps: highest(sums.mibps) },
    throttledMinutesWith: (figures) => {
      const key = JSON.stringify(figures);
      const minutes = replayed.get(key) ?? throttledMinutes(series, instanceOnly(figures, startPercent));
      replayed.set(key, minutes);
      return minutes;
    },
  };
}

/** Minutes of all its causes, as they count for a finding: what only the sum shows where a volume was seen to wait. */
function throttledMinutesOf({ cause, minutes, proof, felt }: InstanceEvidence): number {
  let sum = 0;
  for (let i = 0; i < cause.length; i++) {
    const isProved = proofs[proof[i] as number] !== 'rate' || felt[i] === 1;
    if (cause[i] !== causeCode.none && isProved) sum += minutes[i] as number;
  }
  return sum;
}

/**
 * Null where the loads of its volumes are not all known on one time axis.
 * @param throttled minutes of one finding: other limits of the instance may have throttled in others.
 */
export function demandOfInstance(
  entry: InstanceToEvaluate,
  evidence: InstanceEvidence,
  throttled: number,
  observed: Observed,
  thresholds: Thresholds,
): InstanceDemand | null {
  const [first, ...others] = allDiagnosed(entry, observed) ?? [];
  if (first === undefined) return null;
  const start = instanceStart(evidence);
  return {
    most: loadOf([first, ...others], 'high', start, thresholds),
    likely: loadOf([first, ...others], 'likely', start, thresholds),
    throttledMinutes: Math.max(throttled, throttledMinutesOf(evidence)),
  };
}
