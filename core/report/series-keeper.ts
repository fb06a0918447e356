/** The series of what was found or asked for, taken before what was seen of it is forgotten. Of all else nothing is kept. */
import { type EvaluatedGroup, ebsFiguresOfInstance } from '../audit/observed.ts';
import { withEbsWeighting } from '../catalog/instance-types.ts';
import type { RegionCatalogs } from '../catalog/region-catalog.ts';
import type { Finding, Recommendation } from '../schemas/finding.ts';
import { instanceTypeOf, layoutOf } from '../schemas/finding-kinds.ts';
import { limitsAsOne } from '../stripes/load-as-one.ts';
import { idsOf, type Stripe } from '../stripes/stripes.ts';
import {
  instanceSeries,
  type RecommendedLimits,
  type ResourceSeries,
  stripeSeries,
  volumeSeries,
} from './resource-series.ts';

/** What is recommended in place of each member, all together. */
function limitsOfLayout(first: Recommendation, replaced: number): RecommendedLimits | null {
  const layout = layoutOf(first);
  if (layout === null) return null;
  const times = layout.members * replaced;
  return { iops: layout.iops * times, mibps: layout.throughputMiBps * times };
}

function limitsOfInstance(
  first: Recommendation,
  region: string,
  regionCatalogs: RegionCatalogs,
): RecommendedLimits | null {
  const instanceType = instanceTypeOf(first);
  const type = instanceType === null ? undefined : regionCatalogs(region).instanceTypes.get(instanceType);
  if (type === undefined) return null;
  const isWeighted = first.change?.of === 'instance' && first.change.bandwidthWeighting === 'ebs-1';
  const { ebs } = isWeighted ? withEbsWeighting(type) : type;
  return ebs && { iops: ebs.baselineIops, mibps: ebs.baselineMiBps };
}

function recommendedOf(
  { recommendations, resource }: Finding,
  members: number,
  regionCatalogs: RegionCatalogs,
) {
  const [first] = recommendations;
  // Where a volume goes is known of all instances together: until then nobody knows what is recommended first.
  if (first === undefined || recommendations.some(({ action }) => action === 'move-volume')) return null;
  return resource.type === 'instance'
    ? limitsOfInstance(first, resource.region, regionCatalogs)
    : limitsOfLayout(first, members);
}

const ofVolume = (volumeId: string, { observed }: EvaluatedGroup): ResourceSeries | null => {
  const diagnosed = observed.diagnosisOf(volumeId);
  return diagnosed === undefined ? null : volumeSeries(diagnosed);
};

function ofStripe(stripe: Stripe, { observed }: EvaluatedGroup): ResourceSeries | null {
  const members = idsOf(stripe).flatMap((id) => observed.diagnosisOf(id) ?? []);
  if (members.length < stripe.volumes.length) return null;
  const limits = limitsAsOne(stripe);
  return stripeSeries(stripe.stripeId, members, limits.known ? limits.value : null);
}

function ofInstance(instanceId: string, { observed, regionCatalogs }: EvaluatedGroup): ResourceSeries | null {
  const evidence = observed.evidenceOf(instanceId);
  const instance = observed.instance(instanceId);
  if (evidence === null || evidence.epochSeconds.length === 0) return null;
  return instanceSeries(instanceId, evidence, instance && ebsFiguresOfInstance(instance, regionCatalogs));
}

function ofAny(id: string, group: EvaluatedGroup): ResourceSeries | null {
  const stripe = group.stripes.find(({ stripeId }) => stripeId === id);
  return stripe === undefined ? (ofVolume(id, group) ?? ofInstance(id, group)) : ofStripe(stripe, group);
}

/**
 * Hands on one series for each resource that has findings, as soon as its group is evaluated.
 * @param always resources whose series are handed on also where nothing was found on them; asked of each group.
 */
export const keepSeries =
  (keep: (series: ResourceSeries) => void, always: () => readonly string[] = () => []) =>
  (group: EvaluatedGroup): void => {
    const stripes = new Map(group.stripes.map((stripe) => [stripe.stripeId, stripe]));
    const made = new Map<string, ResourceSeries | null>();
    for (const finding of group.findings) {
      const id = finding.resource.id;
      if (!made.has(id)) made.set(id, ofAny(id, group));
      const members = stripes.get(id)?.volumes.length ?? 1;
      const recommended = recommendedOf(finding, members, group.regionCatalogs);
      const series = made.get(id);
      if (series && recommended !== null) series.recommended[finding.id] = recommended;
    }
    for (const id of always()) if (!made.has(id)) made.set(id, ofAny(id, group));
    for (const series of made.values()) if (series !== null) keep(series);
  };
