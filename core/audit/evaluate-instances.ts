/** The findings of all instances: what throttled, by their own metrics; what is configured in vain, by the inventory. */
import type { InstanceType } from '../catalog/instance-types.ts';
import type { RegionCatalogs } from '../catalog/region-catalog.ts';
import { narrowHigh } from '../demand/demand.ts';
import { type Draft, findingId, instanceResource } from '../diagnosis/draft.ts';
import { evaluateInstance, type InstanceFinding } from '../diagnosis/evaluate-instance.ts';
import type { AuditWindow, Thresholds } from '../diagnosis/thresholds.ts';
import { ebsCardImbalance, unreachablePerformance } from '../diagnosis/unreachable.ts';
import { attachedCount } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import type { FleetMetrics } from '../load/metrics.ts';
import type { InstanceDemand, InstanceToRecommendFor } from '../recommendations/instance-demand.ts';
import { instanceRecommendation } from '../recommendations/instance-recommendation.ts';
import type { NeedOf } from '../recommendations/savings.ts';
import {
  ebsCardRecommendation,
  largerForAll,
  loweringOf,
  lowerRecommendation,
} from '../recommendations/unreachable-recommendation.ts';
import {
  type Finding,
  type FindingDemand,
  type FindingKind,
  type Recommendation,
  volumeIdsOf,
} from '../schemas/finding.ts';
import type { InstanceReason } from '../schemas/unknown-reasons.ts';
import { wholeStripesOnly } from '../stripes/findings-as-one.ts';
import { idsOf, type Stripe } from '../stripes/stripes.ts';
import { demandOfInstance } from './instance-demand.ts';
import { ebsFiguresOfInstance, type InstanceToEvaluate, type Observed } from './observed.ts';

const throttlingKinds: readonly FindingKind[] = [
  'throttled-volume-iops',
  'throttled-volume-throughput',
  'micro-burst',
];

/** Volumes that their own limit throttled: nobody should be told to lower them. */
const throttledIds = (ofVolumes: readonly Finding[]): ReadonlySet<string> =>
  new Set(
    ofVolumes.flatMap((finding) => (throttlingKinds.includes(finding.kind) ? volumeIdsOf(finding) : [])),
  );

/** What evaluating an instance takes besides itself. */
export interface InstanceContext {
  metrics: FleetMetrics;
  observed: Observed;
  regionCatalogs: RegionCatalogs;
  needOf: NeedOf;
  window: AuditWindow;
  thresholds: Thresholds;
}

/** What its volumes were served together, and their demand at most, each within its own limits. */
function demandOf({ limit, evidence }: InstanceFinding, demand: InstanceDemand | null): FindingDemand | null {
  if (limit === null) return null;
  const isIops = limit.unit === 'IOPS';
  const atLeast = isIops ? evidence.topIopsOfAllVolumes : evidence.topMiBpsOfAllVolumes;
  const most = demand === null ? null : isIops ? demand.most.rates.iops : demand.most.rates.throughputMiBps;
  const atMost = narrowHigh(atLeast ?? Number.NaN, most ?? Number.NaN);
  const known = !Number.isNaN(atMost);
  return { known, atLeast, likely: null, atMost: known ? atMost : null, unit: limit.unit };
}

/** Did an instance throttle its volumes? After its volumes were diagnosed: they show whether they waited for it. */
export function evaluateInstanceOf(
  entry: InstanceToEvaluate,
  context: InstanceContext,
): Known<Finding[], InstanceReason> {
  const { instance, volumes } = entry;
  const { metrics, observed, regionCatalogs, needOf, window, thresholds } = context;
  const unusable = metrics.unusableReason(instance.instanceId);
  if (unusable !== null) return unknown(unusable);
  const volumeIds = volumes.map(({ volumeId }) => volumeId);
  const evidence = observed.evidenceOf(instance.instanceId);
  const figures = ebsFiguresOfInstance(instance, regionCatalogs);
  const found = evaluateInstance(instance, evidence, figures, volumeIds, window, thresholds);
  if (!found.known) return found;
  if (evidence === null) return known([]);
  const regionCatalog = regionCatalogs(instance.region);
  return known(
    found.value.map((finding) => {
      const throttled = finding.evidence.throttledMinutesInWindow;
      const demand = demandOfInstance(entry, evidence, throttled, observed, thresholds);
      const to = { instance, volumes, regionCatalog, needOf, demand, thresholds };
      return {
        ...finding,
        demand: demandOf(finding, demand),
        recommendations: instanceRecommendation(finding.kind, to, finding.limit),
      };
    }),
  );
}

interface RecommendedDraft {
  draft: Draft;
  recommendations: Recommendation[];
}

/** What its volumes have that it cannot reach. With findings of its own, a larger instance is named there already. */
function unreachableOf(
  to: InstanceToRecommendFor,
  type: InstanceType,
  throttled: ReadonlySet<string>,
  isNamed: boolean,
  stripes: readonly Stripe[],
): RecommendedDraft[] {
  const { instance, volumes, regionCatalog, needOf, thresholds } = to;
  const { ebs } = regionCatalog.prices;
  const found = unreachablePerformance(instance, type, volumes, ebs, throttled, thresholds);
  if (found === null || !ebs.known) return [];
  const ids = found.lowerable.map(({ volume }) => volume.volumeId);
  const whole = new Set(wholeStripesOnly(ids, stripes));
  const lowerable = found.lowerable.filter(({ volume }) => whole.has(volume.volumeId));
  const lowering = loweringOf({ ...found, lowerable }, needOf, ebs.value);
  const { savedUsd, lowered, isSure } = lowering;
  const evidence = {
    ...found.draft.evidence,
    recommendedSavingMonthlyUsd: lowered.length === 0 ? null : savedUsd,
    volumesToLower: lowered.map(({ volume }) => volume.volumeId),
  };
  const severity = isSure && savedUsd >= thresholds.unreachableWarningUsd ? 'warning' : 'info';
  const recommendations = [
    lowerRecommendation(lowering, thresholds),
    ...(isNamed ? [] : largerForAll(found, instance, type, attachedCount(instance, volumes), regionCatalog)),
  ];
  return [{ draft: { ...found.draft, severity, evidence }, recommendations }];
}

/** By the type's limits, the volumes' figures and the prices: it needs no metrics of the instance. */
function configurationOfOne(
  to: InstanceToRecommendFor,
  throttled: ReadonlySet<string>,
  isNamed: boolean,
  stripes: readonly Stripe[],
): Finding[] {
  const { instance, volumes, regionCatalog } = to;
  const { instanceType } = instance;
  const type = instanceType === null ? undefined : regionCatalog.instanceTypes.get(instanceType);
  if (type === undefined) return [];
  const imbalance = ebsCardImbalance(instance, type, volumes);
  const resource = instanceResource(instance);
  return [
    ...unreachableOf(to, type, throttled, isNamed, stripes),
    ...(imbalance === null
      ? []
      : [{ draft: imbalance.draft, recommendations: ebsCardRecommendation(imbalance, instance) }]),
  ].map(({ draft, recommendations }) => ({
    ...{ id: findingId(draft.kind, resource), resource },
    ...draft,
    recommendations,
  }));
}

/** All members of a stripe need what the neediest does: none is changed unlike the others. */
function needOfStripes(needOf: NeedOf, stripes: readonly Stripe[]): NeedOf {
  const stripeOf = new Map(stripes.flatMap((stripe) => idsOf(stripe).map((id) => [id, stripe] as const)));
  return (volumeId) => {
    const stripe = stripeOf.get(volumeId);
    if (stripe === undefined) return needOf(volumeId);
    const needs = idsOf(stripe).map(needOf);
    return needs.reduce((most, need) => {
      if (most === null || need === null) return null;
      const iops = Math.max(most.rates.iops, need.rates.iops);
      const throughputMiBps = Math.max(most.rates.throughputMiBps, need.rates.throughputMiBps);
      const confidence = most.confidence === null ? null : need.confidence;
      return { rates: { iops, throughputMiBps }, confidence };
    });
  };
}

/** What the volumes showed. */
interface OfVolumes {
  findings: readonly Finding[];
  stripes: readonly Stripe[];
  needOf: NeedOf;
}

/**
 * What is configured in vain on any instance.
 * @param throttled instances that held their volumes back: for them a larger type is named already.
 */
export function configurationFindings(
  toEvaluate: readonly InstanceToEvaluate[],
  throttled: ReadonlySet<string>,
  { findings, stripes, needOf }: OfVolumes,
  { regionCatalogs, thresholds }: Pick<InstanceContext, 'regionCatalogs' | 'thresholds'>,
): Finding[] {
  const atTheirLimit = throttledIds(findings);
  return toEvaluate.flatMap(({ instance, volumes }) => {
    const own = stripes.filter(({ instanceId }) => instanceId === instance.instanceId);
    const to = {
      instance,
      volumes,
      regionCatalog: regionCatalogs(instance.region),
      needOf: needOfStripes(needOf, own),
      demand: null,
      thresholds,
    };
    return configurationOfOne(to, atTheirLimit, throttled.has(instance.instanceId), own);
  });
}
