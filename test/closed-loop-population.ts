/**
 * Volumes under closed loops: 2 to 512 workers that think from not at all to 20 ms, against limits of every kind that are a
 * tenth to nine tenths of what they want. Drawn by chance, none is left out for what comes of it.
 */
import type { InstanceTypeName } from './simulator/instance-types.ts';
import { type ByMinute, closedLoop, database, planMinutes, repeated, windows } from './simulator/loads.ts';
import type { VolumePlan } from './simulator/plan.ts';
import { uniformSource } from './simulator/random.ts';
import type { Rules } from './simulator/rules.ts';
import { type SimulatedInstance, simulateInstance, type Window } from './simulator/simulate.ts';

const limitKinds = [
  'its IOPS',
  'its throughput',
  'its credits',
  'the credits of its instance',
  'a neighbour',
  'its IOPS, mixed sizes',
  'its IOPS, all day',
] as const;
type LimitKind = (typeof limitKinds)[number];

export interface Member {
  limitedBy: LimitKind;
  workers: number;
  thinkMs: number;
  /** What the limit is of what all workers together want. */
  cap: number;
  /** Half the width of the uniform change of the workers from minute to minute. */
  noise: number;
  window: Window;
  instance: SimulatedInstance;
}

/** 24 hours. */
const minutes = 24 * 60;
const noises = [0.005, 0.02, 0.05, 0.15, 0.3];
/** What an I/O takes on these types, in ms, before its bytes are transferred: the simulator's own figure. */
const baseMs = { io1: 0.6, gp2: 0.9, gp3: 0.8 } as const;

type Drawn = Pick<Member, 'limitedBy' | 'workers' | 'thinkMs' | 'cap' | 'noise'>;

class Draws {
  private readonly uniform: () => number;

  constructor(seed: number) {
    this.uniform = uniformSource(seed, 'population');
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  /** As likely to double as to halve. */
  evenlyByFactor(low: number, high: number): number {
    return low * (high / low) ** this.uniform();
  }

  isOne(share: number): boolean {
    return this.uniform() < share;
  }

  of<T>(list: readonly T[]): T {
    return list[Math.floor(list.length * this.uniform())] as T;
  }

  member(limitedBy: LimitKind): Drawn {
    return {
      limitedBy,
      workers: this.evenlyByFactor(2, 512),
      thinkMs: this.isOne(0.2) ? 0 : this.evenlyByFactor(0.2, 20),
      cap: this.between(0.1, 0.9),
      noise: this.of(noises),
    };
  }
}

type Shape = 'flat' | 'day' | 'batch';

function shapeOf(shape: Shape, draws: Draws): ByMinute {
  if (shape === 'flat') return () => 1;
  if (shape === 'day') {
    return (minute) => 0.08 + 0.92 * ((1 + Math.cos(((minute - 800) / 720) * Math.PI)) / 2) ** 2;
  }
  const minutesEach = draws.of([30, 60, 150]);
  return windows(draws.between(0.02, 0.3), ...repeated(draws.of([200, 300]), 400, 3, minutesEach, 1));
}

/** Workers that come and go: by the shape of the day, in a slow drift, and by chance each minute. */
function workersOf({ workers, noise }: Drawn, shape: ByMinute, uniform: () => number): ByMinute {
  let drift = 0;
  const column = Float64Array.from({ length: planMinutes }, (_, minute) => {
    drift = 0.999 * drift + 0.01 * (2 * uniform() - 1);
    return workers * shape(minute) * Math.exp(drift) * (1 + noise * (2 * uniform() - 1));
  });
  return (minute) => column[minute] as number;
}

/** Two sizes by turns of 47 minutes, each of them 10 % larger or smaller by chance. */
function mixedSizes(ioKiB: number, factor: number, uniform: () => number): ByMinute {
  const column = Float64Array.from(
    { length: planMinutes },
    (_, minute) => ioKiB * (Math.floor(minute / 47) % 2 === 0 ? 1 : factor) * (0.9 + 0.2 * uniform()),
  );
  return (minute) => column[minute] as number;
}

interface Placed {
  volume: Omit<VolumePlan, 'name' | 'load'>;
  instanceType: InstanceTypeName;
  /** I/O a second that another volume of the instance wants in four spans of the day. */
  neighbourIops?: number;
}

/** I/O a second that all workers want where an I/O of this size takes so long. */
const demandIops = ({ workers, thinkMs }: Drawn, serviceMs: number): number =>
  workers / ((serviceMs + thinkMs) / 1_000);

const transferMs = (ioKiB: number, mibps: number): number => (ioKiB / 1_024 / mibps) * 1_000;
const large = 'r5b.8xlarge';

function byIops(drawn: Drawn, ioKiB: number): Placed | null {
  const iops = Math.round(drawn.cap * demandIops(drawn, baseMs.io1 + transferMs(ioKiB, 500)));
  if (iops < 100 || iops > 64_000 || iops * 0.25 < (iops / drawn.cap) * (ioKiB / 1_024)) return null;
  const sizeGiB = Math.max(4, Math.ceil(iops / 50));
  return { volume: { volumeType: 'io1', sizeGiB, iops }, instanceType: large };
}

function byThroughput(drawn: Drawn, ioKiB: number): Placed | null {
  const mib = ioKiB / 1_024;
  const rough = Math.min(2_000, Math.max(125, drawn.cap * demandIops(drawn, baseMs.gp3) * mib));
  const throughputMiBps = Math.round(
    drawn.cap * demandIops(drawn, baseMs.gp3 + transferMs(ioKiB, rough)) * mib,
  );
  const iops = Math.max(3_000, 4 * throughputMiBps, Math.round((1.3 * throughputMiBps) / mib));
  if (throughputMiBps < 125 || throughputMiBps > 2_000 || iops > 80_000) return null;
  return { volume: { volumeType: 'gp3', sizeGiB: 1_000, iops, throughputMiBps }, instanceType: large };
}

/** Calm while the credits last, four times in five: more than the burst of 3,000 is never calm. */
function byCredits(drawn: Drawn, ioKiB: number, draws: Draws): Placed | null {
  const iops = demandIops(drawn, baseMs.gp2 + transferMs(ioKiB, 128));
  const sizeGiB = Math.round((drawn.cap * iops) / 3);
  if (sizeGiB < 34 || sizeGiB > 900 || (iops > 2_700 && draws.isOne(0.8))) return null;
  const startBalancePercent = draws.between(10, 100);
  return { volume: { volumeType: 'gp2', sizeGiB, startBalancePercent }, instanceType: large };
}

const fast = { volumeType: 'gp3', sizeGiB: 1_000, iops: 40_000, throughputMiBps: 2_000 } as const;

function byInstanceCredits(drawn: Drawn, draws: Draws): Placed | null {
  const iops = demandIops(drawn, baseMs.gp3);
  const [instanceType, baseline, maximum] = draws.of([
    ['t3.medium', 2_000, 11_800],
    ['m5.large', 3_600, 18_750],
    ['m6i.large', 3_600, 40_000],
  ] as const);
  if (iops < baseline / 0.9 || iops > baseline / 0.1) return null;
  if (iops > 0.9 * maximum && draws.isOne(0.8)) return null;
  return { volume: fast, instanceType };
}

/** An instance of 18,750 IOPS: enough for either, too little for both. */
function byNeighbour(drawn: Drawn): Placed | null {
  const limit = 18_750;
  const iops = demandIops(drawn, baseMs.gp3);
  if (iops < 0.3 * limit || iops > 0.85 * limit) return null;
  return { volume: fast, instanceType: 'm5.4xlarge', neighbourIops: 1.5 * (1 - 0.8 * drawn.cap) * limit };
}

function place(drawn: Drawn, ioKiB: number, draws: Draws): Placed | null {
  if (drawn.limitedBy === 'its throughput') return byThroughput(drawn, ioKiB);
  if (drawn.limitedBy === 'its credits') return byCredits(drawn, ioKiB, draws);
  if (drawn.limitedBy === 'the credits of its instance') return byInstanceCredits(drawn, draws);
  if (drawn.limitedBy === 'a neighbour') return byNeighbour(drawn);
  return byIops(drawn, ioKiB);
}

function shapeFor(limitedBy: LimitKind, draws: Draws): Shape {
  if (limitedBy === 'its IOPS, all day') return 'flat';
  // A limit that falls by itself needs no load that rises.
  if (['its credits', 'the credits of its instance', 'a neighbour'].includes(limitedBy)) {
    return draws.of(['flat', 'day']);
  }
  return draws.of(['day', 'batch']);
}

function neighbour(iops: number, draws: Draws): VolumePlan {
  const spans = [200, 500, 900, 1_300].map((from) => [from, draws.of([20, 60, 120]), iops] as const);
  return { ...fast, name: 'neighbour', load: database(8, windows(100, ...spans)) };
}

/** Null where such a volume cannot be had: too few IOPS, too many. */
function drawMember(
  limitedBy: LimitKind,
  { seed, rules = {} }: PopulationOptions,
  index: number,
  draws: Draws,
): Member | null {
  const drawn = draws.member(limitedBy);
  const ioKiB = limitedBy === 'its throughput' ? draws.of([64, 128, 256]) : draws.of([4, 8, 16, 32]);
  const placed = place(drawn, ioKiB, draws);
  if (placed === null) return null;
  const uniform = uniformSource(seed, `member ${index}`);
  const load = closedLoop({
    ioKiB: limitedBy === 'its IOPS, mixed sizes' ? mixedSizes(ioKiB, draws.of([2, 4, 8]), uniform) : ioKiB,
    workers: workersOf(drawn, shapeOf(shapeFor(limitedBy, draws), draws), uniform),
    thinkMs: drawn.thinkMs,
  });
  const { volume, instanceType, neighbourIops } = placed;
  const volumes: VolumePlan[] = [{ ...volume, name: `member-${index}`, load }];
  if (neighbourIops !== undefined) volumes.push(neighbour(neighbourIops, draws));
  const window = { startEpochSeconds: 1_795_046_400, minutes, seed, rules };
  const plan = { name: `host-${index}`, region: 'us-east-1', zone: 'us-east-1a', instanceType, volumes };
  return { ...drawn, window, instance: simulateInstance(plan, window) };
}

const throttledMinutes = ({ instance }: Member): number =>
  instance.volumes[0]?.ledger?.cause.reduce((count, code) => count + (code === 0 ? 0 : 1), 0) ?? 0;

export interface PopulationOptions {
  /** Throttled minutes of each kind of limit: who is throttled all day counts no more. */
  ofEach: number;
  seed: number;
  /** What differs from the usual rules of the simulator. */
  rules?: Partial<Rules>;
}

/** Volumes of each kind of limit until `ofEach` minutes of them were throttled. */
export function* closedLoopPopulation(options: PopulationOptions): Generator<Member> {
  const draws = new Draws(options.seed);
  let index = 0;
  for (const limitedBy of limitKinds) {
    for (let held = 0; held < options.ofEach; ) {
      const member = drawMember(limitedBy, options, index++, draws);
      if (member === null) continue;
      held += throttledMinutes(member);
      yield member;
    }
  }
}
