/** What can be said of a campaign before anything is launched: what cannot work, and what its result cannot show. */

import { dataVolumesAtMost, ebsFiguresOf, type InstanceType } from '../../catalogue/instance-type.ts';
import type { Market } from '../../catalogue/market.ts';
import { BadInput } from '../../errors.ts';
import { figure, usdText } from '../../figures.ts';
import type { PriceReason } from '../../prices/price-reason.ts';
import { abilityOf, type Cell, cellsOf, roomMiBOf } from './cells.ts';
import { type Estimate, estimateOf, fileSizeMiBOf } from './estimate.ts';
import { eventsOf, mostEvents } from './history.ts';
import type { BenchRequest } from './request.ts';

const priceText = (because: PriceReason): string =>
  because.code === 'no-ebs-prices'
    ? `EBS prices of ${because.region} are not known`
    : because.asOf === null
      ? `instance prices of ${because.region} are not known`
      : `no price of ${because.instanceType} in ${because.region}`;

export interface Preflight {
  estimate: Estimate;
  /** What its result will not show, and why. */
  notes: string[];
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
function capNotes({ layout, instanceType }: Cell, type: InstanceType): string[] {
  const figures = ebsFiguresOf(type);
  if (!figures.known) return [`${figures.because.code}: whether it holds ${layout.name} back is not known`];
  const { iops, mibps } = abilityOf(layout);
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures.value;
  const held = [
    ...(iops > baselineIops ? [`${figure(iops)} IOPS against ${figure(baselineIops)}`] : []),
    ...(mibps > baselineMiBps ? [`${figure(mibps)} MiB/s against ${figure(baselineMiBps)}`] : []),
  ];
  if (held.length === 0) return [];
  const bursts =
    maximumIops > baselineIops || maximumMiBps > baselineMiBps
      ? `; it bursts to ${figure(maximumIops)} IOPS and ${figure(maximumMiBps)} MiB/s for half an hour a day`
      : '';
  return [
    `${layout.name} on ${instanceType}: the instance is the limit, not the volumes (${held.join(', ')}${bursts})`,
  ];
}

/**
 * @throws BadInput where a cell cannot be or takes too long, where the price is not known or above the ceiling;
 * IllegalConfiguration where EBS would refuse a member.
 */
export function preflight(request: BenchRequest, market: Market): Preflight {
  const { region, instanceTypes } = market;
  const cells = cellsOf(request);
  for (const cell of cells) {
    const refusal = refusalOf(cell, instanceTypes.get(cell.instanceType), region) ?? fullOf(request, cell);
    if (refusal !== null) throw new BadInput(refusal);
  }
  const estimate = estimateOf(request, market);
  const { totalUsd } = estimate;
  if (!totalUsd.known)
    throw new BadInput(
      `what it costs is not known, so no ceiling can be kept: ${priceText(totalUsd.because)}`,
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
