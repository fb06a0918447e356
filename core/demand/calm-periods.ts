/** The periods in which nothing throttled a load, by I/O size: how long an I/O takes then, and how rate and latency step. */
import { causeCode } from '../diagnosis/causes.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { bytesPerMiB, msPerSecond } from '../units.ts';

const figures = {
  /** A period counts for a step once nothing throttled in so many before it: next to a limit chance decides what is calm. */
  periodsBefore: 3,
  /** Fewer operations than this tell no latency. */
  fewestOps: 30,
  /** I/O whose size differs by no more than this share is the same work. */
  likeSize: 0.05,
  /** Of many values so many tell enough, and are sorted quickly. */
  mostSampled: 128,
} as const;

/** Sizes are alike by power of two: 16 KiB is from 11.3 to 22.6 KiB. 0 where the size is not known. */
export const sizeClasses = 33;
export const sizeClassOf = (mibPerIo: number): number => 32 - Math.clz32(mibPerIo * bytesPerMiB * Math.SQRT2);
/** 0 where it is not known. */
export const mibOfSizeClass = (sizeClass: number): number =>
  sizeClass === 0 ? 0 : 2 ** (sizeClass - 1) / bytesPerMiB;
const notCalm = 255;

export const areLikeSizes = (a: number, b: number): boolean => Math.abs(a - b) <= figures.likeSize * b;

/** What is in flight or waiting: the queue, else rate x latency (Little). */
export function queueOf({ latencyMs, queueLength, iops }: VolumeLoad, i: number): number {
  const queue = queueLength === null ? Number.NaN : (queueLength[i] as number);
  if (!Number.isNaN(queue) || latencyMs === null) return queue;
  return ((iops[i] as number) * (latencyMs[i] as number)) / msPerSecond;
}

/** Seconds that an I/O of a period took: its latency, else its queue by its rate (Little); NaN where neither is known. */
function secondsPerIo({ latencyMs, queueLength, iops }: VolumeLoad, i: number): number {
  const ms = latencyMs === null ? Number.NaN : (latencyMs[i] as number);
  if (!Number.isNaN(ms) || queueLength === null) return ms / msPerSecond;
  return (queueLength[i] as number) / (iops[i] as number);
}

/** The change from one value to the next, as a share of their mean. */
const step = (from: number, to: number): number => (2 * (to - from)) / (to + from);

/** Sizes of `values` where `markers` has a marker, ascending: up to 128 of them, evenly spread. NaN come last. */
function sortedSample(values: Float64Array, markers: Uint8Array, marker: number): Float64Array {
  let count = 0;
  for (let i = 0; i < markers.length; i++) if (markers[i] === marker) count++;
  const every = Math.ceil(count / figures.mostSampled);
  const sample = new Float64Array(Math.ceil(count / every));
  let next = 0;
  let seen = 0;
  for (let i = 0; next < sample.length; i++) {
    if (markers[i] !== marker) continue;
    if (seen === next * every) sample[next++] = Math.abs(values[i] as number);
    seen++;
  }
  return sample.sort();
}

/** One entry a period. */
export class CalmPeriods {
  /** Of the I/O of a calm period; another figure where something throttled or nothing was done. */
  readonly sizeClass: Uint8Array;
  /** Of the rate and of the latency from the period before; NaN where there is none, or it was not calm or not alike. */
  readonly rateStep: Float64Array;
  readonly latencyStep: Float64Array;
  private readonly seconds: Float64Array;

  constructor(load: VolumeLoad, cause: Uint8Array) {
    const { length } = load.iops;
    this.sizeClass = new Uint8Array(length).fill(notCalm);
    this.rateStep = new Float64Array(length).fill(Number.NaN);
    this.latencyStep = new Float64Array(length).fill(Number.NaN);
    this.seconds = new Float64Array(length);
    this.read(load, cause);
  }

  private read(load: VolumeLoad, cause: Uint8Array): void {
    const { iops, mibps, ops, epochSeconds, periodSeconds } = load;
    const { sizeClass, rateStep, latencyStep, seconds } = this;
    let calmBefore = 0;
    let sizeBefore = Number.NaN;
    for (let i = 0; i < iops.length; i++) {
      const rate = iops[i] as number;
      const latency = secondsPerIo(load, i);
      if (cause[i] !== causeCode.none || !(rate > 0) || !(latency > 0)) {
        calmBefore = 0;
        continue;
      }
      const mibPerIo = (mibps[i] as number) / rate;
      const like = sizeClassOf(mibPerIo);
      sizeClass[i] = like;
      seconds[i] = latency;
      if ((epochSeconds[i] as number) - (epochSeconds[i - 1] as number) !== periodSeconds) calmBefore = 0;
      const isEnough = calmBefore >= figures.periodsBefore && (ops[i] as number) >= figures.fewestOps;
      if (isEnough && areLikeSizes(mibPerIo, sizeBefore)) {
        rateStep[i] = step(iops[i - 1] as number, rate);
        latencyStep[i] = step(seconds[i - 1] as number, latency);
      }
      calmBefore++;
      sizeBefore = mibPerIo;
    }
  }

  /** Seconds per I/O of one size, ascending: up to 128 of them. */
  latencies(sizeClass: number): Float64Array {
    return sortedSample(this.seconds, this.sizeClass, sizeClass);
  }

  /** How far the rate steps at such a size, whichever way: the median; NaN where it never does. */
  typicalRateStep(sizeClass: number): number {
    const steps = sortedSample(this.rateStep, this.sizeClass, sizeClass);
    const known = steps.findIndex(Number.isNaN);
    return quantile(known === -1 ? steps : steps.subarray(0, known), 0.5);
  }
}

/** Between the two values nearest to it. @param share 0.5 for the median; NaN where there is no value. */
export function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (place - Math.floor(place)) * (above - below);
}
