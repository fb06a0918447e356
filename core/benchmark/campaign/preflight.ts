/** What can be said of a campaign before anything is launched: what cannot work, and what its result cannot show. */
import { z } from 'zod';
import { dataVolumesAtMost, ebsFiguresOf, type InstanceType } from '../../catalog/instance-types.ts';
import type { RegionCatalog } from '../../catalog/region-catalog.ts';
import { BadInput } from '../../errors.ts';
import { figure, usdText } from '../../figures.ts';
import type { Known } from '../../known.ts';
import type { VolumeType } from '../../limits/volume-limits.ts';
import type { PriceReason } from '../../schemas/unknown-reasons.ts';
import { gibPerTiB } from '../../units.ts';
import { defaultLimits } from '../search.ts';
import { abilityOf, type Cell, cellsOf, roomMiBOf } from './cells.ts';
import { type Estimate, estimateOf, fileSizeMiBOf } from './estimate.ts';
import type { BenchRequest } from './request.ts';

// Quotas of an account in a Region that a campaign could not stay within, whatever else runs there.

/** What is not known of the quotas of an account. */
export const quotaNotes = [
  z
    .object({ code: z.literal('quotas-not-read'), reason: z.string() })
    .meta({ description: 'because: as AWS says it, of the first of them' }),
  z
    .object({ code: z.literal('quotas-not-looked-at'), instanceTypes: z.array(z.string()) })
    .meta({ description: 'of instance types that are no Standard ones' }),
] as const;
type QuotaNote = z.infer<(typeof quotaNotes)[number]>;

/** As Service Quotas knows it. */
export interface Quota {
  serviceCode: 'ec2' | 'ebs' | 'monitoring';
  quotaCode: string;
  what: string;
}

/**
 * Codes are the same in every account and Region. Source: AWS CLI user guide, example of get-aws-default-service-quota (vCPUs),
 * and lists of `list-service-quotas --service-code ebs`, read 2026-11-22.
 */
export const vcpuQuota: Quota = {
  serviceCode: 'ec2',
  quotaCode: 'L-1216C47A',
  what: 'On-Demand Standard vCPUs',
};
export const storageCodes: { readonly [T in VolumeType]: string } = {
  ...{ gp2: 'L-D18FCD1D', gp3: 'L-7A658B76', io1: 'L-FD252861', io2: 'L-09BD8365' },
  ...{ st1: 'L-82ACEF56', sc1: 'L-17AF77E8', standard: 'L-9CF3C2EB' },
};
export const iopsCodes: { readonly [T in VolumeType]?: string } = { io1: 'L-B3A130E6', io2: 'L-8D977E7E' };

/** Families that share one quota: A, C, D, H, I, M, R, T, Z. Source: EC2 user guide, On-Demand Instance quotas. */
const standardFamilies = new Set(['a', 'c', 'd', 'h', 'i', 'im', 'is', 'm', 'r', 't', 'z']);
export const isStandard = (instanceType: string): boolean =>
  standardFamilies.has(/^[a-z]+/.exec(instanceType)?.[0] ?? '');

export interface Need {
  quota: Quota;
  amount: number;
}

/** Which hosts are there at the same time follows from how long each takes: those that need most may be. */
function maxAtOnce(request: BenchRequest, amountOf: (cell: Cell) => number): number {
  const amounts = cellsOf(request).map(amountOf);
  return amounts
    .sort((a, b) => b - a)
    .slice(0, request.hostsAtOnce)
    .reduce((sum, amount) => sum + amount, 0);
}

/** What hosts that are there at the same time need, of each quota that they use. */
export function needsOf(request: BenchRequest, { instanceTypes }: RegionCatalog): Need[] {
  const types = [...new Set(request.layouts.map(({ volumeType }) => volumeType))];
  const ofType = (type: VolumeType, amountOf: (cell: Cell) => number): number =>
    maxAtOnce(request, (cell) => (cell.layout.volumeType === type ? amountOf(cell) : 0));
  const ebs = (quotaCode: string, what: string): Quota => ({ serviceCode: 'ebs', quotaCode, what });
  const needs: Need[] = [
    {
      quota: vcpuQuota,
      amount: maxAtOnce(request, ({ instanceType }) =>
        isStandard(instanceType) ? (instanceTypes.get(instanceType)?.vcpus ?? 0) : 0,
      ),
    },
    ...types.map((type) => ({
      quota: ebs(storageCodes[type], `TiB of ${type}`),
      amount: ofType(type, ({ layout }) => (layout.members * layout.sizeGiB) / gibPerTiB),
    })),
    ...types.flatMap((type) => {
      const code = iopsCodes[type];
      const amount = ofType(type, ({ layout }) => layout.members * (layout.iops ?? 0));
      return code === undefined ? [] : [{ quota: ebs(code, `IOPS of ${type}`), amount }];
    }),
  ];
  return needs.filter(({ amount }) => amount > 0);
}

/**
 * What others use of a quota is not counted: it changes until hosts are launched.
 * @param quotas as they could be read, in the order of the needs.
 * @returns what is not known of them.
 * @throws BadInput where the whole of one would not do.
 */
export function checkQuotas(
  request: BenchRequest,
  needs: readonly Need[],
  quotas: readonly Known<number>[],
): QuotaNote[] {
  const unread: string[] = [];
  for (const [index, { quota, amount }] of needs.entries()) {
    const read = quotas[index];
    if (read === undefined || !read.known) unread.push(read?.reason ?? 'nobody asked');
    else if (amount > read.value)
      throw new BadInput(
        `${request.hostsAtOnce} hosts at once need up to ${figure(amount)} ${quota.what}, and the quota of the account is ${figure(read.value)} (${quota.quotaCode}): give fewer hostsAtOnce or smaller ones, or ask AWS for more`,
      );
  }
  const others = request.instanceTypes.filter((type) => !isStandard(type));
  return [
    ...(unread.length === 0 ? [] : [{ code: 'quotas-not-read' as const, reason: unread[0] as string }]),
    ...(others.length === 0 ? [] : [{ code: 'quotas-not-looked-at' as const, instanceTypes: others }]),
  ];
}

// A campaign is one execution, and Step Functions ends one that has noted down 25,000 events: hosts would be left behind.

/** Some are left for what is tried again. Source: Step Functions developer guide, quotas, read 2026-11-22. */
const maxEvents = 20_000;

/** Of a cell, launched, waited for and ended: each look at a host that is not there yet is three. */
const eventsOfCell = 120;
/** Of a command that is chosen and run. */
const ofCommand = 13;
/** While one runs, a look every three minutes (lib/bench/workflow.ts): the last is over, this one begun, sent, and waits. */
const ofLook = 4;
const looksPerHour = 20;

/** About how many events a campaign makes. */
export function eventsOf({ work, repeats, prepare }: BenchRequest, { cells }: Estimate): number {
  const runs = work.kind === 'search' ? defaultLimits.maxProbes : repeats;
  const commands = (prepare === 'nothing' ? 1 : 2) + runs + 1;
  const hours = cells.reduce((sum, cell) => sum + cell.hours, 0);
  return cells.length * (eventsOfCell + commands * ofCommand) + hours * looksPerHour * ofLook;
}

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
    : reason.code === 'no-ebs-price'
      ? `no price of ${reason.volumeType} in ${reason.region}`
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
  if (events > maxEvents)
    throw new BadInput(
      `it would fill the history of its execution (about ${figure(events, 0)} events, and ${figure(maxEvents)} are safe): ask for fewer hosts or less time, in several campaigns`,
    );
  const notes = cells.flatMap((cell) => capNotes(cell, instanceTypes.get(cell.instanceType) as InstanceType));
  return { estimate, notes };
}
