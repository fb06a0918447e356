/** One volume: evaluated, or unknown with the reason. */

import type { RegionCatalogs } from '../catalog/region-catalog.ts';
import { demandOf } from '../demand/demand.ts';
import { type Attribution, attribute } from '../diagnosis/attribute.ts';
import { causeCode, causes } from '../diagnosis/causes.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import { type Draft, findingId, volumeResource } from '../diagnosis/draft.ts';
import { firstReads } from '../diagnosis/first-reads.ts';
import { type InstanceOnAxis, instanceOnAxis } from '../diagnosis/instance-on-axis.ts';
import { topShareOfLimit } from '../diagnosis/limits-in-force.ts';
import { type AuditWindow, isEnoughKnown, secondsOf, type Thresholds } from '../diagnosis/thresholds.ts';
import { evidenceOver, peakDayMinutes } from '../diagnosis/throttled.ts';
import { idleFinding, loadFindings, unattachedFinding } from '../diagnosis/volume-findings.ts';
import { configurationOf, type Volume } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { summaryOf } from '../load/load-summary.ts';
import { entriesAt, minimum } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { knownMonthlyUsd, roundedUsd } from '../prices/prices.ts';
import { type LatencyInput, latencyOptions } from '../recommendations/latency-recommendation.ts';
import type { Demand, RecommendationInput } from '../recommendations/recommendation.ts';
import {
  noSavings,
  observedNeed,
  type Saving,
  type SavingsAndSchedule,
  type VolumeNeed,
} from '../recommendations/savings.ts';
import { topRecommendation } from '../recommendations/top-recommendation.ts';
import { missingForSchedule, type VolumeEvaluation } from '../schemas/audit-result.ts';
import { type Finding, type FindingDemand, isSaving, withEvidence } from '../schemas/finding.ts';
import type { NotRecommended } from '../schemas/recommendation.ts';
import type { ConfigurationReason, VolumeReason } from '../schemas/unknown-reasons.ts';
import { secondsPerMinute } from '../units.ts';
import { clearedFigures, type Evaluating, type EvaluationContext } from './observed.ts';
import { freeAttachments, likelySavings, savingsOf } from './savings-of-volume.ts';
import { VolumeReplay } from './volume-replay.ts';

// From a volume's load to its diagnosis, period by period.

/** What each of its instances throttled, on the axis of its load; a Multi-Attach volume has several. */
const instancesOf = (
  { attachments }: Volume,
  { observed }: EvaluationContext,
  load: VolumeLoad,
): InstanceOnAxis[] =>
  attachments.flatMap(({ instanceId }) => {
    const evidence = observed.evidenceOf(instanceId);
    return evidence === null ? [] : [instanceOnAxis(evidence, load)];
  });

function diagnose(
  { volume, limits }: Evaluating,
  load: VolumeLoad,
  context: EvaluationContext,
): DiagnosedVolume {
  const { thresholds } = context;
  const metrics = context.metrics.of(volume.volumeId);
  const attribution = attribute(limits, load, metrics, instancesOf(volume, context, load), thresholds);
  const diagnosed = { volume, limits, load, attribution, demand: demandOf(load, attribution, thresholds) };
  context.observed.note(diagnosed);
  context.onDiagnosed(diagnosed, metrics);
  return diagnosed;
}

// What is said of each volume, with trouble or without.

type LoadFigures = Pick<
  VolumeEvaluation,
  | 'knownMinutes'
  | 'topAverageIops'
  | 'activeTimeIopsInTopPeriod'
  | 'topActiveTimeIops'
  | 'activePeriods'
  | 'periodsBusyOverTwiceAverage'
>;

function loadFigures(load: VolumeLoad | null): LoadFigures {
  if (load === null) {
    return {
      knownMinutes: 0,
      topAverageIops: null,
      activeTimeIopsInTopPeriod: null,
      topActiveTimeIops: null,
      activePeriods: 0,
      periodsBusyOverTwiceAverage: null,
    };
  }
  const { topPeriod, topActiveTimeIops, activeTimeIopsInTopPeriod, activePeriods, ...summary } =
    summaryOf(load);
  return {
    knownMinutes: load.knownSeconds / secondsPerMinute,
    topAverageIops: load.iops[topPeriod] ?? null,
    ...{ activeTimeIopsInTopPeriod, topActiveTimeIops, activePeriods },
    periodsBusyOverTwiceAverage: summary.periodsBusyOverTwiceAverage,
  };
}

/** A volume before it is evaluated: what it is and what is known of its load. */
function describedVolume(
  volume: Volume,
  load: VolumeLoad | null,
  window: AuditWindow | null,
  repeatedPoints: number,
): VolumeEvaluation {
  const figures = loadFigures(load);
  const windowMinutes = window === null ? 0 : secondsOf(window) / secondsPerMinute;
  return {
    volumeId: volume.volumeId,
    name: volume.name,
    ...(volume.kubernetes === undefined ? {} : { kubernetes: volume.kubernetes }),
    region: volume.region,
    volumeType: volume.volumeType,
    sizeGiB: volume.sizeGiB,
    limits: null,
    status: 'healthy',
    reason: null,
    evaluatedBy: null,
    ...figures,
    unknownMinutes: Math.max(0, windowMinutes - figures.knownMinutes),
    repeatedPoints,
    topShareOfLimit: null,
    monthlyUsd: null,
    lowestBalancePercent: null,
    balanceModelled: false,
    throttledMinutesPeak24h: null,
    throttledMinutesByCause: {},
    findings: [],
    instanceFindings: [],
  };
}

/** The part of its limits that a reader of the evaluation needs. */
export const limitFigures = (limits: VolumeLimits): VolumeEvaluation['limits'] => {
  const { baselineIops, burstIops, baselineMiBps, burstMiBps, bucket } = limits;
  return { baselineIops, burstIops, baselineMiBps, burstMiBps, bucket };
};

function minutesByCause({ cause, throttledMinutes, throttledAt }: Attribution): Record<string, number> {
  if (throttledAt.length === 0) return {};
  const minutes = causes.map(() => 0);
  for (const i of throttledAt) {
    const code = cause[i] as number;
    minutes[code] = (minutes[code] as number) + (throttledMinutes[i] as number);
  }
  return Object.fromEntries(
    causes.map((name, code) => [name, minutes[code] as number]).filter(([, held]) => held !== 0),
  );
}

const notThrottled: readonly number[] = [causeCode.none, causeCode.stalled, causeCode.unknown];

function throttledMinutesPeak24h({ attribution, load }: DiagnosedVolume): number {
  const { cause, throttledMinutes, throttledAt } = attribution;
  const at = throttledAt.filter((i) => !notThrottled.includes(cause[i] as number));
  return peakDayMinutes(entriesAt(load.epochSeconds, at), entriesAt(throttledMinutes, at));
}

/** What the diagnosis adds to it. */
function diagnosedFigures(
  diagnosed: DiagnosedVolume,
): Pick<
  VolumeEvaluation,
  | 'evaluatedBy'
  | 'topShareOfLimit'
  | 'lowestBalancePercent'
  | 'balanceModelled'
  | 'throttledMinutesPeak24h'
  | 'throttledMinutesByCause'
> {
  const { balance } = diagnosed.attribution;
  return {
    evaluatedBy: 'fine',
    topShareOfLimit: topShareOfLimit(diagnosed),
    lowestBalancePercent: balance === null ? null : minimum(balance.percent),
    balanceModelled: balance?.source === 'modelled',
    throttledMinutesPeak24h: throttledMinutesPeak24h(diagnosed),
    throttledMinutesByCause: minutesByCause(diagnosed.attribution),
  };
}

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

const ifTrue = (mayCostLess: boolean): Pick<VolumeEvaluation, 'mayCostLess'> =>
  mayCostLess ? { mayCostLess } : {};

/** Of all reasons for no schedule those that somebody can do something about. */
function missingOfSchedule({
  notScheduled,
}: SavingsAndSchedule): Pick<VolumeEvaluation, 'missingForSchedule'> {
  const missing = missingForSchedule.find((code) => code === notScheduled?.code);
  return missing === undefined ? {} : { missingForSchedule: missing };
}

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
  const diagnosedAs = diagnosedFigures(diagnosed);
  const slowReads = firstReads(evaluated, volume, context.metrics.of(volume.volumeId));
  const drafts = [...loadFindings(evaluated), ...(slowReads === null ? [] : [slowReads])];
  const isDraining = drafts.some(({ kind }) => kind === 'credits-will-exhaust');
  const replay = new VolumeReplay(diagnosed, context);
  const throttledMinutes = sumOf(Object.values(diagnosedAs.throttledMinutesByCause));
  const { need, least } = observedNeed(load, config.volumeType, window, throttledMinutes, thresholds);
  // A volume that nobody uses is to be removed, not to be made cheaper.
  const isToSave = idle === null && !context.isRecorded;
  const seen = { need, figures: diagnosedAs, replay };
  const mayCostLess =
    isToSave && likelySavings(evaluating, seen, context).some((saving) => !isSaid(saving, drafts));
  const found = isToSave ? savingsOf(evaluating, seen, context) : noSavings;
  return {
    demand: throttledMinutes === 0 && !isDraining ? null : replay.demandOf(throttledMinutes),
    drafts: [...drafts, ...(idle === null ? [] : [idle])],
    figures: { ...diagnosedAs, ...ifTrue(mayCostLess), ...missingOfSchedule(found) },
    savings: found.savings
      .filter((saving) => !isSaid(saving, drafts))
      .map((saving) => seenOver(saving, load)),
    need: {
      rates: least,
      confidence: need.known ? need.value.confidence : null,
    },
  };
}

/** What the findings of a volume are recommended from, besides what it is. */
type Basis = Pick<RecommendationInput, 'demand' | 'freeAttachments'> &
  Pick<LatencyInput, 'needed' | 'isNitro'>;

const noBasis: Basis = { demand: null, freeAttachments: null, needed: null, isNitro: null };

/** Null where its instance or the type of that is not known. */
function isOnNitro({ attachments: [first], region }: Volume, context: EvaluationContext): boolean | null {
  const type = context.instances.get(first?.instanceId ?? '')?.instanceType ?? null;
  return type === null ? null : (context.regionCatalogs(region).instanceTypes.get(type)?.nitro ?? null);
}

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
    if (draft.kind === 'latency-above-target') {
      const { evidence } = draft;
      const { recommendations, ...reason } = latencyOptions({
        ...{ ...evaluating, ...basis, evidence, headroomShare: thresholds.savingHeadroom },
      });
      return { draft: withEvidence(draft, reason), recommendations };
    }
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
  const { prices } = regionCatalogs(volume.region);
  const exact = knownMonthlyUsd(configured.value.config, prices);
  const usd = exact.known ? known(roundedUsd(exact.value).total) : exact;
  return known({ volume, ...configured.value, prices: prices.ebs, usd });
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
    const { savings } = savingsOf(evaluating.value, seen, context);
    return evaluatedAs(findingsOf(evaluating.value, [], thresholds, noBasis, savings), {
      ...figures,
      ...ifTrue(likelySavings(evaluating.value, seen, context).length > 0),
    });
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
  const basis: Basis = {
    ...{ demand, freeAttachments: freeAttachments(volume, context) },
    ...{ needed: need.confidence === null ? null : need.rates, isNitro: isOnNitro(volume, context) },
  };
  return evaluatedAs(findingsOf(evaluating.value, drafts, thresholds, basis, savings), figures, need);
}
