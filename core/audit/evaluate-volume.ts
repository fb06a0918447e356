/** One volume: evaluated, or unknown with the reason. */

import type { RegionCatalogs } from '../catalog/region-catalog.ts';
import { type AuditWindow, isEnoughKnown, secondsOf } from '../diagnosis/audit-window.ts';
import type { Draft } from '../diagnosis/draft.ts';
import { findingId, volumeResource } from '../diagnosis/finding-id.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import { evidenceOver } from '../diagnosis/throttled.ts';
import { idleFinding, unattachedFinding } from '../diagnosis/unused.ts';
import { loadFindings } from '../diagnosis/volume-findings.ts';
import type { Volume } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import type { ConfigurationReason } from '../limits/configuration-reason.ts';
import { configurationOf } from '../limits/volume-configuration.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { monthlyUsd } from '../prices/volume-price.ts';
import type { RecommendationInput } from '../recommendations/recommendation-input.ts';
import { observedNeed, type VolumeNeed } from '../recommendations/savings/observed-need.ts';
import type { Saving } from '../recommendations/savings/volume-savings.ts';
import type { Demand } from '../recommendations/throttled/demand.ts';
import { topRecommendation } from '../recommendations/top-recommendation.ts';
import type { VolumeEvaluation } from '../schemas/audit-result.ts';
import { type Finding, type FindingDemand, isSaving, withEvidence } from '../schemas/finding.ts';
import type { NotRecommended } from '../schemas/recommendation.ts';
import type { VolumeReason } from '../schemas/unknown-reasons.ts';
import { clearedFigures } from './cleared.ts';
import { diagnose } from './diagnose.ts';
import type { Evaluating, EvaluationContext } from './evaluating.ts';
import { freeAttachments, savingsOf } from './savings-of-volume.ts';
import { describedVolume, diagnosedFigures, limitFigures } from './volume-evaluation.ts';
import { VolumeReplay } from './volume-replay.ts';

export interface EvaluatedVolume {
  evaluation: VolumeEvaluation;
  findings: Finding[];
  /** True where there is nothing to read, so that no reading could have told more: its instance is stopped. */
  nothingToRead: boolean;
  /** Null where its load shows nothing. */
  need: VolumeNeed | null;
}

function stoppedInstances(volume: Volume, instances: EvaluationContext['instances']): string[] {
  const described = volume.attachments.map(({ instanceId }) => instances.get(instanceId));
  const stopped = described.filter((instance) => instance?.state === 'stopped');
  return stopped.length === described.length ? stopped.map((instance) => instance?.instanceId ?? '') : [];
}

/** Who is throttled is recommended what helps, another type included, with the price: as fast as today is not what it needs. */
const isSaid = ({ draft }: Saving, drafts: readonly Draft[]): boolean =>
  draft.kind === 'cheaper-type' &&
  draft.evidence.recommendedVolumeType === 'gp3' &&
  drafts.some(({ kind }) => kind.startsWith('credits-') || kind.startsWith('throttled-volume-'));

/** A saving that rests on the load says on how much of it. */
const seenOver = ({ draft, ...rest }: Saving, load: VolumeLoad): Saving =>
  draft.evidence.loadNotUsedReason === null
    ? { ...rest, draft: { ...draft, ...evidenceOver(load, load.knownSeconds) } }
    : { ...rest, draft };

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Drafts of an attached volume from its load, with what the attribution showed. */
function evaluateLoad(
  evaluating: Evaluating,
  load: VolumeLoad,
  window: AuditWindow,
  context: EvaluationContext,
) {
  const { volume, config, limits, usd } = evaluating;
  const diagnosed = diagnose(evaluating, load, context);
  const { attribution, demand } = diagnosed;
  const { thresholds } = context;
  const { endEpochSeconds: windowEndEpochSeconds } = window;
  const evaluated = { limits, load, attribution, demand, windowEndEpochSeconds, thresholds };
  const idle = idleFinding(load, secondsOf(window), { usd, deployment: volume.deployment }, thresholds);
  const figures = diagnosedFigures(diagnosed);
  const drafts = loadFindings(evaluated);
  const isDraining = drafts.some(({ kind }) => kind === 'credits-will-exhaust');
  const replay = new VolumeReplay(diagnosed, context);
  const throttledMinutes = sumOf(Object.values(figures.throttledMinutesByCause));
  const { need, least } = observedNeed(load, config.volumeType, window, throttledMinutes, thresholds);
  return {
    demand: throttledMinutes === 0 && !isDraining ? null : replay.demandOf(throttledMinutes),
    drafts: [...drafts, ...(idle === null ? [] : [idle])],
    figures,
    // A volume that nobody uses is to be removed, not to be made cheaper.
    savings:
      idle === null && !context.isRecorded
        ? savingsOf(evaluating, { need, figures, replay }, context)
            .filter((saving) => !isSaid(saving, drafts))
            .map((saving) => seenOver(saving, load))
        : [],
    need: {
      rates: least,
      confidence: need.known ? need.value.confidence : null,
    },
  };
}

/** What the findings of a volume are recommended from, besides what it is. */
type Basis = Pick<RecommendationInput, 'demand' | 'freeAttachments'>;

const noBasis: Basis = { demand: null, freeAttachments: null };

/** What is likely, where its demand is bounded. */
function withLikely(demand: FindingDemand, replayed: Demand | null): FindingDemand {
  const { atLeast, atMost, unit } = demand;
  if (replayed === null || atLeast === null || atMost === null) return demand;
  const { iops, throughputMiBps } = replayed.likelyRates;
  const likely = unit === 'IOPS' ? iops : throughputMiBps;
  return { ...demand, likely: Math.min(atMost, Math.max(atLeast, likely)) };
}

/** What was tried and does not help. */
function withNotRecommended(draft: Draft, notRecommended: NotRecommended[]): Draft {
  if (notRecommended.length === 0) return draft;
  switch (draft.kind) {
    case 'throttled-volume-iops':
    case 'throttled-volume-throughput':
    case 'credits-exhausted':
    case 'credits-will-exhaust':
    case 'micro-burst':
      return withEvidence(draft, { notRecommended });
    default:
      return draft;
  }
}

function findingsOf(
  evaluating: Evaluating,
  drafts: readonly Draft[],
  thresholds: Thresholds,
  basis: Basis = noBasis,
  savings: readonly Saving[] = [],
): Finding[] {
  const resource = volumeResource(evaluating.volume);
  const recommended = drafts.map((draft) => {
    const { recommendations, notRecommended } = topRecommendation(
      { ...evaluating, ...basis, draft, siblings: drafts },
      thresholds,
    );
    const demand = draft.demand && withLikely(draft.demand, basis.demand);
    return { draft: { ...withNotRecommended(draft, notRecommended), demand }, recommendations };
  });
  return [...recommended, ...savings].map(({ draft, recommendations }) => ({
    id: findingId(draft.kind, resource),
    resource,
    ...draft,
    recommendations,
  }));
}

function evaluationOf(
  volume: Volume,
  regionCatalogs: RegionCatalogs,
): Known<Evaluating, ConfigurationReason> {
  const configured = configurationOf(volume);
  if (!configured.known) return configured;
  const prices = regionCatalogs(volume.region).prices.ebs;
  const usd = prices.known ? known(monthlyUsd(configured.value.config, prices.value).total) : prices;
  return known({ volume, ...configured.value, prices, usd });
}

/** Evaluates one volume on its own metrics and those of its instances. */
export function evaluateVolume(volume: Volume, context: EvaluationContext): EvaluatedVolume {
  const { metrics, windowOf, thresholds } = context;
  const { volumeId } = volume;
  const load = context.observed.loadOf(volumeId);
  const window = windowOf(volumeId);
  const evaluating = evaluationOf(volume, context.regionCatalogs);
  const described = describedVolume(
    volume,
    load.known ? load.value : null,
    window,
    metrics.repeatedPoints(volumeId),
  );
  if (evaluating.known) {
    const { limits, usd } = evaluating.value;
    described.limits = limitFigures(limits);
    described.monthlyUsd = usd.known ? usd.value : null;
  }
  const unknownReason = (reason: VolumeReason, nothingToRead = false): EvaluatedVolume => ({
    evaluation: { ...described, status: 'unknown', reason },
    findings: [],
    nothingToRead,
    need: null,
  });
  const evaluatedAs = (
    findings: Finding[],
    figures: Partial<VolumeEvaluation>,
    need: VolumeNeed | null = null,
  ): EvaluatedVolume => ({
    evaluation: {
      ...described,
      ...figures,
      // What could cost less is no trouble.
      status: findings.every(isSaving) ? 'healthy' : 'finding',
      findings: findings.map(({ id }) => id),
    },
    findings,
    nothingToRead: false,
    need,
  });
  if (volume.state !== 'in-use' && volume.state !== 'available') {
    return unknownReason({ code: 'volume-state', state: volume.state });
  }
  if (!evaluating.known) return unknownReason(evaluating.reason);
  if (volume.state === 'available') {
    const price = { usd: evaluating.value.usd, deployment: volume.deployment };
    return evaluatedAs(findingsOf(evaluating.value, [unattachedFinding(price, thresholds)], thresholds), {});
  }
  const unusable = metrics.unusableReason(volumeId);
  if (unusable !== null) return unknownReason(unusable);
  const cleared = context.cleared?.volumes.get(volumeId);
  if (cleared !== undefined && window !== null) {
    const figures = clearedFigures(cleared, window);
    // The few metrics of the first pass showed no trouble: its load was not read.
    const seen = { need: unknown({ code: 'not-read' as const }), figures: described, replay: null };
    const savings = savingsOf(evaluating.value, seen, context);
    return evaluatedAs(findingsOf(evaluating.value, [], thresholds, noBasis, savings), figures);
  }
  const [stopped] = stoppedInstances(volume, context.instances);
  if (!load.known && stopped !== undefined) {
    const asked = context.cleared?.silentIds.has(volumeId) ? 'queue-length' : 'operations';
    return unknownReason({ code: 'instance-stopped', instanceId: stopped, asked }, true);
  }
  if (!load.known || window === null) return unknownReason(load.known ? { code: 'no-window' } : load.reason);
  const { drafts, figures, savings, need, demand } = evaluateLoad(
    evaluating.value,
    load.value,
    window,
    context,
  );
  if (drafts.length === 0 && !isEnoughKnown(load.value.knownSeconds, window)) {
    const { knownMinutes, unknownMinutes } = described;
    described.topShareOfLimit = figures.topShareOfLimit;
    const windowMinutes = knownMinutes + unknownMinutes;
    return unknownReason({ code: 'too-few-minutes', knownMinutes, windowMinutes });
  }
  const basis = { demand, freeAttachments: freeAttachments(volume, context) };
  return evaluatedAs(findingsOf(evaluating.value, drafts, thresholds, basis, savings), figures, need);
}
