/** What can be said of a campaign before anything is launched: what cannot work, and what its result cannot show. */
import { z } from 'zod';
import { dataVolumesAtMost, ebsFiguresOf, type InstanceType } from '../../catalog/instance-types.ts';
import type { RegionCatalog } from '../../catalog/region-catalog.ts';
import { BadInput } from '../../errors.ts';
import { figure, usdText } from '../../figures.ts';
import type { PriceReason } from '../../schemas/unknown-reasons.ts';
import { abilityOf, type Cell, cellsOf, roomMiBOf } from './cells.ts';
import { type Estimate, estimateOf, fileSizeMiBOf } from './estimate.ts';
import { eventsOf, mostEvents } from './history.ts';
import type { BenchRequest } from './request.ts';

const ofCell = { layout: z.string(), instanceType: z.string() };
const against = z
  .object({ layout: z.number(), instance: z.number() })
  .nullable()
  .meta({ description: 'what the volumes can do, and what the instance can do all the time; null: enough' });

/** What the result of a campaign will not show, and why. */
export const preflightNotes = [
  z
    .object({ code: z.literal('instance-limits-unknown'), ...ofCell })
    .meta({ description: 'whether the instance is the limit is not known' }),
  z.object({
    code: z.literal('instance-is-limit'),
    ...{ ...ofCell, iops: against, mibps: against },
    bursts: z
      .object({ iops: z.number(), mibps: z.number() })
      .nullable()
      .meta({ description: 'for half an hour a day' }),
  }),
] as const;
type PreflightNote = z.infer<(typeof preflightNotes)[number]>;

const priceText = (reason: PriceReason): string =>
  reason.code === 'no-ebs-prices'
    ? `EBS prices of ${reason.region} are not known`
    : reason.asOf === null
      ? `instance prices of ${reason.region} are not known`
      : `no price of ${reason.instanceType} in ${reason.region}`;

export interface Preflight {
  estimate: Estimate;
  notes: PreflightNote[];
}

function refusalOf(
  { layout, instanceType }: Cell,
  type: InstanceType | undefined,
  region: string,
): string | null {
  if (type === undefined)
    return `${instanceType} is not known in ${region}: give another type (\`catalog show\` lists them)`;
  if (!type.nitro)
    return `${instanceType} does not show its volumes as NVMe disks, by which members are found: give a type on Nitro`;
  const most = dataVolumesAtMost(type);
  if (most.known && layout.members > most.value)
    return `${layout.name} has ${layout.members} volumes, and ${instanceType} takes ${most.value} beside its root volume`;
  return null;
}

/** Of a layout's room, what its files may take: the rest is of the file system, and of the journals beside it. */
const mostOfRoom = 0.8;

function fullOf(request: BenchRequest, { layout }: Cell): string | null {
  const [fileMiB, roomMiB] = [fileSizeMiBOf(request), roomMiBOf(layout)];
  return fileMiB > mostOfRoom * roomMiB
    ? `${layout.name} holds ${figure(roomMiB)} MiB, too little for a file of ${figure(fileMiB)}: give larger volumes, or a smaller fileSizeMiB`
    : null;
}

/** Where the instance ends it before the volumes do. */
function capNotes({ layout, instanceType }: Cell, type: InstanceType): PreflightNote[] {
  const figures = ebsFiguresOf(type);
  if (!figures.known) return [{ code: 'instance-limits-unknown', layout: layout.name, instanceType }];
  const { iops, mibps } = abilityOf(layout);
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures.value;
  if (iops <= baselineIops && mibps <= baselineMiBps) return [];
  const bursts = maximumIops > baselineIops || maximumMiBps > baselineMiBps;
  return [
    {
      code: 'instance-is-limit',
      ...{ layout: layout.name, instanceType },
      iops: iops > baselineIops ? { layout: iops, instance: baselineIops } : null,
      mibps: mibps > baselineMiBps ? { layout: mibps, instance: baselineMiBps } : null,
      bursts: bursts ? { iops: maximumIops, mibps: maximumMiBps } : null,
    },
  ];
}

/**
 * @throws BadInput where a cell cannot be or takes too long, where the price is not known or above the ceiling;
 * IllegalConfiguration where EBS would refuse a member.
 */
export function preflight(request: BenchRequest, regionCatalog: RegionCatalog): Preflight {
  const { region, instanceTypes } = regionCatalog;
  const cells = cellsOf(request);
  for (const cell of cells) {
    const refusal = refusalOf(cell, instanceTypes.get(cell.instanceType), region) ?? fullOf(request, cell);
    if (refusal !== null) throw new BadInput(refusal);
  }
  const estimate = estimateOf(request, regionCatalog);
  const { totalUsd } = estimate;
  if (!totalUsd.known)
    throw new BadInput(
      `what it costs is not known, so no ceiling can be kept: ${priceText(totalUsd.reason)}`,
    );
  if (totalUsd.value > request.ceilingUsd)
    throw new BadInput(
      `it would cost about ${usdText(totalUsd.value)}, above the ceiling of ${usdText(request.ceilingUsd)}: ask for less, or raise ceilingUsd`,
    );
  const long = estimate.cells.find(({ hours }) => hours > request.hoursAtMost);
  if (long !== undefined)
    throw new BadInput(
      `${long.id} would take about ${figure(long.hours)} hours, above hoursAtMost (${request.hoursAtMost}): ask for less, or raise it`,
    );
  const events = eventsOf(request, estimate);
  if (events > mostEvents)
    throw new BadInput(
      `it would fill the history of its execution (about ${figure(events, 0)} events, and ${figure(mostEvents)} are safe): ask for fewer hosts or less time, in several campaigns`,
    );
  const notes = cells.flatMap((cell) => capNotes(cell, instanceTypes.get(cell.instanceType) as InstanceType));
  return { estimate, notes };
}
