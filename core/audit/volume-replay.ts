/** What a volume's load demanded, ready to be replayed against other configurations. */
import type { EbsFigures } from '../catalog/instance-types.ts';
import { causeCode } from '../diagnosis/causes.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import type { InstanceEvidence } from '../diagnosis/instance-evidence.ts';
import { fixedThresholds, type Thresholds } from '../diagnosis/thresholds.ts';
import type { Instance, Volume } from '../inventory.ts';
import { isHdd } from '../limits/volume-limits.ts';
import { summaryOf, usualChunkKiB } from '../load/load-summary.ts';
import { sameTimes, topOf } from '../load/series.ts';
import { countedSsdIops } from '../load/volume-load.ts';
import type { Layout, Rates } from '../plan/layout.ts';
import type { VolumeModification } from '../recommendations/modifications.ts';
import {
  type Demand,
  type DemandLine,
  layoutNow,
  type ReplayedWith,
  type Sized,
} from '../recommendations/recommendation.ts';
import type { SeenForSchedule } from '../recommendations/scheduled-saving.ts';
import { type ReplayConfiguration, replayConfiguration, type StartPercent } from '../replay/configuration.ts';
import {
  minutesByPeriod,
  type ReplaySeries,
  replayColumns,
  throttledAndBurstMinutes,
} from '../replay/replay.ts';
import { idsOf } from '../stripes/stripes.ts';
import { kibFromMiB, secondsPerMinute } from '../units.ts';
import { type DemandSeries, demandByPeriod, withRoom } from './demand-series.ts';
import { type EvaluationContext, ebsFiguresOfInstance } from './observed.ts';
import { scheduledMinutes } from './scheduled-minutes.ts';

// What the replays of a volume rest on: its load, its instance, and what the other volumes of that carry.

/** The busiest of some periods, as EBS counts it; over its non-idle seconds where the idle time shows them. */
function busiest(
  { iops, mibps, activeTimeIops }: Pick<DemandSeries, 'iops' | 'mibps' | 'activeTimeIops'>,
  countsBytes: boolean,
  periods: Int32Array,
): Sized {
  const rates: Rates = { iops: 0, throughputMiBps: 0 };
  let cutIops = 0;
  for (let n = 0; n < periods.length; n++) {
    const i = periods[n] as number;
    const io = iops[i] as number;
    const busy = activeTimeIops === null ? Number.NaN : (activeTimeIops[i] as number);
    const peak = busy > io ? busy / io : 1;
    const mib = (mibps[i] as number) * peak;
    const counted = countsBytes ? io * peak : countedSsdIops(io * peak, mib);
    const kib = kibFromMiB(mibps[i] as number);
    const chunk = usualChunkKiB * io;
    // I/O of a usual size is not cut.
    const cut = kib <= chunk ? io * peak : io * peak * Math.max(1, Math.ceil(kib / chunk));
    if (counted > rates.iops) rates.iops = counted;
    if (mib > rates.throughputMiBps) rates.throughputMiBps = mib;
    if (cut > cutIops) cutIops = cut;
  }
  return { rates, cutIops: Math.max(cutIops, rates.iops) };
}

/** The same of a load that nothing throttled. */
function busiestServed({ load, limits }: DiagnosedVolume): { most: Sized; usual: Sized } {
  const { iops, replayedIops, throughputMiBps, cutIops } = summaryOf(load).busiest;
  const rates = { iops: isHdd(limits.volumeType) ? iops : replayedIops, throughputMiBps };
  const served = { rates, cutIops: Math.max(cutIops, rates.iops) };
  return { most: served, usual: served };
}

const higher = (a: Sized, b: Sized): Sized => ({
  rates: {
    iops: Math.max(a.rates.iops, b.rates.iops),
    throughputMiBps: Math.max(a.rates.throughputMiBps, b.rates.throughputMiBps),
  },
  cutIops: Math.max(a.cutIops, b.cutIops),
});

type Beside = NonNullable<ReplaySeries['beside']>;

/** Those of so many that are not among some, which are ascending. */
function othersThan(some: Int32Array, length: number): Int32Array {
  const others = new Int32Array(length - some.length);
  for (let i = 0, n = 0; i < length; i++) {
    if (i === some[n]) n++;
    else others[i - n] = i;
  }
  return others;
}

/** What was throttled at most and as is likely; what was not is the same for both. */
function busiestDemanded(
  diagnosed: DiagnosedVolume,
  ...[high, likely, thresholds]: [DemandSeries, DemandSeries, Thresholds]
): { most: Sized; usual: Sized } {
  const hdd = isHdd(diagnosed.limits.volumeType);
  const { throttledAt } = diagnosed.attribution;
  const served = busiest(high, hdd, othersThan(throttledAt, high.iops.length));
  const throttled = (series: DemandSeries): Sized => busiest(series, hdd, throttledAt);
  const withHeadroom = throttled(withRoom(likely, diagnosed, thresholds));
  const usual = higher(served, higher(throttled(likely), withHeadroom));
  return { most: higher(usual, throttled(high)), usual };
}

/** What the other volumes of its instance were served meanwhile; null where that is not known on the same time axis. */
function besideOf({ load }: DiagnosedVolume, evidence: InstanceEvidence | null): Beside | null {
  if (evidence === null || !sameTimes(evidence.epochSeconds, load.epochSeconds)) return null;
  const { length } = load.iops;
  const beside: Beside = { iops: new Float64Array(length), mibps: new Float64Array(length) };
  for (let i = 0; i < length; i++) {
    const iops = load.iops[i] as number;
    const mib = load.mibps[i] as number;
    const all = evidence.load.iops[i] as number;
    const allMib = evidence.load.mibps[i] as number;
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
  const isAbove = (carried: Rates): boolean =>
    most * rates.iops + carried.iops > figures.baselineIops ||
    most * rates.throughputMiBps + carried.throughputMiBps > figures.baselineMiBps;
  if (evidence === null) return isAbove({ iops: 0, throughputMiBps: 0 });
  const { load } = evidence;
  // What all its volumes carry together is only added up where it can matter.
  if (!isAbove({ iops: load.atMost.iops, throughputMiBps: load.atMost.mibps })) return false;
  return isAbove({ iops: Math.max(0, topOf(load.iops)), throughputMiBps: Math.max(0, topOf(load.mibps)) });
}

function replayBasis(diagnosed: DiagnosedVolume, context: ReplayContext): ReplayBasis {
  const { volume } = diagnosed;
  const { thresholds } = context;
  const high = demandByPeriod(diagnosed, 'high');
  const isThrottled = diagnosed.attribution.throttledAt.length > 0;
  const likely = isThrottled ? demandByPeriod(diagnosed, 'likely', thresholds) : high;
  const { most, usual } = isThrottled
    ? busiestDemanded(diagnosed, high, likely, thresholds)
    : busiestServed(diagnosed);
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

// What is coming for a volume whose credits run out: the mean of the last half hour, for as long as is looked ahead.

export interface ComingLoad {
  sized: Sized;
  ioKiB: number;
  series: ReplaySeries;
  /** Now. */
  startPercent: Partial<StartPercent>;
}

/** Mean of the known periods from one on; NaN where none is known. */
function meanFrom(column: Float64Array, first: number): number {
  let [sum, count] = [0, 0];
  for (let i = first; i < column.length; i++) {
    const value = column[i] as number;
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}

/** Of the last half hour, a rate that goes on for two hours, minute by minute. */
function steady(
  epochSeconds: number,
  iops: number,
  mibps: number,
  { willExhaustSeconds }: Thresholds,
): ReplaySeries {
  const length = willExhaustSeconds / secondsPerMinute;
  return {
    periodSeconds: secondsPerMinute,
    epochSeconds: Float64Array.from({ length }, (_, i) => epochSeconds + i * secondsPerMinute),
    iops: new Float64Array(length).fill(iops),
    mibps: new Float64Array(length).fill(mibps),
    writeShare: 0,
  };
}

/**
 * Null where it has no credits, or where its last half hour is not known. The rates that are asked for have the headroom
 * of a saving; those of a gp2 are no less than it does with its credits.
 */
function comingLoad(
  { limits, load, attribution: { balance } }: DiagnosedVolume,
  thresholds: Thresholds,
): ComingLoad | null {
  const { epochSeconds, periodSeconds, iops, mibps } = load;
  const last = epochSeconds.length - 1;
  const end = (epochSeconds[last] as number) + periodSeconds;
  const first = epochSeconds.findIndex((at) => at >= end - fixedThresholds.recentRateSeconds);
  const [io, mib] = [meanFrom(iops, first), meanFrom(mibps, first)];
  if (balance === null || Number.isNaN(io) || Number.isNaN(mib)) return null;
  const series = steady(end, io, mib, thresholds);
  const hdd = isHdd(limits.volumeType);
  // Every minute is like the first.
  const { rates, cutIops } = busiest({ ...series, activeTimeIops: null }, hdd, Int32Array.of(0));
  const most = 1 + thresholds.savingHeadroom;
  const atLeast = hdd ? { iops: 0, mibps: 0 } : { iops: limits.burstIops, mibps: limits.burstMiBps };
  return {
    series,
    sized: {
      rates: {
        iops: Math.max(most * rates.iops, atLeast.iops),
        throughputMiBps: Math.max(most * rates.throughputMiBps, atLeast.mibps),
      },
      cutIops: Math.max(most * cutIops, atLeast.iops),
    },
    ioKiB: kibFromMiB(mib) / io,
    startPercent: { volume: balance.percent[last] as number },
  };
}

/** What is beside it stays. */
function timesAsHigh(series: ReplaySeries, times: number): ReplaySeries {
  const { iops, mibps, activeTimeIops = null } = series;
  if (times === 1) return series;
  const scaled = (column: Float64Array): Float64Array => {
    const high = new Float64Array(column.length);
    for (let i = 0; i < column.length; i++) high[i] = (column[i] as number) * times;
    return high;
  };
  return {
    ...series,
    iops: scaled(iops),
    mibps: scaled(mibps),
    activeTimeIops: activeTimeIops && scaled(activeTimeIops),
  };
}

const notForAVolume: readonly number[] = [
  causeCode['instance-iops'],
  causeCode['instance-throughput'],
  causeCode['instance-credits'],
  causeCode.stalled,
];

/** At its busiest the load stays below everything that is there all the time: a replay would find nothing. */
function isNeverReached(
  { counting, volumeIops, volumeMiBps, instance }: ReplayConfiguration,
  { rates, cutIops }: Sized,
  times: number,
): boolean {
  if (instance !== null || counting.writePenalty > 1) return false;
  // Larger chunks cut less.
  const isCut = Number.isFinite(counting.chunkMiB);
  if (isCut && kibFromMiB(counting.chunkMiB) < usualChunkKiB) return false;
  return (
    (isCut ? cutIops : rates.iops) * times <= volumeIops.baselinePerSecond &&
    rates.throughputMiBps * times <= volumeMiBps.baselinePerSecond
  );
}

/** How another layout would have served a volume's load, on its instance as it is. */
export class VolumeReplay {
  private readonly diagnosed: DiagnosedVolume;
  private readonly context: ReplayContext;
  private made: ReplayBasis | null = null;
  private readonly series = new Map<string, ReplaySeries>();
  private readonly minutes = new Map<string, number>();

  constructor(diagnosed: DiagnosedVolume, context: ReplayContext) {
    this.diagnosed = diagnosed;
    this.context = context;
  }

  private get basis(): ReplayBasis {
    this.made ??= replayBasis(this.diagnosed, this.context);
    return this.made;
  }

  private ratesOf(line: DemandLine): Pick<DemandSeries, 'iops' | 'mibps' | 'activeTimeIops'> {
    if (line !== 'low') return this.basis[line];
    const { lowIops: iops, lowMiBps: mibps } = this.diagnosed.demand;
    // What a busy second had is not certain.
    return { iops, mibps, activeTimeIops: null };
  }

  private seriesOf(line: DemandLine, times: number): ReplaySeries {
    const key = `${line} ${times}`;
    const before = this.series.get(key);
    if (before !== undefined) return before;
    const { periodSeconds, epochSeconds } = this.diagnosed.load;
    const { beside } = this.basis;
    const { iops, mibps, activeTimeIops } = this.ratesOf(line);
    const asItWas = { periodSeconds, epochSeconds, iops, mibps, writeShare: 0, activeTimeIops, beside };
    const made = timesAsHigh(asItWas, times);
    this.series.set(key, made);
    return made;
  }

  private configuration(layout: Layout, withoutInstance: boolean, start = this.basis.startPercent) {
    const { deployment } = this.diagnosed.volume;
    const instance = withoutInstance ? null : this.basis.instance;
    return replayConfiguration(layout, { deployment, instance, startPercent: start });
  }

  /** Minutes in which its load, so many times as high, would be throttled with a layout. */
  throttledMinutesWith(layout: Layout, times = 1): number {
    return this.replayedMinutes(layout, { times });
  }

  /** The same minutes, period by period. */
  throttledMinutesByPeriodWith(layout: Layout): { epochSeconds: Float64Array; minutes: Float64Array } {
    const high = this.seriesOf('high', 1);
    return {
      epochSeconds: high.epochSeconds,
      minutes: minutesByPeriod(high, this.configuration(layout, false)),
    };
  }

  private replayedMinutes(
    layout: Layout,
    { line = 'high', times = 1, withoutInstance = false }: ReplayedWith = {},
  ): number {
    const key = JSON.stringify([layout, line, times, withoutInstance]);
    const before = this.minutes.get(key);
    if (before !== undefined) return before;
    const { most, usual } = this.basis;
    const configuration = this.configuration(layout, withoutInstance);
    const minutes = isNeverReached(configuration, line === 'high' ? most : usual, times)
      ? 0
      : throttledAndBurstMinutes(this.seriesOf(line, times), configuration);
    this.minutes.set(key, minutes);
    return minutes;
  }

  /** @param modifications null where nobody told of any. */
  forSchedule(modifications: readonly VolumeModification[] | null): SeenForSchedule {
    const ofVolume = (layout: Layout): ReplayConfiguration => this.configuration(layout, true);
    return {
      load: this.diagnosed.load,
      modifications,
      throttledMinutesWith: (layouts, part) =>
        scheduledMinutes(this.seriesOf('high', 1), ofVolume, layouts, part),
    };
  }

  /** Minutes that its instance throttled, or that stalled, of which the replay shows nothing: no volume changes them. */
  private staysMinutes(line: DemandLine): number {
    const { limits, attribution } = this.diagnosed;
    const { cause, throttledMinutes: held, throttledAt } = attribution;
    const notByVolume = throttledAt.filter((i) => notForAVolume.includes(cause[i] as number));
    if (notByVolume.length === 0) return 0;
    const today = this.configuration(layoutNow(limits), false);
    const replayed = replayColumns(this.seriesOf(line, 1), today);
    let minutes = 0;
    for (const i of notByVolume) if (replayed.cause[i] === causeCode.none) minutes += held[i] as number;
    return minutes;
  }

  private comingDemand({ series, sized, ioKiB, startPercent }: ComingLoad): Demand {
    const start = { ...this.basis.startPercent, ...startPercent };
    const held: Demand['throttledMinutesWith'] = (layout, { times = 1, withoutInstance = false } = {}) =>
      throttledAndBurstMinutes(
        timesAsHigh(series, times),
        this.configuration(layout, withoutInstance, start),
      );
    return {
      ...this.surroundings(),
      most: sized,
      likely: sized,
      likelyRates: sized.rates,
      ioKiB,
      throttledMinutes: held(layoutNow(this.diagnosed.limits)),
      openMinutes: 0,
      isComing: true,
      throttledMinutesWith: held,
      coming: () => null,
    };
  }

  private surroundings(): Pick<Demand, 'isMember' | 'instance'> {
    const { host } = this.basis;
    const { volumeId, attachments } = this.diagnosed.volume;
    const stripes = attachments.flatMap(({ instanceId }) => this.context.observed.stripesOn(instanceId));
    return {
      isMember: stripes.some((stripe) => idsOf(stripe).includes(volumeId)),
      instance: host && {
        instanceId: host.instance.instanceId,
        instanceType: host.instance.instanceType,
        iops: host.figures.maximumIops,
        throughputMiBps: host.figures.maximumMiBps,
      },
    };
  }

  /** @param throttled minutes of the window in which anything throttled it. */
  demandOf(throttled: number): Demand {
    const { high, likely, most, usual } = this.basis;
    const stays = new Map<string, number>();
    const staysOf = (line: DemandLine): number => {
      const minutes = stays.get(line) ?? this.staysMinutes(line);
      stays.set(line, minutes);
      return minutes;
    };
    return {
      ...this.surroundings(),
      most,
      likely: usual,
      likelyRates: {
        iops: Math.max(0, topOf(likely.iops)),
        throughputMiBps: Math.max(0, topOf(likely.mibps)),
      },
      throttledMinutes: throttled,
      openMinutes: high.openMinutes,
      ioKiB: high.throttledIoKiB,
      isComing: false,
      throttledMinutesWith: (layout, how = {}) =>
        this.replayedMinutes(layout, how) + (how.withoutInstance ? 0 : staysOf(how.line ?? 'high')),
      coming: () => {
        const coming = comingLoad(this.diagnosed, this.context.thresholds);
        const found = coming === null ? null : this.comingDemand(coming);
        return found === null || found.throttledMinutes === 0 ? null : found;
      },
    };
  }
}
