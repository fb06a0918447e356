/** What a campaign takes and costs, before it is begun. */

import type { RegionCatalog } from '../../catalog/region-catalog.ts';
import { burst } from '../../credits/credits.ts';
import { type Known, known } from '../../known.ts';
import { knownMonthlyUsd } from '../../prices/prices.ts';
import type { PriceReason } from '../../schemas/unknown-reasons.ts';
import { hoursPerMonth, mibFromGiB, secondsPerHour, secondsPerMinute } from '../../units.ts';
import { expectedHours } from '../expected-cost.ts';
import { profiles } from '../profiles.ts';
import { defaultLimits } from '../search.ts';
import { type Cell, cellsOf, memberLimits, memberOf, prefillMiBpsOf } from './cells.ts';
import type { BenchRequest } from './request.ts';

/** Until Systems Manager reaches a new host, and packages are installed. Ours: AWS promises no time. */
const startSeconds = 4 * secondsPerMinute;
const buildSeconds = secondsPerMinute;
/** A command on its way there and back. */
const commandSeconds = 5;
/** Until an instance that was terminated costs no more. */
const endSeconds = secondsPerMinute;
const rampSeconds = 2;

/** Source: the price of a public IPv4 address (VPC pricing), in every Region, since February 2024. */
const addressUsdPerHour = 0.005;
/** The root volume of Amazon Linux 2023. */
const root = { volumeType: 'gp3', sizeGiB: 8, deployment: 'region' } as const;

export const fileSizeMiBOf = ({ work }: BenchRequest): number =>
  work.fileSizeMiB ?? (work.kind === 'profile' ? profiles[work.profile][work.variant].fileSizeMiB : 4_096);

/** Seconds of one run of the work, with the writing of its files. */
function workSeconds(request: BenchRequest, layMiBps: number): number {
  const { work } = request;
  const fileSizeMiB = fileSizeMiBOf(request);
  if (work.kind === 'profile')
    return expectedHours({ ...profiles[work.profile][work.variant], fileSizeMiB }, layMiBps) * secondsPerHour;
  const runs = work.kind === 'load' ? 1 : defaultLimits.maxProbes;
  return fileSizeMiB / layMiBps + runs * (work.seconds + rampSeconds + commandSeconds);
}

function prepareSeconds({ prepare }: BenchRequest, { layout }: Cell): number {
  if (prepare === 'nothing') return 0;
  // Members are read side by side.
  if (prepare === 'initialize')
    return mibFromGiB(layout.sizeGiB) / memberLimits(layout).baselineMiBps + commandSeconds;
  return (burst(memberLimits(layout), 100, null).burstDurationSeconds ?? 0) + commandSeconds;
}

export interface CellEstimate {
  id: string;
  hours: number;
  instanceUsd: Known<number, PriceReason>;
  /** Members and root, with their IOPS and throughput. */
  volumesUsd: Known<number, PriceReason>;
  addressUsd: number;
  totalUsd: Known<number, PriceReason>;
}

function cellEstimate(
  request: BenchRequest,
  cell: Cell,
  { instanceTypes, prices }: RegionCatalog,
): CellEstimate {
  const layMiBps = prefillMiBpsOf(cell.layout, instanceTypes.get(cell.instanceType));
  const seconds =
    startSeconds +
    buildSeconds +
    prepareSeconds(request, cell) +
    request.repeats * (workSeconds(request, layMiBps) + commandSeconds) +
    endSeconds;
  const hours = seconds / secondsPerHour;
  const instance = prices.instanceMonthlyUsd(cell.instanceType);
  const instanceUsd = instance.known ? known((instance.value / hoursPerMonth) * hours) : instance;
  const member = knownMonthlyUsd(memberOf(cell.layout), prices);
  const rootUsd = knownMonthlyUsd(root, prices);
  const volumesUsd = !member.known
    ? member
    : rootUsd.known
      ? known(((member.value.total * cell.layout.members + rootUsd.value.total) / hoursPerMonth) * hours)
      : rootUsd;
  const addressUsd = addressUsdPerHour * hours;
  const totalUsd = !instanceUsd.known
    ? instanceUsd
    : volumesUsd.known
      ? known(instanceUsd.value + volumesUsd.value + addressUsd)
      : volumesUsd;
  return { id: cell.id, hours, instanceUsd, volumesUsd, addressUsd, totalUsd };
}

export interface Estimate {
  cells: CellEstimate[];
  /** From the first host to the last, so many at once. */
  hours: number;
  totalUsd: Known<number, PriceReason>;
}

/** Each host begins when one before it has ended. */
function wallHours(hours: readonly number[], atOnce: number): number {
  const busyUntil = new Array<number>(atOnce).fill(0);
  for (const one of hours) {
    busyUntil.sort((a, b) => a - b);
    busyUntil[0] = (busyUntil[0] as number) + one;
  }
  return Math.max(...busyUntil);
}

/** @throws IllegalConfiguration where EBS would refuse a member. */
export function estimateOf(request: BenchRequest, regionCatalog: RegionCatalog): Estimate {
  const cells = cellsOf(request).map((cell) => cellEstimate(request, cell, regionCatalog));
  const totalUsd = cells.reduce<Known<number, PriceReason>>((sum, one) => {
    if (!sum.known) return sum;
    return one.totalUsd.known ? known(sum.value + one.totalUsd.value) : one.totalUsd;
  }, known(0));
  return {
    cells,
    hours: wallHours(
      cells.map(({ hours }) => hours),
      request.hostsAtOnce,
    ),
    totalUsd,
  };
}

/**
 * How long each host may live at most so that all together stay below the ceiling: as much longer than estimated as the
 * ceiling is higher than the estimate, and never longer than the request allows.
 */
export const hoursToLive = (
  hours: number,
  totalUsd: number,
  { ceilingUsd, hoursAtMost }: BenchRequest,
): number => Math.min(hours * (ceilingUsd / totalUsd), hoursAtMost);
