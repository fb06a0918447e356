/** One volume: judged, or unknown with the reason. */
import type { AdviceInput } from '../advice/advice-input.ts';
import { firstAdvice } from '../advice/first-advice.ts';
import type { Wanted } from '../advice/held-back/wanted.ts';
import { observedNeed, type VolumeNeed } from '../advice/savings/observed-need.ts';
import type { Saving } from '../advice/savings/volume-savings.ts';
import type { Markets } from '../catalogue/market.ts';
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
import type { VolumeVerdict } from '../schemas/audit-result.ts';
import { type Finding, type FindingDemand, isSaving, withEvidence } from '../schemas/finding.ts';
import type { NotAdvised } from '../schemas/recommendation.ts';
import type { VolumeReason } from '../schemas/unknown-reasons.ts';
import { clearedFigures } from './cleared.ts';
import { diagnose } from './diagnose.ts';
import type { JudgeContext, Judging } from './judging.ts';
import { freeAttachments, savingsOf } from './savings-of-volume.ts';
import { VolumeReplay } from './volume-replay.ts';
import { describedVolume, diagnosedFigures, limitFigures } from './volume-verdict.ts';

export interface JudgedVolume {
  evaluation: VolumeVerdict;
  findings: Finding[];
  /** True where there is nothing to read, so that no reading could have told more: its instance is stopped. */
  nothingToRead: boolean;
  /** Null where its load shows nothing. */
  need: VolumeNeed | null;
}

function stoppedInstances(volume: Volume, instances: JudgeContext['instances']): string[] {
  const described = volume.attachments.map(({ instanceId }) => instances.get(instanceId));
  const stopped = described.filter((instance) => instance?.state === 'stopped');
  return stopped.length === described.length ? stopped.map((instance) => instance?.instanceId ?? '') : [];
}

/** Who is held back is advised what helps, another type included, with the price: as fast as today is not what it needs. */
const isSaid = ({ draft }: Saving, drafts: readonly Draft[]): boolean =>
  draft.kind === 'cheaper-type' &&
  draft.evidence.advisedVolumeType === 'gp3' &&
  drafts.some(({ kind }) => kind.startsWith('credits-') || kind.startsWith('throttled-volume-'));

/** A saving that rests on the load says on how much of it. */
const seenOver = ({ draft, ...rest }: Saving, load: VolumeLoad): Saving =>
  draft.evidence.loadNotUsedBecause === null
    ? { ...rest, draft: { ...draft, ...evidenceOver(load, load.knownSeconds) } }
    : { ...rest, draft };

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Drafts of an attached volume from its load, with what the attribution showed. */
function judgeLoad(judging: Judging, load: VolumeLoad, window: AuditWindow, context: JudgeContext) {
  const { volume, config, limits, usd } = judging;
  const diagnosed = diagnose(judging, load, context);
  const { attribution, demand } = diagnosed;
  const { thresholds } = context;
  const { endEpochSeconds: windowEndEpochSeconds } = window;
  const judged = { limits, load, attribution, demand, windowEndEpochSeconds, thresholds };
  const idle = idleFinding(load, secondsOf(window), { usd, deployment: volume.deployment }, thresholds);
  const figures = diagnosedFigures(diagnosed);
  const drafts = loadFindings(judged);
  const isDraining = drafts.some(({ kind }) => kind === 'credits-will-exhaust');
  const replay = new VolumeReplay(diagnosed, context);
  const heldBackMinutes = sumOf(Object.values(figures.heldBackMinutesByCause));
  const { need, least } = observedNeed(load, config.volumeType, window, heldBackMinutes, thresholds);
  return {
    wanted: heldBackMinutes === 0 && !isDraining ? null : replay.wantedOf(heldBackMinutes),
    drafts: [...drafts, ...(idle === null ? [] : [idle])],
    figures,
    // A volume that nobody uses is to be removed, not to be made cheaper.
    savings:
      idle === null && !context.isRecorded
        ? savingsOf(judging, { need, figures, replay }, context)
            .filter((saving) => !isSaid(saving, drafts))
            .map((saving) => seenOver(saving, load))
        : [],
    need: {
      rates: least,
      confidence: need.known ? need.value.confidence : null,
    },
  };
}

/** What the findings of a volume are advised from, besides what it is. */
type Basis = Pick<AdviceInput, 'wanted' | 'freeAttachments'>;

const noBasis: Basis = { wanted: null, freeAttachments: null };

/** What is likely, where what it wanted is bounded. */
function withLikely(demand: FindingDemand, replayed: Wanted | null): FindingDemand {
  const { atLeast, atMost, unit } = demand;
  if (replayed === null || atLeast === null || atMost === null) return demand;
  const { iops, throughputMiBps } = replayed.likelyRates;
  const likely = unit === 'IOPS' ? iops : throughputMiBps;
  return { ...demand, likely: Math.min(atMost, Math.max(atLeast, likely)) };
}

/** What was tried and does not help. */
function withNotAdvised(draft: Draft, notAdvised: NotAdvised[]): Draft {
  if (notAdvised.length === 0) return draft;
  switch (draft.kind) {
    case 'throttled-volume-iops':
    case 'throttled-volume-throughput':
    case 'credits-exhausted':
    case 'credits-will-exhaust':
    case 'micro-burst':
      return withEvidence(draft, { notAdvised });
    default:
      return draft;
  }
}

function findingsOf(
  judging: Judging,
  drafts: readonly Draft[],
  thresholds: Thresholds,
  basis: Basis = noBasis,
  savings: readonly Saving[] = [],
): Finding[] {
  const resource = volumeResource(judging.volume);
  const advised = drafts.map((draft) => {
    const { recommendations, notAdvised } = firstAdvice(
      { ...judging, ...basis, draft, siblings: drafts },
      thresholds,
    );
    const demand = draft.demand && withLikely(draft.demand, basis.wanted);
    return { draft: { ...withNotAdvised(draft, notAdvised), demand }, recommendations };
  });
  return [...advised, ...savings].map(({ draft, recommendations }) => ({
    id: findingId(draft.kind, resource),
    resource,
    ...draft,
    recommendations,
  }));
}

function judgingOf(volume: Volume, markets: Markets): Known<Judging, ConfigurationReason> {
  const configured = configurationOf(volume);
  if (!configured.known) return configured;
  const prices = markets(volume.region).prices.ebs;
  const usd = prices.known ? known(monthlyUsd(configured.value.config, prices.value).total) : prices;
  return known({ volume, ...configured.value, prices, usd });
}

/** Judges one volume on its own metrics and those of its instances. */
export function judgeVolume(volume: Volume, context: JudgeContext): JudgedVolume {
  const { metrics, windowOf, thresholds } = context;
  const { volumeId } = volume;
  const load = context.observed.loadOf(volumeId);
  const window = windowOf(volumeId);
  const judging = judgingOf(volume, context.markets);
  const described = describedVolume(
    volume,
    load.known ? load.value : null,
    window,
    metrics.repeatedPoints(volumeId),
  );
  if (judging.known) {
    const { limits, usd } = judging.value;
    described.limits = limitFigures(limits);
    described.monthlyUsd = usd.known ? usd.value : null;
  }
  const unknownBecause = (because: VolumeReason, nothingToRead = false): JudgedVolume => ({
    evaluation: { ...described, verdict: 'unknown', because },
    findings: [],
    nothingToRead,
    need: null,
  });
  const judgedAs = (
    findings: Finding[],
    figures: Partial<VolumeVerdict>,
    need: VolumeNeed | null = null,
  ): JudgedVolume => ({
    evaluation: {
      ...described,
      ...figures,
      // What could cost less is no trouble.
      verdict: findings.every(isSaving) ? 'healthy' : 'finding',
      findings: findings.map(({ id }) => id),
    },
    findings,
    nothingToRead: false,
    need,
  });
  if (volume.state !== 'in-use' && volume.state !== 'available') {
    return unknownBecause({ code: 'volume-state', state: volume.state });
  }
  if (!judging.known) return unknownBecause(judging.because);
  if (volume.state === 'available') {
    const price = { usd: judging.value.usd, deployment: volume.deployment };
    return judgedAs(findingsOf(judging.value, [unattachedFinding(price, thresholds)], thresholds), {});
  }
  const unusable = metrics.unusableBecause(volumeId);
  if (unusable !== null) return unknownBecause(unusable);
  const cleared = context.cleared?.volumes.get(volumeId);
  if (cleared !== undefined && window !== null) {
    const figures = clearedFigures(cleared, window);
    // The few metrics of the first pass showed no trouble: its load was not read.
    const seen = { need: unknown({ code: 'not-read' as const }), figures: described, replay: null };
    const savings = savingsOf(judging.value, seen, context);
    return judgedAs(findingsOf(judging.value, [], thresholds, noBasis, savings), figures);
  }
  const [stopped] = stoppedInstances(volume, context.instances);
  if (!load.known && stopped !== undefined) {
    const asked = context.cleared?.silentIds.has(volumeId) ? 'queue-length' : 'operations';
    return unknownBecause({ code: 'instance-stopped', instanceId: stopped, asked }, true);
  }
  if (!load.known || window === null)
    return unknownBecause(load.known ? { code: 'no-window' } : load.because);
  const { drafts, figures, savings, need, wanted } = judgeLoad(judging.value, load.value, window, context);
  if (drafts.length === 0 && !isEnoughKnown(load.value.knownSeconds, window)) {
    const { knownMinutes, unknownMinutes } = described;
    described.topShareOfLimit = figures.topShareOfLimit;
    const windowMinutes = knownMinutes + unknownMinutes;
    return unknownBecause({ code: 'too-few-minutes', knownMinutes, windowMinutes });
  }
  const basis = { wanted, freeAttachments: freeAttachments(volume, context) };
  return judgedAs(findingsOf(judging.value, drafts, thresholds, basis, savings), figures, need);
}
