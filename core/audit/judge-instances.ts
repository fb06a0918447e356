/** The findings of all instances: what held back, by their own metrics; what is configured in vain, by the inventory. */
import { ebsCardAdvice } from '../advice/ebs-card-advice.ts';
import { type InstanceToAdvise, type InstanceWanted, instanceAdvice } from '../advice/instance-advice.ts';
import { loweringOf } from '../advice/lowering.ts';
import type { NeedOf } from '../advice/savings/observed-need.ts';
import { largerForAll, lowerAdvice } from '../advice/unreachable-advice.ts';
import type { InstanceType } from '../catalogue/instance-type.ts';
import type { Markets } from '../catalogue/market.ts';
import { narrowDemand } from '../demand/demand.ts';
import type { AuditWindow } from '../diagnosis/audit-window.ts';
import type { Draft } from '../diagnosis/draft.ts';
import { ebsCardImbalance } from '../diagnosis/ebs-cards.ts';
import { findingId, instanceResource } from '../diagnosis/finding-id.ts';
import { type InstanceFinding, judgeInstance } from '../diagnosis/judge-instance.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import { unreachablePerformance } from '../diagnosis/unreachable.ts';
import { attachedCount } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import type { FleetMetrics } from '../load/fleet-metrics.ts';
import {
  type Finding,
  type FindingDemand,
  type FindingKind,
  type Recommendation,
  volumeIdsOf,
} from '../schemas/finding.ts';
import type { InstanceReason } from '../schemas/unknown-reasons.ts';
import { wholeStripesOnly } from '../stripes/advice-for-all.ts';
import { idsOf, type Stripe } from '../stripes/stripe.ts';
import type { InstanceToJudge } from './instances-to-judge.ts';
import { ebsFiguresOfInstance, type Observed } from './observed.ts';
import { wantedOfInstance } from './wanted-of-instance.ts';

const heldBackKinds: readonly FindingKind[] = [
  'throttled-volume-iops',
  'throttled-volume-throughput',
  'micro-burst',
];

/** Volumes that their own limit held back: nobody should be told to lower them. */
const heldBackIds = (ofVolumes: readonly Finding[]): ReadonlySet<string> =>
  new Set(ofVolumes.flatMap((finding) => (heldBackKinds.includes(finding.kind) ? volumeIdsOf(finding) : [])));

/** What judging an instance takes besides itself. */
export interface InstanceContext {
  metrics: FleetMetrics;
  observed: Observed;
  markets: Markets;
  needOf: NeedOf;
  window: AuditWindow;
  thresholds: Thresholds;
}

/** What its volumes were served together, and what they wanted at most, each within its own limits. */
function demandOf({ limit, evidence }: InstanceFinding, wanted: InstanceWanted | null): FindingDemand | null {
  if (limit === null) return null;
  const isIops = limit.unit === 'IOPS';
  const atLeast = isIops ? evidence.topIopsOfAllVolumes : evidence.topMiBpsOfAllVolumes;
  const most = wanted === null ? null : isIops ? wanted.most.rates.iops : wanted.most.rates.throughputMiBps;
  const atMost = most !== null && most >= (atLeast ?? 0) ? most : null;
  const known = atLeast !== null && atMost !== null && atMost <= narrowDemand * atLeast;
  return { known, atLeast, likely: null, atMost, unit: limit.unit };
}

/** Did an instance hold its volumes back? After its volumes were diagnosed: they show whether they waited for it. */
export function judgeInstanceOf(
  entry: InstanceToJudge,
  context: InstanceContext,
): Known<Finding[], InstanceReason> {
  const { instance, volumes } = entry;
  const { metrics, observed, markets, needOf, window, thresholds } = context;
  const unusable = metrics.unusableBecause(instance.instanceId);
  if (unusable !== null) return unknown(unusable);
  const volumeIds = volumes.map(({ volumeId }) => volumeId);
  const evidence = observed.evidenceOf(instance.instanceId);
  const figures = ebsFiguresOfInstance(instance, markets);
  const found = judgeInstance(instance, evidence, figures, volumeIds, window, thresholds);
  if (!found.known) return found;
  if (evidence === null) return known([]);
  const market = markets(instance.region);
  return known(
    found.value.map((finding) => {
      const heldBack = finding.evidence.heldBackMinutesInWindow;
      const wanted = wantedOfInstance(entry, evidence, heldBack, observed, thresholds);
      const to = { instance, volumes, market, needOf, wanted, thresholds };
      return {
        ...finding,
        demand: demandOf(finding, wanted),
        recommendations: instanceAdvice(finding.kind, to, finding.limit),
      };
    }),
  );
}

interface AdvisedDraft {
  draft: Draft;
  recommendations: Recommendation[];
}

/** What its volumes have that it cannot reach. With findings of its own, a larger instance is named there already. */
function unreachableOf(
  to: InstanceToAdvise,
  type: InstanceType,
  heldBack: ReadonlySet<string>,
  isNamed: boolean,
  stripes: readonly Stripe[],
): AdvisedDraft[] {
  const { instance, volumes, market, needOf, thresholds } = to;
  const { ebs } = market.prices;
  const found = unreachablePerformance(instance, type, volumes, ebs, heldBack, thresholds);
  if (found === null || !ebs.known) return [];
  const ids = found.lowerable.map(({ volume }) => volume.volumeId);
  const whole = new Set(wholeStripesOnly(ids, stripes));
  const lowerable = found.lowerable.filter(({ volume }) => whole.has(volume.volumeId));
  const lowering = loweringOf({ ...found, lowerable }, needOf, ebs.value);
  const { savedUsd, lowered, isSure } = lowering;
  const evidence = {
    ...found.draft.evidence,
    advisedSavingMonthlyUsd: lowered.length === 0 ? null : savedUsd,
    volumesToLower: lowered.map(({ volume }) => volume.volumeId),
  };
  const severity = isSure && savedUsd >= thresholds.unreachableWarningUsd ? 'warning' : 'info';
  const recommendations = [
    lowerAdvice(lowering, thresholds),
    ...(isNamed ? [] : largerForAll(found, instance, type, attachedCount(instance, volumes), market)),
  ];
  return [{ draft: { ...found.draft, severity, evidence }, recommendations }];
}

/** By the type's limits, the volumes' figures and the prices: it needs no metrics of the instance. */
function configurationOfOne(
  to: InstanceToAdvise,
  heldBack: ReadonlySet<string>,
  isNamed: boolean,
  stripes: readonly Stripe[],
): Finding[] {
  const { instance, volumes, market } = to;
  const { instanceType } = instance;
  const type = instanceType === null ? undefined : market.instanceTypes.get(instanceType);
  if (type === undefined) return [];
  const imbalance = ebsCardImbalance(instance, type, volumes);
  const resource = instanceResource(instance);
  return [
    ...unreachableOf(to, type, heldBack, isNamed, stripes),
    ...(imbalance === null
      ? []
      : [{ draft: imbalance.draft, recommendations: ebsCardAdvice(imbalance, instance) }]),
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
 * @param heldBack instances that held their volumes back: for them a larger type is named already.
 */
export function configurationFindings(
  toJudge: readonly InstanceToJudge[],
  heldBack: ReadonlySet<string>,
  { findings, stripes, needOf }: OfVolumes,
  { markets, thresholds }: Pick<InstanceContext, 'markets' | 'thresholds'>,
): Finding[] {
  const atTheirLimit = heldBackIds(findings);
  return toJudge.flatMap(({ instance, volumes }) => {
    const own = stripes.filter(({ instanceId }) => instanceId === instance.instanceId);
    const to = {
      instance,
      volumes,
      market: markets(instance.region),
      needOf: needOfStripes(needOf, own),
      wanted: null,
      thresholds,
    };
    return configurationOfOne(to, atTheirLimit, heldBack.has(instance.instanceId), own);
  });
}
