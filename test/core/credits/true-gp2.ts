/**
 * A gp2 volume second by second, written apart from the engine: it shares no line and no figure with it.
 * Credits: 5.4 million; 3 IOPS per GiB from 100 to 3,000 are earned, what is served is spent, at most 3,000 a second and
 * no more than is earned and left. A load is a row of phases: idle, steady with noise, or on and off by the second.
 */
import type { Points } from '../../fixtures/metric-set.ts';
import { uniformSource } from '../../simulator/random.ts';

export interface Gp2Case {
  sizeGiB: number;
  ioKiB: number;
  days: number;
  seed: number;
}

export interface TrueGp2 {
  /** The lowest of each minute, in percent. */
  lowestPercent: Float64Array;
  /** Whole operations that each minute completed. */
  operations: Float64Array;
}

interface Phase {
  untilSecond: number;
  ioPerSecond: number;
  noise: number;
  onSeconds: number;
  cycleSeconds: number;
}

const { floor, max, min, round } = Math;
const capacity = 5_400_000;
const minutesPerDay = 1_440;

/** Between a minute and twelve hours of one kind, short ones more often. */
function nextPhase(second: number, uniform: () => number): Phase {
  const minutes = 1 + floor(719 * uniform() ** 3);
  const kind = uniform();
  const ioPerSecond = kind < 0.25 ? 0 : round(4_000 * uniform() ** 2);
  const cycleSeconds = kind < 0.6 ? 1 : 2 + floor(600 * uniform());
  return {
    untilSecond: second + minutes * 60,
    ioPerSecond,
    noise: uniform() < 0.5 ? 0 : uniform(),
    onSeconds: kind < 0.6 ? 1 : 1 + floor((cycleSeconds - 1) * uniform()),
    cycleSeconds,
  };
}

/** From a full bucket on. */
export function trueGp2({ sizeGiB, ioKiB, days, seed }: Gp2Case): TrueGp2 {
  const uniform = uniformSource(seed, 'gp2');
  const baseline = min(16_000, max(100, 3 * sizeGiB));
  const maxMiB = sizeGiB <= 170 ? 128 : 250;
  const unitsPerIo = max(1, round(ioKiB / 256)); // larger I/O splits
  const mostIoByBytes = maxMiB / (ioKiB / 1_024);
  const minutes = days * minutesPerDay;
  const lowestPercent = new Float64Array(minutes);
  const operations = new Float64Array(minutes);
  let credits = capacity;
  let phase = nextPhase(0, uniform);
  let done = 0;
  let notified = 0;
  for (let minute = 0; minute < minutes; minute++) {
    let lowest = credits;
    for (let second = minute * 60; second < minute * 60 + 60; second++) {
      if (second >= phase.untilSecond) phase = nextPhase(second, uniform);
      const on = second % phase.cycleSeconds < phase.onSeconds;
      const demand = on ? phase.ioPerSecond * (1 + phase.noise * (2 * uniform() - 1)) : 0;
      const served = min(demand, min(3_000, baseline + credits) / unitsPerIo, mostIoByBytes);
      credits = min(capacity, max(0, credits + baseline - served * unitsPerIo));
      if (credits < lowest) lowest = credits;
      done += served;
    }
    lowestPercent[minute] = (lowest / capacity) * 100;
    operations[minute] = round(done) - notified; // CloudWatch counts whole operations
    notified = round(done);
  }
  return { lowestPercent, operations };
}

/** Sums over so many minutes, as CloudWatch publishes them. */
export function publishedSums({ operations }: TrueGp2, ioKiB: number, minutesEach: number): Points {
  const sums = Array.from({ length: operations.length / minutesEach }, (_, i) => {
    let sum = 0;
    for (let j = i * minutesEach; j < (i + 1) * minutesEach; j++) sum += operations[j] as number;
    return sum;
  });
  const none = sums.map(() => 0);
  return {
    VolumeReadOps: sums,
    VolumeWriteOps: none,
    VolumeReadBytes: sums.map((ops) => ops * ioKiB * 1_024),
    VolumeWriteBytes: none,
  };
}

/** The lowest of each so many minutes. */
export const lowestOfEach = ({ lowestPercent }: TrueGp2, minutesEach: number): number[] =>
  Array.from({ length: lowestPercent.length / minutesEach }, (_, i) =>
    min(...lowestPercent.subarray(i * minutesEach, (i + 1) * minutesEach)),
  );
