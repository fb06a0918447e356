/** Advice on one member of a stripe, made advice on all: nobody is told to change one leg alone. */
import { safeInstanceId, safeVolumeId } from '../advice/command-target.ts';
import { fewOf } from '../few.ts';
import { regionOrPlaceholder } from '../plan/steps/names.ts';
import { roundUsd } from '../prices/volume-price.ts';
import { isVolumeId } from '../resource-id.ts';
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
  return `aws ec2 create-snapshots --region ${regionOrPlaceholder(region)} --instance-specification InstanceId=${safeInstanceId(instanceId)},ExcludeBootVolume=true`;
}

/** A line for each member where it names the one; one line for all where the command takes a list. */
function lineForAll(line: string, { stripe, volumeId }: ForAll): string[] {
  // An id that is none stands in no line: a placeholder does, for each member in turn.
  if (!isVolumeId(volumeId) || !line.includes(volumeId)) return [line];
  if (/^aws ec2 create-snapshot /.test(line)) return [snapshotOfAll(stripe)];
  const ids = idsOf(stripe).map(safeVolumeId);
  return line.includes(`--volume-ids ${volumeId}`)
    ? [line.replace(volumeId, ids.join(' '))]
    : ids.map((id) => line.replaceAll(volumeId, id));
}

/**
 * Commands for one member are wrong for another that has other figures, and its size can never go back: nothing is given to
 * copy until they are alike, or the tag that joins them is right.
 */
const ofUnlike = ({ layout: _, ...advice }: Advice, unlike: readonly string[], caveat: string): Advice => ({
  ...advice,
  action: `Its members are not configured alike (${fewOf(unlike)}): see that they are one stripe, and give them the same figures first; the slowest sets the pace. For the one whose figures these are: ${advice.action} ${caveat}`,
  monthlyUsdDelta: null,
  how: [],
});

/** For every member in turn, at the price of all; where members are not alike there is nothing to do to all of them. */
export function adviceForAll(advice: Advice, forAll: ForAll): Advice {
  const { stripe, caveat } = forAll;
  const unlike = unlikeMembers(stripe);
  if (unlike.length > 0) return ofUnlike(advice, unlike, caveat);
  const { monthlyUsdDelta: usd } = advice;
  return {
    ...advice,
    action: `${advice.action} ${caveat}`,
    monthlyUsdDelta: usd === null ? null : roundUsd(usd * stripe.volumes.length),
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
