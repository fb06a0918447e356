/** A diagnosed volume from a few columns, minute by minute. */
import { type Cause, causeCode } from '../../../core/diagnosis/causes.ts';
import type { DiagnosedVolume } from '../../../core/diagnosis/diagnosed-volume.ts';
import { configurationOf, type Volume } from '../../../core/inventory.ts';
import { aVolume } from '../../fixtures/inventory.ts';

export interface Columns {
  iops: number[];
  /** 16 KiB each unless said. */
  mibps?: number[];
  activeTimeIops?: number[];
  queueLength?: number[];
  /** What throttled in a minute; 'none' where it is left out. */
  causes?: Cause[];
  microBursts?: number[];
  /** The demand at least and at most; what was served where it is left out. */
  low?: number[];
  high?: number[];
  balancePercent?: number[];
}

const column = (values: readonly number[]): Float64Array => Float64Array.from(values);

export function diagnosed(
  volume: Partial<Volume>,
  { iops, mibps = iops.map((io) => io / 64), causes = [], ...columns }: Columns,
): DiagnosedVolume {
  const all = aVolume(volume);
  const configured = configurationOf(all);
  if (!configured.known) throw new Error(configured.reason.code);
  const { limits } = configured.value;
  const { activeTimeIops, queueLength, microBursts = [], balancePercent, low = iops, high = iops } = columns;
  const held = iops.map((_, i) => (causes[i] ?? 'none') !== 'none');
  const perIo = (i: number): number => (mibps[i] as number) / (iops[i] as number);
  const mib = (rates: number[]): Float64Array =>
    column(rates.map((rate, i) => (rate === iops[i] ? (mibps[i] as number) : rate * perIo(i))));
  const [servedIops, servedMiBps] = [column(iops), column(mibps)];
  const isHeld = held.includes(true);
  return {
    volume: all,
    limits,
    load: {
      periodSeconds: 60,
      epochSeconds: column(iops.map((_, i) => i * 60)),
      ops: column(iops.map((io) => io * 60)),
      iops: servedIops,
      mibps: servedMiBps,
      activeTimeIops: activeTimeIops === undefined ? null : column(activeTimeIops),
      busyMiBps:
        activeTimeIops === undefined ? null : column(activeTimeIops.map((busy, i) => busy * perIo(i))),
      queueLength: queueLength === undefined ? null : column(queueLength),
      latencyMs: null,
      knownSeconds: iops.length * 60,
    },
    attribution: {
      cause: Uint8Array.from(iops.map((_, i) => causeCode[causes[i] ?? 'none'])),
      also: new Uint16Array(iops.length),
      throttledMinutes: column(held.map(Number)),
      throttledAt: Int32Array.from(held.flatMap((isHeld, i) => (isHeld ? [i] : []))),
      microBurst: Uint8Array.from(iops.map((_, i) => microBursts[i] ?? 0)),
      timesCalmQueue: null,
      proof: new Uint8Array(iops.length),
      confidence: new Uint8Array(iops.length),
      balance:
        balancePercent === undefined || limits.bucket === null
          ? null
          : {
              bucket: {
                ...limits.bucket,
                baselinePerSecond: limits.baselineIops,
                burstPerSecond: limits.burstIops,
                refillFactor: 1,
              },
              ratePerSecond: servedIops,
              percent: column(balancePercent),
              publishedPercent: column(balancePercent),
              replayedPercent: column(balancePercent),
              deviation: null,
              source: 'published',
              emptyPercent: 1,
            },
      atBaseline: null,
    },
    demand: isHeld
      ? {
          lowIops: column(low),
          highIops: column(high),
          lowMiBps: mib(low),
          highMiBps: mib(high),
          assumptions: [],
        }
      : {
          lowIops: servedIops,
          highIops: servedIops,
          lowMiBps: servedMiBps,
          highMiBps: servedMiBps,
          assumptions: [],
        },
  };
}

export const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
