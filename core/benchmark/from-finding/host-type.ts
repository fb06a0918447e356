/** The instance type that the host of a campaign has: today's, or the nearest that a campaign can run on. */
import { z } from 'zod';
import type { InstanceType } from '../../catalog/instance-types.ts';
import type { RegionCatalog } from '../../catalog/region-catalog.ts';
import { type Known, known, unknown } from '../../known.ts';

interface HostNeed {
  iops: number;
  mibps: number;
  volumes: number;
}

/** Why the host has another type than the instance of the finding, and which one. */
export const hostNotes = [
  z
    .object({ code: z.literal('host-not-nitro'), from: z.string(), to: z.string() })
    .meta({ description: 'to: the cheapest on Nitro that has no less' }),
  z
    .object({
      code: z.literal('host-type-not-in-region'),
      from: z.string(),
      region: z.string(),
      to: z.string(),
    })
    .meta({ description: 'to: the cheapest on Nitro that carries what the volumes do' }),
  z.object({ code: z.literal('host-type-unknown'), to: z.string() }),
] as const;
type HostNote = z.infer<(typeof hostNotes)[number]>;

export interface HostUnknown {
  code: 'no-host-type';
  region: string;
}

export interface HostType {
  instanceType: string;
  /** null: it has today's. */
  note: HostNote | null;
}

/** As much of EBS, all the time, as today's has; where that is not known, as the volumes can use. */
function carries(
  { ebs, attachments }: InstanceType,
  today: InstanceType | undefined,
  need: HostNeed,
): boolean {
  const room = attachments === null || attachments.most > need.volumes;
  const { baselineIops, baselineMiBps } = today?.ebs ?? {
    baselineIops: need.iops,
    baselineMiBps: need.mibps,
  };
  return room && ebs !== null && ebs.baselineIops >= baselineIops && ebs.baselineMiBps >= baselineMiBps;
}

const isLike = (type: InstanceType, today: InstanceType | undefined): boolean =>
  today === undefined
    ? type.architectures.includes('x86_64')
    : today.architectures.some((one) => one !== 'i386' && type.architectures.includes(one)) &&
      type.vcpus >= today.vcpus &&
      type.memoryMiB >= today.memoryMiB;

/** On Nitro, of a current generation, with CPUs of its own: what a benchmark is run on. */
const isUsable = ({ nitro, currentGeneration, burstableCpu, instanceType }: InstanceType): boolean =>
  nitro &&
  currentGeneration &&
  !burstableCpu &&
  /^[cmr]\d/.test(instanceType) &&
  !/metal|flex/.test(instanceType);

/** Today's where it is on Nitro; else the cheapest that is, and no less. Unknown where there is none with a price. */
export function nitroHost(
  instanceType: string | null,
  need: HostNeed,
  { instanceTypes, prices, region }: RegionCatalog,
): Known<HostType, HostUnknown> {
  const today = instanceType === null ? undefined : instanceTypes.get(instanceType);
  if (today?.nitro) return known({ instanceType: today.instanceType, note: null });
  const [nearest] = instanceTypes.types
    .filter((type) => isUsable(type) && isLike(type, today) && carries(type, today, need))
    .flatMap((type) => {
      const usd = prices.instanceMonthlyUsd(type.instanceType);
      return usd.known ? [{ instanceType: type.instanceType, usd: usd.value }] : [];
    })
    .sort((a, b) => a.usd - b.usd || a.instanceType.localeCompare(b.instanceType));
  if (nearest === undefined) return unknown({ code: 'no-host-type', region });
  const to = nearest.instanceType;
  const noteOf = (): HostNote => {
    if (today !== undefined) return { code: 'host-not-nitro', from: today.instanceType, to };
    return instanceType === null
      ? { code: 'host-type-unknown', to }
      : { code: 'host-type-not-in-region', from: instanceType, region, to };
  };
  return known({ instanceType: to, note: noteOf() });
}
