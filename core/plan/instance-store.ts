/** Disks of the instance itself: named where EBS cannot do it, or where people ask for it, with what is lost. */
import type { InstanceType } from '../catalogue/instance-type.ts';
import type { Market } from '../catalogue/market.ts';
import { figure } from '../figures.ts';
import { decimalGBFromGiB } from '../units.ts';
import type { InstanceAsked } from './instance-choice.ts';
import { leastHddIoKiB, type Need } from './need.ts';
import type { Refused } from './refusal.ts';
import type { Found } from './search.ts';

/** Where EBS ended for one instance in 2018: above it people still think of instance store. */
const namedFromIops = 80_000;

const lost =
  'its data are lost when the instance stops, hibernates or terminates, or its disk fails: no snapshots, no resizing, no move to another instance; only for what can be rebuilt or is replicated';

/**
 * Of SSD types with enough disk the one with the most disks for many IOPS; for scans the cheapest, disks of any kind.
 */
function suitable(
  { capacityGiB, access }: Need,
  market: Market,
  asked: InstanceAsked | null,
): InstanceType | undefined {
  const usd = ({ instanceType }: InstanceType): number => {
    const price = market.prices.instanceMonthlyUsd(instanceType);
    return price.known ? price.value : Number.MAX_VALUE;
  };
  const isScan = access === 'sequential';
  const disks = ({ instanceStore }: InstanceType): number => (isScan ? 0 : (instanceStore?.disks ?? 0));
  const architecture = asked !== null && 'architecture' in asked ? asked.architecture : null;
  return market.instanceTypes.types
    .filter(
      ({ instanceStore, currentGeneration, nitro, architectures }) =>
        currentGeneration &&
        nitro &&
        instanceStore !== null &&
        (instanceStore.ssd || isScan) &&
        instanceStore.totalGB >= decimalGBFromGiB(capacityGiB) &&
        (architecture === null || architectures.includes(architecture)),
    )
    .toSorted((a, b) => disks(b) - disks(a) || usd(a) - usd(b))[0];
}

/** None where EBS serves the need and nobody would think of it. */
export function instanceStoreNote(
  need: Need,
  { candidates, refusals }: Found,
  market: Market,
  asked: InstanceAsked | null,
): Refused[] {
  const outOfReach = refusals.some(
    ({ obstacle }) => obstacle.limit === 'iops' || obstacle.limit === 'throughput',
  );
  const cannot = candidates.length === 0 && outOfReach;
  const isScan = need.access === 'sequential' && need.ioSizeKiB >= leastHddIoKiB;
  if (!cannot && need.iops <= namedFromIops && !isScan) return [];
  const type = suitable(need, market, asked);
  const what = 'instance store (disks of the instance itself)';
  const how = 'EC2’s API does not tell what it can do: measure it';
  if (type === undefined)
    return [{ what, because: lost, nearest: `no instance type has ${figure(need.capacityGiB)} GiB of it` }];
  const { disks, totalGB, ssd } = type.instanceStore ?? { disks: 0, totalGB: 0, ssd: false };
  return [
    {
      what,
      because: cannot ? `no EBS layout within these limits does it; instance store may, but ${lost}` : lost,
      nearest: `${type.instanceType}: ${disks} ${ssd ? 'SSD' : 'HDD'}${disks === 1 ? '' : 's'}, ${figure(totalGB)} GB in all; ${how}`,
    },
  ];
}
