/** What volumes were asked for in their busiest time: the load that a benchmark repeats. */
import { z } from 'zod';
import { demandByPeriod } from '../../audit/demand-series.ts';
import { causeCode } from '../../diagnosis/causes.ts';
import type { DiagnosedVolume } from '../../diagnosis/diagnosed-volume.ts';
import { fixedThresholds } from '../../diagnosis/thresholds.ts';
import { type Known, known, unknown } from '../../known.ts';
import type { MetricSet } from '../../load/metrics.ts';
import { alignTo } from '../../load/series.ts';
import { countedSsdIops, type VolumeLoad } from '../../load/volume-load.ts';
import type { FindingKind } from '../../schemas/finding.ts';
import { commonAxis, type NoCommonTime } from '../../stripes/load-as-one.ts';
import { kibFromMiB, msPerSecond, secondsPerMinute } from '../../units.ts';

export interface SeenVolume {
  diagnosed: DiagnosedVolume;
  metrics: MetricSet;
}

/** Why how much was asked for is not known. */
export const demandUnknownSchema = z.discriminatedUnion('code', [
  z
    .object({ code: z.literal('hidden-by-averages') })
    .meta({ description: 'averages do not show how much more than the limit it was' }),
  z.object({ code: z.literal('no-figures') }),
]);
type DemandUnknown = z.infer<typeof demandUnknownSchema>;

/** How it is known how many operations were in flight. */
export const inFlightSources = ['queue-length', 'rate-and-latency'] as const;

/** Why there is no load to repeat. */
export type NoObservedLoad =
  | { code: 'no-load' }
  | { code: 'reads-unknown' }
  | { code: 'no-common-periods'; reason: NoCommonTime };

/** Of its operations. */
export interface BytesUnknown {
  code: 'bytes-unknown';
}

/** Rates are means over the seconds that were not idle. */
export interface ObservedLoad {
  /** The periods that it is the mean of: those in which the load was throttled, or those of the most use. */
  during: 'throttled' | 'busiest';
  minutes: number;
  ioKiB: Known<number, BytesUnknown>;
  readShare: number;
  servedIops: number;
  /** Never less than was served. */
  demandIops: Known<number, DemandUnknown>;
  /** Operations at the same time. */
  underWay: Known<
    { mean: number; by: (typeof inFlightSources)[number] },
    { code: 'no-queue-and-no-latency' }
  >;
}

/** Of the periods with load, where nothing was throttled. */
const busiestShare = 0.05;
/** Of the use of the busiest period: what is below it would hide a short peak in the mean. */
const leastOfMost = 0.5;

const instanceCauses = ['instance-iops', 'instance-throughput', 'instance-credits'] as const;
const ownCauses = ['volume-iops', 'volume-throughput', 'volume-credits'] as const;

/** What the finding calls throttled; null: it is about something else. */
function isMeant(kind: FindingKind): ((diagnosed: DiagnosedVolume, i: number) => boolean) | null {
  const by =
    (...names: (keyof typeof causeCode)[]) =>
    ({ attribution: { cause } }: DiagnosedVolume, i: number): boolean =>
      names.some((name) => cause[i] === causeCode[name]);
  if (kind === 'throttled-volume-iops') return by('volume-iops');
  if (kind === 'throttled-volume-throughput') return by('volume-throughput');
  if (kind === 'credits-exhausted') return by('volume-credits');
  if (kind === 'micro-burst') return ({ attribution }, i) => attribution.microBurst[i] === 1;
  if (kind.startsWith('throttled-instance-')) return by(...instanceCauses);
  return null;
}

/** One volume with its columns. */
interface Columns {
  diagnosed: DiagnosedVolume;
  reads: Float64Array;
  demand: Float64Array;
  openMinutes: number;
}

function columnsOf({ diagnosed, metrics }: SeenVolume): Columns {
  const reads = metrics.get('VolumeReadOps');
  const { iops, activeTimeIops, openMinutes } = demandByPeriod(diagnosed, 'high');
  return {
    diagnosed,
    reads:
      reads === undefined
        ? new Float64Array(diagnosed.load.ops.length).fill(Number.NaN)
        : alignTo(diagnosed.load, reads, 'Sum'),
    demand: iops.map((io, i) => Math.max(io, activeTimeIops?.[i] || 0)),
    openMinutes,
  };
}

/** How much of what its volumes can do at their best. */
function useAt({ load, limits }: DiagnosedVolume, i: number): number {
  const [iops, mibps] = [load.iops[i] as number, load.mibps[i] as number];
  return Math.max(countedSsdIops(iops, mibps) / limits.burstIops, (mibps || 0) / limits.burstMiBps);
}

/** Its load over the seconds that were not idle, in those of the average. */
const peakAt = ({ iops, activeTimeIops }: VolumeLoad, i: number): number =>
  Math.max(1, (activeTimeIops?.[i] || 0) / (iops[i] as number));

interface Sums {
  ops: number;
  reads: number;
  mib: number;
  served: number;
  demand: number;
  queue: number;
  waiting: number;
}

class BusyTime {
  private readonly columns: readonly Columns[];
  private readonly positions: readonly Int32Array[];
  private readonly length: number;

  constructor(columns: readonly Columns[], positions: readonly Int32Array[], length: number) {
    this.columns = columns;
    this.positions = positions;
    this.length = length;
  }

  /** What every volume has a figure for; empty where one has none. */
  private at(index: number): { of: Columns; i: number }[] {
    const here = this.columns.map((of, m) => ({ of, i: (this.positions[m] as Int32Array)[index] as number }));
    return here.every(({ of, i }) => i >= 0 && !Number.isNaN(of.diagnosed.load.ops[i])) ? here : [];
  }

  private where(holds: (diagnosed: DiagnosedVolume, i: number) => boolean): number[] {
    return this.indexes((here) => here.some(({ of, i }) => holds(of.diagnosed, i)));
  }

  private indexes(holds: (here: { of: Columns; i: number }[]) => boolean): number[] {
    return Array.from({ length: this.length }, (_, index) => index).filter((index) => holds(this.at(index)));
  }

  throttled(kind: FindingKind): number[] {
    const meant = isMeant(kind);
    if (meant === null) return [];
    const held = (diagnosed: DiagnosedVolume, i: number): boolean =>
      (diagnosed.attribution.throttledMinutes[i] as number) > 0 && (diagnosed.load.ops[i] as number) > 0;
    const asSaid = this.where((diagnosed, i) => held(diagnosed, i) && meant(diagnosed, i));
    // One cause may stand beside another that was taken for the first.
    const own = kind.startsWith('throttled-instance-') ? instanceCauses : ownCauses;
    return asSaid.length > 0
      ? asSaid
      : this.where(
          (diagnosed, i) =>
            held(diagnosed, i) && own.some((name) => diagnosed.attribution.cause[i] === causeCode[name]),
        );
  }

  busiest(): number[] {
    const use = (index: number): number =>
      this.at(index).reduce((sum, { of, i }) => sum + useAt(of.diagnosed, i), 0);
    const active = this.indexes((here) => here.some(({ of, i }) => (of.diagnosed.load.ops[i] as number) > 0))
      .map((index) => ({ index, use: use(index) }))
      .sort((a, b) => b.use - a.use);
    const most = active[0]?.use ?? 0;
    return active
      .slice(0, Math.ceil(busiestShare * active.length))
      .filter((one) => one.use >= leastOfMost * most)
      .map(({ index }) => index);
  }

  sums(indexes: readonly number[]): Sums {
    const sums: Sums = { ops: 0, reads: 0, mib: 0, served: 0, demand: 0, queue: 0, waiting: 0 };
    for (const { of, i } of indexes.flatMap((index) => this.at(index))) {
      const { load } = of.diagnosed;
      const iops = load.iops[i] as number;
      if (!(iops > 0)) continue;
      const peak = peakAt(load, i);
      sums.ops += load.ops[i] as number;
      sums.reads += of.reads[i] as number;
      sums.mib += (load.mibps[i] as number) * load.periodSeconds;
      sums.served += iops * peak;
      sums.demand += Math.max(iops * peak, of.demand[i] as number);
      sums.queue += peak * (load.queueLength?.[i] ?? Number.NaN);
      sums.waiting += (iops * peak * (load.latencyMs?.[i] ?? Number.NaN)) / msPerSecond;
    }
    return sums;
  }
}

function underWayOf({ queue, waiting }: Sums, periods: number): ObservedLoad['underWay'] {
  if (!Number.isNaN(queue)) return known({ mean: queue / periods, by: 'queue-length' });
  if (!Number.isNaN(waiting)) return known({ mean: waiting / periods, by: 'rate-and-latency' });
  return unknown({ code: 'no-queue-and-no-latency' });
}

function demandOf(
  columns: readonly Columns[],
  { served, demand }: Sums,
  periods: number,
): Known<number, DemandUnknown> {
  const openMinutes = columns.reduce((sum, one) => sum + one.openMinutes, 0);
  const held = columns.reduce(
    (sum, { diagnosed: { attribution } }) => sum + attribution.throttledMinutes.reduce((a, b) => a + b, 0),
    0,
  );
  if (held > 0 && openMinutes > (1 - fixedThresholds.replayExplainsShare) * held)
    return unknown({ code: 'hidden-by-averages' });
  return Number.isNaN(demand) || demand < served ? unknown({ code: 'no-figures' }) : known(demand / periods);
}

/**
 * The load of volumes that carry it together, as the mean of the periods that the finding is about; where it is about none, of
 * the busiest ones, a twentieth of all at most. Unknown where there was none.
 */
export function observedLoad(
  volumes: readonly SeenVolume[],
  kind: FindingKind,
): Known<ObservedLoad, NoObservedLoad> {
  const columns = volumes.map(columnsOf);
  const axis = commonAxis(columns.map(({ diagnosed }) => diagnosed.load));
  if (!axis.known) return unknown({ code: 'no-common-periods', reason: axis.reason });
  const { periodSeconds, epochSeconds, positions } = axis.value;
  const time = new BusyTime(columns, positions, epochSeconds.length);
  const throttled = time.throttled(kind);
  const chosen = throttled.length > 0 ? throttled : time.busiest();
  if (chosen.length === 0) return unknown({ code: 'no-load' });
  const sums = time.sums(chosen);
  const ioKiB = kibFromMiB(sums.mib) / sums.ops;
  if (Number.isNaN(sums.reads)) return unknown({ code: 'reads-unknown' });
  return known({
    during: throttled.length > 0 ? 'throttled' : 'busiest',
    minutes: (chosen.length * periodSeconds) / secondsPerMinute,
    ioKiB: Number.isNaN(ioKiB) ? unknown({ code: 'bytes-unknown' }) : known(ioKiB),
    readShare: sums.reads / sums.ops,
    servedIops: sums.served / chosen.length,
    demandIops: demandOf(columns, sums, chosen.length),
    underWay: underWayOf(sums, chosen.length),
  });
}
