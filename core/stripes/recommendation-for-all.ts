/** Recommendation on one member of a stripe, made recommendation on all: nobody is told to change one leg alone. */

import { regionOrPlaceholder } from '../plan/steps/names.ts';
import { roundUsd } from '../prices/volume-price.ts';
import { safeInstanceId, safeVolumeId } from '../recommendations/command-target.ts';
import { run, unknownEffect } from '../recommendations/recommendation-input.ts';
import { isVolumeId } from '../resource-id.ts';
import type { Limit, Recommendation, Risk } from '../schemas/finding.ts';
import type { Step } from '../schemas/recommendation.ts';
import { idsOf, type Stripe, unlikeMembers } from './stripe.ts';

/** What a member's recommendation is turned into recommendation on all with. */
interface ForAll {
  stripe: Stripe;
  /** The member that the recommendation is about. */
  volumeId: string;
  /** What it is to be done to all for. */
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

function stepForAll(step: Step, forAll: ForAll): Step[] {
  if (step.code === 'run') return lineForAll(step.command, forAll).map(run);
  return step.code === 'run-later'
    ? lineForAll(step.command, forAll).map((command) => ({ code: 'run-later', command }))
    : [step];
}

/**
 * Commands for one member are wrong for another that has other figures, and its size can never go back: nothing is given to
 * copy until they are alike, or the tag that joins them is right.
 */
const ofUnlike = (recommendation: Recommendation, count: number, risk: Risk): Recommendation => ({
  ...recommendation,
  change: null,
  effect: { ...unknownEffect, throttledMinutesBefore: recommendation.effect.throttledMinutesBefore },
  ...{ sizedBy: null, headroomPercent: null, sizedFor: null },
  risks: [{ code: 'unlike-members', count }, risk],
  monthlyUsdDelta: null,
  steps: [],
});

/** Limits of all members together; they are throttled in the same minutes. */
function effectOnAll(effect: Recommendation['effect'], count: number): Recommendation['effect'] {
  const ofAll = (limit: Limit | null): Limit | null => limit && { ...limit, value: limit.value * count };
  return { ...effect, limitBefore: ofAll(effect.limitBefore), limitAfter: ofAll(effect.limitAfter) };
}

/** For every member in turn, at the price of all; where members are not alike there is nothing to do to all of them. */
export function recommendationForAll(recommendation: Recommendation, forAll: ForAll): Recommendation {
  const { stripe, risk } = forAll;
  const unlike = unlikeMembers(stripe);
  if (unlike.length > 0) return ofUnlike(recommendation, unlike.length, risk);
  const { monthlyUsdDelta: usd } = recommendation;
  return {
    ...recommendation,
    effect: effectOnAll(recommendation.effect, stripe.volumes.length),
    risks: [...recommendation.risks, risk],
    monthlyUsdDelta: usd === null ? null : roundUsd(usd * stripe.volumes.length),
    steps: recommendation.steps.flatMap((step) => stepForAll(step, forAll)),
  };
}

/**
 * Of volumes that some recommendation would change, those that are no part of a stripe or come with all of its members: for
 * recommendation on an instance that picks volumes one by one (lowering figures, moving to another EBS card).
 */
export function wholeStripesOnly(volumeIds: readonly string[], stripes: readonly Stripe[]): string[] {
  const chosen = new Set(volumeIds);
  const partly = new Set(stripes.map(idsOf).flatMap((ids) => (ids.every((id) => chosen.has(id)) ? [] : ids)));
  return volumeIds.filter((id) => !partly.has(id));
}
