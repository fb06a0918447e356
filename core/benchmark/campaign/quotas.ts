/** Quotas of an account in a Region that a campaign could not stay within, whatever else runs there. */
import { z } from 'zod';
import type { RegionCatalog } from '../../catalog/region-catalog.ts';
import { BadInput } from '../../errors.ts';
import { figure } from '../../figures.ts';
import type { Known } from '../../known.ts';
import type { VolumeType } from '../../limits/volume-limits.ts';
import { gibPerTiB } from '../../units.ts';
import { type Cell, cellsOf } from './cells.ts';
import type { BenchRequest } from './request.ts';

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
  serviceCode: 'ec2' | 'ebs';
  quotaCode: string;
  what: string;
}

/**
 * Codes are the same in every account and Region. Source: AWS CLI user guide, example of get-aws-default-service-quota (vCPUs),
 * and lists of `list-service-quotas --service-code ebs`, read 2026-11-22.
 */
const vcpuQuota: Quota = {
  serviceCode: 'ec2',
  quotaCode: 'L-1216C47A',
  what: 'On-Demand Standard vCPUs',
};
const storageCodes: { readonly [T in VolumeType]: string } = {
  ...{ gp2: 'L-D18FCD1D', gp3: 'L-7A658B76', io1: 'L-FD252861', io2: 'L-09BD8365' },
  ...{ st1: 'L-82ACEF56', sc1: 'L-17AF77E8', standard: 'L-9CF3C2EB' },
};
const iopsCodes: { readonly [T in VolumeType]?: string } = { io1: 'L-B3A130E6', io2: 'L-8D977E7E' };

/** Families that share one quota: A, C, D, H, I, M, R, T, Z. Source: EC2 user guide, On-Demand Instance quotas. */
const standardFamilies = new Set(['a', 'c', 'd', 'h', 'i', 'im', 'is', 'm', 'r', 't', 'z']);
const isStandard = (instanceType: string): boolean =>
  standardFamilies.has(/^[a-z]+/.exec(instanceType)?.[0] ?? '');

export interface Need {
  quota: Quota;
  amount: number;
}

/** Which hosts are there at the same time follows from how long each takes: those that need most may be. */
function mostAtOnce(request: BenchRequest, amountOf: (cell: Cell) => number): number {
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
    mostAtOnce(request, (cell) => (cell.layout.volumeType === type ? amountOf(cell) : 0));
  const ebs = (quotaCode: string, what: string): Quota => ({ serviceCode: 'ebs', quotaCode, what });
  const needs: Need[] = [
    {
      quota: vcpuQuota,
      amount: mostAtOnce(request, ({ instanceType }) =>
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
