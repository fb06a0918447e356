/** The series of what was found or asked for, taken before what was seen of it is forgotten. Of all else nothing is kept. */
import type { JudgedGroup } from '../audit/judging.ts';
import { ebsFiguresOfInstance } from '../audit/observed.ts';
import type { Markets } from '../catalogue/market.ts';
import type { Finding, Recommendation } from '../schemas/finding.ts';
import { instanceTypeOf, layoutOf } from '../schemas/finding-kinds.ts';
import { limitsAsOne } from '../stripes/load-as-one.ts';
import { idsOf, type Stripe } from '../stripes/stripe.ts';
import {
  type AdvisedLimits,
  instanceSeries,
  type ResourceSeries,
  stripeSeries,
  volumeSeries,
} from './resource-series.ts';

/** What is advised in place of each member, all together. */
function limitsOfLayout(first: Recommendation, replaced: number): AdvisedLimits | null {
  const layout = layoutOf(first);
  if (layout === null) return null;
  const times = layout.members * replaced;
  return { iops: layout.iops * times, mibps: layout.throughputMiBps * times };
}

function limitsOfInstance(first: Recommendation, region: string, markets: Markets): AdvisedLimits | null {
  const instanceType = instanceTypeOf(first);
  const ebs = instanceType === null ? null : (markets(region).instanceTypes.get(instanceType)?.ebs ?? null);
  return ebs && { iops: ebs.baselineIops, mibps: ebs.baselineMiBps };
}

function advisedOf({ recommendations: [first], resource }: Finding, members: number, markets: Markets) {
  if (first === undefined) return null;
  return resource.type === 'instance'
    ? limitsOfInstance(first, resource.region, markets)
    : limitsOfLayout(first, members);
}

const ofVolume = (volumeId: string, { observed }: JudgedGroup): ResourceSeries | null => {
  const diagnosed = observed.diagnosisOf(volumeId);
  return diagnosed === undefined ? null : volumeSeries(diagnosed);
};

function ofStripe(stripe: Stripe, { observed }: JudgedGroup): ResourceSeries | null {
  const members = idsOf(stripe).flatMap((id) => observed.diagnosisOf(id) ?? []);
  if (members.length < stripe.volumes.length) return null;
  const limits = limitsAsOne(stripe);
  return stripeSeries(stripe.stripeId, members, limits.known ? limits.value : null);
}

function ofInstance(instanceId: string, { observed, markets }: JudgedGroup): ResourceSeries | null {
  const evidence = observed.evidenceOf(instanceId);
  const instance = observed.instance(instanceId);
  if (evidence === null || evidence.epochSeconds.length === 0) return null;
  return instanceSeries(instanceId, evidence, instance && ebsFiguresOfInstance(instance, markets));
}

function ofAny(id: string, group: JudgedGroup): ResourceSeries | null {
  const stripe = group.stripes.find(({ stripeId }) => stripeId === id);
  return stripe === undefined ? (ofVolume(id, group) ?? ofInstance(id, group)) : ofStripe(stripe, group);
}

/**
 * Hands on one series for each resource that has findings, as soon as its group is judged.
 * @param always resources whose series are handed on also where nothing was found on them; asked of each group.
 */
export const keepSeries =
  (keep: (series: ResourceSeries) => void, always: () => readonly string[] = () => []) =>
  (group: JudgedGroup): void => {
    const stripes = new Map(group.stripes.map((stripe) => [stripe.stripeId, stripe]));
    const made = new Map<string, ResourceSeries | null>();
    for (const finding of group.findings) {
      const id = finding.resource.id;
      if (!made.has(id)) made.set(id, ofAny(id, group));
      const members = stripes.get(id)?.volumes.length ?? 1;
      const advised = advisedOf(finding, members, group.markets);
      const series = made.get(id);
      if (series && advised !== null) series.advised[finding.id] = advised;
    }
    for (const id of always()) if (!made.has(id)) made.set(id, ofAny(id, group));
    for (const series of made.values()) if (series !== null) keep(series);
  };
