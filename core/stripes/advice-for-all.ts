/** Advice on one member of a stripe, made advice on all: nobody is told to change one leg alone. */
import { regionOrPlaceholder } from '../plan/steps/names.ts';
import { roundUsd } from '../prices/volume-price.ts';
import { isInstanceId } from '../resource-id.ts';
import type { Advice } from '../schemas/finding.ts';
import { idsOf, type Stripe, unlikeMembers } from './stripe.ts';

/** What a member's advice is turned into advice on all with. */
interface ForAll {
  stripe: Stripe;
  /** The member that the advice is about. */
  volumeId: string;
  /** What is said after the action. */
  caveat: string;
}

/** Snapshots one by one would be of different moments and not fit together: EC2 takes those of an instance at one. */
function snapshotOfAll({ instanceId, region }: Stripe): string {
  const instance = isInstanceId(instanceId) ? instanceId : '<instance-id>';
  return `aws ec2 create-snapshots --region ${regionOrPlaceholder(region)} --instance-specification InstanceId=${instance},ExcludeBootVolume=true`;
}

/** A line for each member where it names the one; one line for all where the command takes a list. */
function lineForAll(line: string, { stripe, volumeId }: ForAll): string[] {
  if (!line.includes(volumeId)) return [line];
  if (/^aws ec2 create-snapshot /.test(line)) return [snapshotOfAll(stripe)];
  const ids = idsOf(stripe);
  return line.includes(`--volume-ids ${volumeId}`)
    ? [line.replace(volumeId, ids.join(' '))]
    : ids.map((id) => line.replaceAll(volumeId, id));
}

/** For every member in turn, at the price of all; of members that are not alike the price of one tells no other's. */
export function adviceForAll(advice: Advice, forAll: ForAll): Advice {
  const { stripe, caveat } = forAll;
  const { monthlyUsdDelta: usd } = advice;
  const isPriced = usd !== null && unlikeMembers(stripe).length === 0;
  return {
    ...advice,
    action: `${advice.action} ${caveat}`,
    monthlyUsdDelta: isPriced ? roundUsd(usd * stripe.volumes.length) : null,
    how: advice.how.flatMap((line) => lineForAll(line, forAll)),
  };
}

/**
 * Of volumes that some advice would change, those that are no part of a stripe or come with all of its members: for
 * advice on an instance that picks volumes one by one (lowering figures, moving to another EBS card).
 */
export function wholeStripesOnly(volumeIds: readonly string[], stripes: readonly Stripe[]): string[] {
  const chosen = new Set(volumeIds);
  const partly = new Set(stripes.map(idsOf).flatMap((ids) => (ids.every((id) => chosen.has(id)) ? [] : ids)));
  return volumeIds.filter((id) => !partly.has(id));
}
