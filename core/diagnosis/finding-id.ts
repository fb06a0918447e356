/** What a finding is on, and its identity over time: what it is about, never when, nor what else is known about it. */
import { createHash } from 'node:crypto';
import type { Instance, Volume } from '../inventory.ts';
import { isRegionName } from '../region.ts';
import { isInstanceId, isVolumeId } from '../resource-id.ts';
import { type FindingKind, type FindingResource, instanceIdOf } from '../schemas/finding.ts';
import type { Stripe } from '../stripes/stripe.ts';

/** First 16 hex digits of SHA-256 over kind, Region and resource id (which no two accounts share). */
export function findingId(kind: FindingKind, { region, id }: Pick<FindingResource, 'region' | 'id'>): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, region, id]))
    .digest('hex')
    .slice(0, 16);
}

/** Source: AWS General Reference, "Amazon Resource Names", partitions; read 2026-11-23. */
function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  if (region.startsWith('us-gov-')) return 'aws-us-gov';
  if (region.startsWith('eusc-')) return 'aws-eusc';
  return 'aws';
}

interface Place {
  region: string;
  account: string | null;
}

/** Null where the account or the Region is not known, or the id is none. */
function arnOf(kind: 'volume' | 'instance', id: string, { region, account }: Place): string | null {
  const isId = kind === 'volume' ? isVolumeId(id) : isInstanceId(id);
  if (!isId || account === null || !/^\d{12}$/.test(account) || !isRegionName(region)) return null;
  return `arn:${partitionOf(region)}:ec2:${region}:${account}:${kind}/${id}`;
}

export const volumeResource = ({
  volumeId: id,
  name,
  region,
  account,
}: Pick<Volume, 'volumeId' | 'name' | 'region' | 'account'>): FindingResource => ({
  ...{ type: 'volume', id, arn: arnOf('volume', id, { region, account }) },
  ...{ name, region, account },
});

export const instanceResource = ({
  instanceId: id,
  name,
  region,
  account,
}: Pick<Instance, 'instanceId' | 'name' | 'region' | 'account'>): FindingResource => ({
  ...{ type: 'instance', id, arn: arnOf('instance', id, { region, account }) },
  ...{ name, region, account },
});

/** A stripe is called as its name says, and where it has none, as its first volume is. AWS knows no stripes. */
export const stripeResource = ({ stripeId, name, volumes, region, account }: Stripe): FindingResource => ({
  ...{ type: 'stripe', id: stripeId, arn: null },
  ...{ name: name ?? volumes[0]?.name ?? null, region, account },
});

/** For a channel that groups by them: made anew, since what a message says is no ARN until its parts are what they should be. */
export function resourceArns({ type, id, region, account }: FindingResource): string[] {
  const instanceId = instanceIdOf({ type, id });
  const arn =
    instanceId === null
      ? arnOf('volume', id, { region, account })
      : arnOf('instance', instanceId, { region, account });
  return arn === null ? [] : [arn];
}
