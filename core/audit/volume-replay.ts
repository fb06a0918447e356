/** What a volume's load demanded, ready to be replayed against other configurations. */

import { causeCode } from '../diagnosis/causes.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import { maximum } from '../load/series.ts';
import type { Layout } from '../plan/layout.ts';
import type { Rates } from '../plan/need.ts';
import { layoutNow } from '../recommendations/layout-now.ts';
import type { Demand, ReplayedWith } from '../recommendations/throttled/demand.ts';
import { type ReplayConfiguration, replayConfiguration } from '../replay/configuration.ts';
import { replayColumns } from '../replay/replay.ts';
import type { ReplaySeries } from '../replay/series.ts';
import { idsOf } from '../stripes/stripe.ts';
import { type ComingLoad, comingLoad } from './coming-load.ts';
import { type ReplayBasis, type ReplayContext, replayBasis, throttledMinutes } from './replay-basis.ts';

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
  top: Rates,
  times: number,
): boolean {
  if (instance !== null || counting.writePenalty > 1 || Number.isFinite(counting.chunkMiB)) return false;
  return (
    top.iops * times <= volumeIops.baselinePerSecond &&
    top.throughputMiBps * times <= volumeMiBps.baselinePerSecond
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

  private seriesOf(line: 'high' | 'likely', times: number): ReplaySeries {
    const key = `${line} ${times}`;
    const before = this.series.get(key);
    if (before !== undefined) return before;
    const { periodSeconds, epochSeconds } = this.diagnosed.load;
    const { [line]: demand, beside } = this.basis;
    const { iops, mibps, activeTimeIops } = demand;
    const asItWas = { periodSeconds, epochSeconds, iops, mibps, writeShare: 0, activeTimeIops, beside };
    const made = timesAsHigh(asItWas, times);
    this.series.set(key, made);
    return made;
  }

  private configuration(
    layout: Layout,
    withoutInstance: boolean,
    startPercent = this.basis.startPercent,
  ): ReplayConfiguration {
    const { deployment } = this.diagnosed.volume;
    const instance = withoutInstance ? null : this.basis.instance;
    return replayConfiguration(layout, { deployment, instance, startPercent });
  }

  /** Minutes in which its load, so many times as high, would be throttled with a layout. */
  throttledMinutesWith(layout: Layout, times = 1): number {
    return this.replayedMinutes(layout, { times });
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
    const minutes = isNeverReached(configuration, (line === 'high' ? most : usual).rates, times)
      ? 0
      : throttledMinutes(this.seriesOf(line, times), configuration);
    this.minutes.set(key, minutes);
    return minutes;
  }

  /** Minutes that its instance throttled, or that stalled, of which the replay shows nothing: no volume changes them. */
  private staysMinutes(line: 'high' | 'likely'): number {
    const { limits, attribution } = this.diagnosed;
    const { cause, throttledMinutes: held } = attribution;
    if (!cause.some((code) => notForAVolume.includes(code))) return 0;
    const today = this.configuration(layoutNow(limits), false);
    const replayed = replayColumns(this.seriesOf(line, 1), today);
    let minutes = 0;
    for (let i = 0; i < cause.length; i++) {
      const isShown = (replayed.cause[i] as number) !== causeCode.none;
      if (!isShown && notForAVolume.includes(cause[i] as number)) minutes += held[i] as number;
    }
    return minutes;
  }

  private comingDemand({ series, sized, ioKiB, startPercent }: ComingLoad): Demand {
    const start = { ...this.basis.startPercent, ...startPercent };
    const held: Demand['throttledMinutesWith'] = (layout, { times = 1, withoutInstance = false } = {}) =>
      throttledMinutes(timesAsHigh(series, times), this.configuration(layout, withoutInstance, start));
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
    const staysOf = (line: 'high' | 'likely'): number => {
      const minutes = stays.get(line) ?? this.staysMinutes(line);
      stays.set(line, minutes);
      return minutes;
    };
    return {
      ...this.surroundings(),
      most,
      likely: usual,
      likelyRates: { iops: maximum(likely.iops) ?? 0, throughputMiBps: maximum(likely.mibps) ?? 0 },
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
