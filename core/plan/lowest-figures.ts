/**
 * How far the paid figures of volumes can be lowered so that together they still give so many IOPS and MiB/s: the
 * cheapest legal figures, none above today's.
 *
 * gp3 together is closed-form (Gp3Together). On io1 and io2 the price of a volume has tiers (it saves more to lower one
 * volume far than two a little) and its throughput follows its IOPS in straight pieces. So at the cheapest place all
 * of them stand at a bend of their own lines, but for at most two, which the two sums fix: that is what is searched.
 * A test proves it against trying everything.
 */
import { gp3Figures } from '../limits/volume-limits.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import type { EbsPrices } from '../prices/price-book.ts';
import { type Figures, Gp3Together, tiny } from './gp3-together.ts';
import { ProvisionedLeg, smallest } from './provisioned-leg.ts';

/** So many configurations are looked at (about a second); beyond it the saving found is not proved to be the most. */
const mostLooks = 250_000;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Positions of which each belongs to another kind of leg: of legs that are alike any will do. */
function oneOfEach(legs: readonly ProvisionedLeg[], without: readonly number[]): number[] {
  const seen = new Set<string>();
  return legs.flatMap(({ key }, i) => {
    if (without.includes(i) || seen.has(key)) return [];
    seen.add(key);
    return [i];
  });
}

class Search {
  best: number[];
  looks = 0;
  private bestUsd: number;
  private readonly legs: readonly ProvisionedLeg[];
  private readonly gp3: Gp3Together;
  private readonly need: Figures;

  constructor(legs: readonly ProvisionedLeg[], gp3: Gp3Together, need: Figures) {
    this.legs = legs;
    this.gp3 = gp3;
    this.need = need;
    this.best = legs.map(({ most }) => most);
    this.bestUsd = this.usd(this.best);
  }

  /** What gp3 has to give beside these, of which the legs at some positions count for nothing. */
  left(iops: readonly number[], ...without: number[]): Figures {
    const counted = this.legs.flatMap((leg, i) =>
      without.includes(i) ? [] : [{ leg, at: iops[i] as number }],
    );
    return {
      iops: this.need.iops - sum(counted.map(({ at }) => at)),
      mibps: this.need.mibps - sum(counted.map(({ leg, at }) => leg.mibps(at))),
    };
  }

  usd(iops: readonly number[]): number {
    this.looks++;
    return sum(this.legs.map((leg, i) => leg.usd(iops[i] as number))) + this.gp3.usd(this.left(iops));
  }

  /** Keeps it where it is cheaper. */
  offer(iops: readonly number[]): void {
    const usd = this.usd(iops);
    if (usd >= this.bestUsd - tiny) return;
    this.bestUsd = usd;
    this.best = [...iops];
  }

  /** What gp3 can give where its own price turns. */
  private gp3Turns(): { iops: number[]; mibps: number[] } {
    const { most, least, mibpsWithoutIops } = this.gp3;
    return {
      iops: [most.iops, least.iops, this.gp3.iopsFor(most.mibps)],
      mibps: [most.mibps, least.mibps, mibpsWithoutIops],
    };
  }

  /** The others stand; this one is free: at its bends, and where gp3 turns. */
  freeOne(at: number, iops: readonly number[]): void {
    const leg = this.legs[at] as ProvisionedLeg;
    const left = this.left(iops, at);
    const turns = this.gp3Turns();
    const both = smallest(leg.least, leg.most, (x) => {
      const mibps = Math.ceil(left.mibps - leg.mibps(x) - tiny);
      return left.iops - x <= this.gp3.iopsFor(mibps);
    });
    const turning = [
      ...leg.bends,
      both,
      ...turns.iops.map((level) => leg.within(left.iops - level)),
      ...turns.mibps.map((level) => leg.iopsFor(left.mibps - level)),
    ];
    // gp3 has whole MiB/s: nearby, the fewest IOPS that need the same of it, and one less of it.
    const whole = turning.flatMap((x) => {
      const mibps = Math.ceil(left.mibps - leg.mibps(x) - tiny);
      return [x, leg.iopsFor(left.mibps - mibps), leg.iopsFor(left.mibps - mibps + 1)];
    });
    for (const x of new Set(whole)) this.offer(iops.with(at, x));
  }

  /** Two are free: where their IOPS and their MiB/s both meet a turn of gp3. */
  freeTwo(one: number, other: number, iops: readonly number[]): void {
    const left = this.left(iops, one, other);
    const turns = this.gp3Turns();
    for (const levelIops of turns.iops) {
      for (const levelMiBps of turns.mibps) {
        const together = { iops: left.iops - levelIops, mibps: left.mibps - levelMiBps };
        for (const x of this.meetings(one, other, together)) this.freeOne(other, iops.with(one, x));
      }
    }
  }

  /** IOPS of the one at which both together have these IOPS and these MiB/s: one in each straight piece at most. */
  private meetings(one: number, other: number, together: Figures): number[] {
    const a = this.legs[one] as ProvisionedLeg;
    const b = this.legs[other] as ProvisionedLeg;
    const total = Math.ceil(together.iops - tiny);
    const from = Math.max(a.least, total - b.most);
    const to = Math.min(a.most, total - b.least);
    const over = (x: number): number => a.mibps(x) + b.mibps(total - x) - together.mibps;
    const ends = [from, to, ...a.bends, ...b.bends.map((bend) => total - bend)]
      .filter((x) => x >= from && x <= to)
      .sort((x, y) => x - y);
    return ends.slice(1).flatMap((end, i) => {
      const start = ends[i] as number;
      const [before, after] = [over(start), over(end)];
      if (before === after || before * after > 0) return [];
      const meeting = start + ((end - start) * before) / (before - after);
      return [Math.floor(meeting), Math.ceil(meeting)];
    });
  }
}

/** Every way to put these legs at bends of theirs; of legs that are alike the order does not count. */
function* placements(legs: readonly ProvisionedLeg[], free: readonly number[]): Generator<number[]> {
  const place = function* (i: number, iops: readonly number[]): Generator<number[]> {
    const leg = legs[i];
    if (leg === undefined) {
      yield [...iops];
      return;
    }
    const before = legs.findLastIndex(({ key }, j) => j < i && key === leg.key && !free.includes(j));
    const most = before < 0 ? leg.most : (iops[before] as number);
    const bends = free.includes(i) ? [leg.most] : leg.bends.filter((bend) => bend <= most);
    for (const bend of bends) yield* place(i + 1, [...iops, bend]);
  };
  yield* place(0, []);
}

/** Legs that are alike share what they have where it costs no more: whoever stripes them needs them alike. */
function evened(search: Search, legs: readonly ProvisionedLeg[]): number[] {
  let iops = search.best;
  for (const key of new Set(legs.map((leg) => leg.key))) {
    const alike = legs.flatMap((leg, i) => (leg.key === key ? [i] : []));
    const total = sum(alike.map((i) => iops[i] as number));
    const even = [...iops];
    alike.forEach((at, i) => {
      even[at] = Math.floor(total / alike.length) + (i < total % alike.length ? 1 : 0);
    });
    if (search.usd(even) <= search.usd(iops) + tiny) iops = even;
  }
  return iops;
}

export interface LowestFigures {
  /** In the order given. */
  volumes: VolumeConfiguration[];
  /** False where there are too many volumes of different figures to prove that nothing saves more. */
  proved: boolean;
}

function searched(search: Search, legs: readonly ProvisionedLeg[]): boolean {
  const each = (free: readonly number[], then: (iops: number[]) => void): boolean => {
    for (const iops of placements(legs, free)) {
      then(iops);
      if (search.looks++ > mostLooks) return false;
    }
    return true;
  };
  const one = oneOfEach(legs, []);
  // Widest first: what a spent budget leaves out is the rarest.
  return (
    each([], (iops) => search.offer(iops)) &&
    one.every((i) => each([i], (iops) => search.freeOne(i, iops))) &&
    one.every((i) => oneOfEach(legs, [i]).every((j) => each([i, j], (iops) => search.freeTwo(i, j, iops))))
  );
}

/**
 * @param volumes gp3, io1 and io2 of one Region, as they are today.
 * @param atLeast what they must still give together; not more than they give today.
 */
export function lowestFigures(
  volumes: readonly VolumeConfiguration[],
  atLeast: Figures,
  prices: EbsPrices,
): LowestFigures {
  const legs: ProvisionedLeg[] = [];
  const general: Figures[] = [];
  for (const config of volumes) {
    const { volumeType, iops = gp3Figures.freeIops, throughputMiBps = gp3Figures.freeMiBps } = config;
    if (volumeType === 'gp3') general.push({ iops, mibps: throughputMiBps });
    else if (volumeType === 'io1' || volumeType === 'io2')
      legs.push(new ProvisionedLeg({ ...config, volumeType }, prices));
  }
  const gp3 = new Gp3Together(general, prices);
  const search = new Search(legs, gp3, atLeast);
  const proved = searched(search, legs);
  const iops = evened(search, legs);
  const ofGp3 = gp3.figures(search.left(iops));
  let leg = 0;
  let one = 0;
  const lowered = volumes.map((config): VolumeConfiguration => {
    if (config.volumeType !== 'gp3') return { ...config, iops: iops[leg++] };
    const figures = ofGp3[one++] as Figures;
    return { ...config, iops: figures.iops, throughputMiBps: figures.mibps };
  });
  return { volumes: lowered, proved };
}
