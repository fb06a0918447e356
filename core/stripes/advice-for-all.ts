/** Advice on one member of a stripe, made advice on all: nobody is told to change one leg alone. */
import { unknownEffect } from '../advice/advice-input.ts';
import { safeInstanceId, safeVolumeId } from '../advice/command-target.ts';
import { fewOf } from '../few.ts';
import { regionOrPlaceholder } from '../plan/steps/names.ts';
import { roundUsd } from '../prices/volume-price.ts';
import { isVolumeId } from '../resource-id.ts';
import type { Limit, Recommendation, Risk } from '../schemas/finding.ts';
import { idsOf, type Stripe, unlikeMembers } from './stripe.ts';

/** What a member's advice is turned into advice on all with. */
interface ForAll {
  stripe: Stripe;
  /** The member that the advice is about. */
  volumeId: string;
  /** What is said after the action. */
  caveat: string;
  /** The same as a code. */
  risk: Risk;
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
const ofUnlike = (
  advice: Recommendation,
  unlike: readonly string[],
  { caveat, risk }: ForAll,
): Recommendation => ({
  ...advice,
  change: null,
  effect: { ...unknownEffect, throttledMinutesBefore: advice.effect.throttledMinutesBefore },
  risks: [{ code: 'unlike-members', count: unlike.length }, risk],
  text: `Its members are not configured alike (${fewOf(unlike)}): see that they are one stripe, and give them the same figures first; the slowest sets the pace. For the one whose figures these are: ${advice.text} ${caveat}`,
  monthlyUsdDelta: null,
  priceUnknownReason: advice.priceUnknownReason,
  steps: [],
});

/** Limits of all members together; they are throttled in the same minutes. */
function effectOnAll(effect: Recommendation['effect'], count: number): Recommendation['effect'] {
  const ofAll = (limit: Limit | null): Limit | null => limit && { ...limit, value: limit.value * count };
  return { ...effect, limitBefore: ofAll(effect.limitBefore), limitAfter: ofAll(effect.limitAfter) };
}

/** For every member in turn, at the price of all; where members are not alike there is nothing to do to all of them. */
export function adviceForAll(advice: Recommendation, forAll: ForAll): Recommendation {
  const { stripe, caveat, risk } = forAll;
  const unlike = unlikeMembers(stripe);
  if (unlike.length > 0)
    return ofUnlike(
      advice,
      unlike.map(({ volumeId }) => volumeId),
      forAll,
    );
  const { monthlyUsdDelta: usd } = advice;
  return {
    ...advice,
    effect: effectOnAll(advice.effect, stripe.volumes.length),
    risks: [...advice.risks, risk],
    text: `${advice.text} ${caveat}`,
    monthlyUsdDelta: usd === null ? null : roundUsd(usd * stripe.volumes.length),
    steps: advice.steps.flatMap((line) => lineForAll(line, forAll)),
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
