/** What the replays of a volume rest on: its load, its instance, and what the other volumes of that carry. */

import type { EbsFigures } from '../catalog/instance-type.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import type { InstanceEvidence } from '../diagnosis/instance-evidence.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import type { Instance, Volume } from '../inventory.ts';
import { isHdd } from '../limits/volume-types.ts';
import { maximum, sameTimes } from '../load/series.ts';
import { countedSsdIops } from '../load/volume-load.ts';
import type { Rates } from '../plan/need.ts';
import { usualChunkKiB } from '../recommendations/savings/observed-need.ts';
import type { Sized } from '../recommendations/throttled/demand.ts';
import type { ReplayConfiguration, StartPercent } from '../replay/configuration.ts';
import { replay } from '../replay/replay.ts';
import type { ReplaySeries } from '../replay/series.ts';
import { kibFromMiB } from '../units.ts';
import { type DemandSeries, demandByPeriod, withRoom } from './demand-series.ts';
import type { EvaluationContext } from './evaluating.ts';
import { ebsFiguresOfInstance } from './observed.ts';

/** The busiest period, as EBS counts it; over its non-idle seconds where the idle time shows them. */
export function busiest(
  { iops, mibps, activeTimeIops }: Pick<DemandSeries, 'iops' | 'mibps' | 'activeTimeIops'>,
  countsBytes: boolean,
): Sized {
  const rates: Rates = { iops: 0, throughputMiBps: 0 };
  let cutIops = 0;
  for (let i = 0; i < iops.length; i++) {
    const io = iops[i] as number;
    const busy = activeTimeIops === null ? Number.NaN : (activeTimeIops[i] as number);
    const peak = busy > io ? busy / io : 1;
    const mib = (mibps[i] as number) * peak;
    const counted = countsBytes ? io * peak : countedSsdIops(io * peak, mib);
    const cut = io * peak * Math.max(1, Math.ceil(kibFromMiB(mibps[i] as number) / (usualChunkKiB * io)));
    if (counted > rates.iops) rates.iops = counted;
    if (mib > rates.throughputMiBps) rates.throughputMiBps = mib;
    if (cut > cutIops) cutIops = cut;
  }
  return { rates, cutIops: Math.max(cutIops, rates.iops) };
}

const higher = (a: Sized, b: Sized): Sized => ({
  rates: {
    iops: Math.max(a.rates.iops, b.rates.iops),
    throughputMiBps: Math.max(a.rates.throughputMiBps, b.rates.throughputMiBps),
  },
  cutIops: Math.max(a.cutIops, b.cutIops),
});

type Beside = NonNullable<ReplaySeries['beside']>;

/** What the other volumes of its instance were served meanwhile; null where that is not known on the same time axis. */
function besideOf({ load }: DiagnosedVolume, evidence: InstanceEvidence | null): Beside | null {
  if (evidence === null || !sameTimes(evidence.epochSeconds, load.epochSeconds)) return null;
  const { length } = load.iops;
  const beside: Beside = { iops: new Float64Array(length), mibps: new Float64Array(length) };
  for (let i = 0; i < length; i++) {
    const [iops, mib] = [load.iops[i] as number, load.mibps[i] as number];
    const [all, allMib] = [evidence.load.iops[i] as number, evidence.load.mibps[i] as number];
    beside.iops[i] = iops > 0 ? Math.max(0, all - countedSsdIops(iops, mib)) : all;
    beside.mibps[i] = mib > 0 ? Math.max(0, allMib - mib) : allMib;
  }
  return beside;
}

/** Of an instance what is not known is no limit. */
const atMost = (figure: number): number => (Number.isNaN(figure) ? 1e12 : figure);
const withoutUnknown = ({
  baselineIops,
  baselineMiBps,
  maximumIops,
  maximumMiBps,
}: EbsFigures): EbsFigures => ({
  baselineIops: atMost(baselineIops),
  baselineMiBps: atMost(baselineMiBps),
  maximumIops: atMost(maximumIops),
  maximumMiBps: atMost(maximumMiBps),
});

/** What there is around a volume. */
export type ReplayContext = Pick<
  EvaluationContext,
  'instances' | 'regionCatalogs' | 'observed' | 'thresholds'
>;

interface Host {
  instance: Instance;
  figures: EbsFigures;
}

/** The one instance that it is on; null where that or its limits are not known. */
function hostOf(
  { attachments: [first, ...others] }: Volume,
  { instances, regionCatalogs }: ReplayContext,
): Host | null {
  const instance = instances.get(first?.instanceId ?? '');
  if (instance === undefined || others.length > 0) return null;
  const figures = ebsFiguresOfInstance(instance, regionCatalogs);
  return figures === null ? null : { instance, figures: withoutUnknown(figures) };
}

/** Minutes throttled: on average, or in the busy seconds of a period. */
export function throttledMinutes(series: ReplaySeries, configuration: ReplayConfiguration): number {
  const { throttledMinutes, burstMinutes } = replay(series, configuration);
  return throttledMinutes + (burstMinutes ?? 0);
}

/** The first that is known; full where none is. */
const firstPercent = (column: Float64Array | null | undefined): number =>
  column?.find((percent) => !Number.isNaN(percent)) ?? 100;

/** The balances that an instance has at first. */
export const instanceStart = (
  evidence: InstanceEvidence | null,
): Pick<StartPercent, 'instanceIo' | 'instanceBytes'> => ({
  instanceIo: firstPercent(evidence?.balance.io),
  instanceBytes: firstPercent(evidence?.balance.bytes),
});

/** What a replay of a volume needs besides a layout: made when the first is asked for, of most volumes never. */
export interface ReplayBasis {
  /** At most, and what is likely: the same where nothing was throttled. */
  high: DemandSeries;
  likely: DemandSeries;
  /** What it is to have for each of them. */
  most: Sized;
  usual: Sized;
  host: Host | null;
  /** Null where its instance never comes near its limits: then it is left out. */
  instance: EbsFigures | null;
  beside: Beside | null;
  startPercent: StartPercent;
}

/** Could the instance hold these loads back, headroom included? */
function isReached(
  figures: EbsFigures,
  { rates }: Sized,
  evidence: InstanceEvidence | null,
  { savingHeadroom }: Thresholds,
): boolean {
  const most = 1 + savingHeadroom;
  return (
    most * rates.iops + (maximum(evidence?.load.iops ?? null) ?? 0) > figures.baselineIops ||
    most * rates.throughputMiBps + (maximum(evidence?.load.mibps ?? null) ?? 0) > figures.baselineMiBps
  );
}

export function replayBasis(diagnosed: DiagnosedVolume, context: ReplayContext): ReplayBasis {
  const { volume, limits } = diagnosed;
  const { thresholds } = context;
  const hdd = isHdd(limits.volumeType);
  const high = demandByPeriod(diagnosed, 'high');
  const isThrottled = diagnosed.demand.highIops !== diagnosed.load.iops;
  const likely = isThrottled ? demandByPeriod(diagnosed, 'likely', thresholds) : high;
  const atMost = busiest(high, hdd);
  const usual = isThrottled
    ? higher(busiest(likely, hdd), busiest(withRoom(likely, diagnosed, thresholds), hdd))
    : atMost;
  const most = higher(atMost, usual);
  const host = hostOf(volume, context);
  const evidence = host === null ? null : context.observed.evidenceOf(host.instance.instanceId);
  const instance = host !== null && isReached(host.figures, most, evidence, thresholds) ? host.figures : null;
  const beside = instance === null ? null : besideOf(diagnosed, evidence);
  const startPercent = {
    volume: firstPercent(diagnosed.attribution.balance?.percent),
    ...instanceStart(evidence),
  };
  return { high, likely, most, usual, host, instance, beside, startPercent };
}
