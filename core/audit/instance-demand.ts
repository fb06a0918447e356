/** What the volumes of an instance demanded of it, together and each, ready to be replayed against other instance types. */
import type { EbsFigures } from '../catalog/instance-types.ts';
import { type Cause, causeCode } from '../diagnosis/causes.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import { isCounted } from '../diagnosis/evaluate-instance.ts';
import type { InstanceEvidence } from '../diagnosis/instance-evidence.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import { isShared } from '../inventory.ts';
import { isHdd } from '../limits/volume-limits.ts';
import { sameTimes } from '../load/series.ts';
import { countedSsdIops } from '../load/volume-load.ts';
import type {
  InstanceDemand,
  InstanceLoadDemand,
  MovableVolume,
} from '../recommendations/instance-demand.ts';
import { type ReplayConfiguration, replayConfiguration, type StartPercent } from '../replay/configuration.ts';
import { type ReplaySeries, throttledAndBurstMinutes } from '../replay/replay.ts';
import { idsOf } from '../stripes/stripes.ts';
import { demandByPeriod, withRoom } from './demand-series.ts';
import type { InstanceToEvaluate, Observed } from './observed.ts';
import { instanceStart } from './volume-replay.ts';

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
  const maxIops = isHdd(volumeType) ? Number.POSITIVE_INFINITY : burstIops;
  for (let i = 0; i < iops.length; i++) {
    const mib = mibps[i] as number;
    const counted = countedSsdIops(iops[i] as number, mib);
    if (!(counted > 0)) continue;
    const part = Math.min(1, maxIops / counted, mib > 0 ? burstMiBps / mib : 1);
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
  minRefillPerSecond: 0,
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

type Volumes = readonly [DiagnosedVolume, ...DiagnosedVolume[]];

const noLoad = (length: number): Sums => ({
  iops: new Float64Array(length),
  mibps: new Float64Array(length),
});

/** Of one volume or of several, on the axis that they share. */
function demandOfSums(
  sums: Sums,
  { load: { periodSeconds, epochSeconds } }: DiagnosedVolume,
  startPercent: Partial<StartPercent>,
): InstanceLoadDemand {
  const series: ReplaySeries = { periodSeconds, epochSeconds, ...sums, writeShare: 0 };
  // Many types have the same figures.
  const replayed = new Map<string, number>();
  return {
    rates: { iops: highest(sums.iops), throughputMiBps: highest(sums.mibps) },
    throttledMinutesWith: (figures) => {
      const key = JSON.stringify(figures);
      const minutes =
        replayed.get(key) ?? throttledAndBurstMinutes(series, instanceOnly(figures, startPercent));
      replayed.set(key, minutes);
      return minutes;
    },
  };
}

function loadOf(
  volumes: Volumes,
  line: 'high' | 'likely',
  startPercent: Partial<StartPercent>,
  thresholds: Thresholds,
): InstanceLoadDemand {
  const sums = noLoad(volumes[0].load.epochSeconds.length);
  for (const volume of volumes) addOne(volume, demandOfOne(volume, line, thresholds), sums);
  return demandOfSums(sums, volumes[0], startPercent);
}

// One volume of it, and the others without it.

const instanceCauses: readonly Cause[] = ['instance-iops', 'instance-throughput', 'instance-credits'];
const instanceCodes: ReadonlySet<number> = new Set(instanceCauses.map((cause) => causeCode[cause]));

const hasWaitedForInstance = ({ attribution: { cause } }: DiagnosedVolume): boolean =>
  cause.some((code) => instanceCodes.has(code));

const totalOf = (column: Float64Array): number => column.reduce((total, value) => total + value, 0);

const less = (all: Float64Array, one: Float64Array): Float64Array =>
  all.map((value, i) => Math.max(0, value - (one[i] as number)));

/** A volume that is moved begins with full credits elsewhere; what stays begins as the instance began. */
function movableOf(
  { instance }: InstanceToEvaluate,
  volumes: Volumes,
  observed: Observed,
  startPercent: Partial<StartPercent>,
  thresholds: Thresholds,
): MovableVolume[] {
  const { instanceId, rootVolumeId } = instance;
  const striped = new Set(observed.stripesOn(instanceId).flatMap(idsOf));
  const { length } = volumes[0].load.epochSeconds;
  const all = noLoad(length);
  const each = volumes.map((diagnosed) => {
    const sums = noLoad(length);
    addOne(diagnosed, demandOfOne(diagnosed, 'high', thresholds), sums);
    for (let i = 0; i < length; i++) {
      all.iops[i] = (all.iops[i] as number) + (sums.iops[i] as number);
      all.mibps[i] = (all.mibps[i] as number) + (sums.mibps[i] as number);
    }
    return { diagnosed, sums, hasWaited: hasWaitedForInstance(diagnosed) };
  });
  const share = (of: keyof Sums, sums: Sums): number => totalOf(sums[of]) / Math.max(1, totalOf(all[of]));
  return each.flatMap((one) => {
    const { diagnosed, sums } = one;
    const { volumeId } = diagnosed.volume;
    const isNeighbourHurt = each.some((other) => other !== one && other.hasWaited);
    if (volumeId === rootVolumeId || striped.has(volumeId) || !isNeighbourHurt) return [];
    const others = { iops: less(all.iops, sums.iops), mibps: less(all.mibps, sums.mibps) };
    return [
      {
        volumeId,
        loadShare: { iops: share('iops', sums), throughputMiBps: share('mibps', sums) },
        mayBeRoot: rootVolumeId === undefined,
        alone: demandOfSums(sums, diagnosed, {}),
        others: demandOfSums(others, diagnosed, startPercent),
      },
    ];
  });
}

/** Minutes of all its causes, as they count for a finding. */
function throttledMinutesOf(evidence: InstanceEvidence): number {
  let sum = 0;
  evidence.minutes.forEach((minutes, i) => {
    if (evidence.cause[i] !== causeCode.none && isCounted(evidence, i)) sum += minutes;
  });
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
  const volumes: Volumes = [first, ...others];
  return {
    most: loadOf(volumes, 'high', start, thresholds),
    likely: loadOf(volumes, 'likely', start, thresholds),
    throttledMinutes: Math.max(throttled, throttledMinutesOf(evidence)),
    movable: () => movableOf(entry, volumes, observed, start, thresholds),
  };
}
