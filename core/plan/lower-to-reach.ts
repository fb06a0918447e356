/**
 * Paid figures of an instance's volumes lowered, the dearest first, as far as the volumes together still reach what the
 * instance can do: IOPS of io1 and io2, then MiB/s of gp3, then IOPS of gp3; of one price the highest first, so that
 * volumes alike stay alike but for one IOPS or MiB/s. What this saves can be saved; where several io1 and io2 stand side
 * by side, a search would now and then find a little more.
 */
import { gp3Figures, ssdMiBPerIo, volumeLimits } from '../limits/volume-limits.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import type { EbsPrices } from '../prices/price-book.ts';
import { exactMonthlyUsd } from '../prices/volume-price.ts';
import { cheapestMember } from './cheapest-member.ts';
import type { Rates } from './need.ts';

export type PaidConfiguration = VolumeConfiguration & { volumeType: 'gp3' | 'io1' | 'io2' };

export interface Lowerable {
  config: PaidConfiguration;
  /** What it has in any case. */
  keeps: Rates;
}

const tiny = 1e-6;
const isGp3 = ({ volumeType }: PaidConfiguration): boolean => volumeType === 'gp3';
const ratesOf = ({ iops, throughputMiBps }: PaidConfiguration): Rates => ({
  iops: iops ?? gp3Figures.freeIops,
  throughputMiBps: throughputMiBps ?? gp3Figures.freeMiBps,
});
const withRates = (config: PaidConfiguration, { iops, throughputMiBps }: Rates): PaidConfiguration =>
  isGp3(config) ? { ...config, iops, throughputMiBps } : { ...config, iops };

/** The lowest legal figures, by what a volume keeps; nothing to lower where it keeps more than its type has. */
function leastOf({ config, keeps }: Lowerable): Rates {
  const { volumeType, sizeGiB, deployment } = config;
  const found = cheapestMember(volumeType, { ...keeps, sizeGiB }, deployment);
  return 'outOfReach' in found ? ratesOf(config) : found.member;
}

function reach(volumes: readonly VolumeConfiguration[], need: Rates): boolean {
  const limits = volumes.map((config) => volumeLimits(config));
  const iops = limits.reduce((sum, { baselineIops }) => sum + baselineIops, 0);
  const mibps = limits.reduce((sum, { baselineMiBps }) => sum + baselineMiBps, 0);
  return iops >= need.iops - tiny && mibps >= need.throughputMiBps - tiny;
}

function usdOfLastIops(config: PaidConfiguration, prices: EbsPrices): number {
  const rates = ratesOf(config);
  const usd = (one: PaidConfiguration): number => exactMonthlyUsd(one, prices).iops;
  return usd(config) - usd(withRates(config, { ...rates, iops: rates.iops - 1 }));
}

type Bounds = { least: readonly Rates[]; need: Rates };

/** One figure of some of the volumes brought down to one level, the lowest that still reaches the need. */
function lower(now: PaidConfiguration[], which: number[], what: keyof Rates, of: Bounds): void {
  const today = now.map(ratesOf);
  const put = (i: number, level: number): void => {
    const [config, rates] = [now[i] as PaidConfiguration, today[i] as Rates];
    const byMiBps = what === 'iops' && isGp3(config) ? rates.throughputMiBps / ssdMiBPerIo : 0;
    const value = Math.min(rates[what], Math.max((of.least[i] as Rates)[what], byMiBps, level));
    now[i] = withRates(config, { ...rates, [what]: value });
  };
  const isEnough = (level: number): boolean => {
    for (const i of which) put(i, level);
    return reach(now, of.need);
  };
  let [low, high] = [0, Math.max(0, ...which.map((i) => (today[i] as Rates)[what]))];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  isEnough(low);
  for (const i of which) {
    put(i, low - 1);
    if (!reach(now, of.need)) put(i, low);
  }
}

/** The configurations in the order given. The need is what they must have together, at most what they have today. */
export function lowerToReach(
  volumes: readonly Lowerable[],
  need: Rates,
  prices: EbsPrices,
): PaidConfiguration[] {
  const now = volumes.map(({ config }) => config);
  const bounds = { least: volumes.map(leastOf), need };
  const gp3 = [...now.keys()].filter((i) => isGp3(now[i] as PaidConfiguration));
  const byUsd = Map.groupBy(
    [...now.keys()].filter((i) => !gp3.includes(i)),
    (i) => usdOfLastIops(now[i] as PaidConfiguration, prices).toFixed(6),
  );
  const dearestFirst = [...byUsd].sort(([a], [b]) => Number(b) - Number(a));
  for (const [, which] of dearestFirst) lower(now, which, 'iops', bounds);
  lower(now, gp3, 'throughputMiBps', bounds);
  lower(now, gp3, 'iops', bounds);
  return now;
}
