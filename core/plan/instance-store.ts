/** Disks of the instance itself: named where EBS cannot do it, or where people ask for it, with what is lost. */
import type { InstanceType } from '../catalog/instance-types.ts';
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import type { Refused } from '../schemas/plan-refused.ts';
import { decimalGBFromGiB } from '../units.ts';
import type { InstanceAsked } from './instance-choice.ts';
import { minHddIoKiB, type Need } from './layout.ts';
import type { Found } from './search.ts';

/** Where EBS ended for one instance in 2018: above it people still think of instance store. */
const namedFromIops = 80_000;

/**
 * Of SSD types with enough disk the one with the most disks for many IOPS; for scans the cheapest, disks of any kind.
 */
function suitable(
  { capacityGiB, access }: Need,
  regionCatalog: RegionCatalog,
  asked: InstanceAsked | null,
): InstanceType | undefined {
  const usd = ({ instanceType }: InstanceType): number => {
    const price = regionCatalog.prices.instanceMonthlyUsd(instanceType);
    return price.known ? price.value : Number.MAX_VALUE;
  };
  const isScan = access === 'sequential';
  const disks = ({ instanceStore }: InstanceType): number => (isScan ? 0 : (instanceStore?.disks ?? 0));
  const architecture = asked !== null && 'architecture' in asked ? asked.architecture : null;
  return regionCatalog.instanceTypes.types
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
  regionCatalog: RegionCatalog,
  asked: InstanceAsked | null,
): Refused[] {
  const outOfReach = refusals.some(
    ({ obstacle }) => obstacle.limit === 'iops' || obstacle.limit === 'throughput',
  );
  const cannot = candidates.length === 0 && outOfReach;
  const isScan = need.access === 'sequential' && need.ioSizeKiB >= minHddIoKiB;
  if (!cannot && need.iops <= namedFromIops && !isScan) return [];
  const type = suitable(need, regionCatalog, asked);
  const { disks, totalGB, ssd } = type?.instanceStore ?? { disks: 0, totalGB: 0, ssd: false };
  return [
    {
      what: [{ code: 'instance-store' }],
      reason: { code: 'data-on-the-instance', isOnlyWay: cannot && type !== undefined },
      nearest: [
        type === undefined
          ? { code: 'no-instance-store', capacityGiB: need.capacityGiB }
          : { code: 'instance-store', instanceType: type.instanceType, disks, isSsd: ssd, totalGB },
      ],
    },
  ];
}
