/** The audit of a fleet: every volume evaluated or unknown with a reason, every instance evaluated on its own metrics. */
import type { RegionCatalogs } from '../catalog/region-catalog.ts';
import type { AuditWindow } from '../diagnosis/audit-window.ts';
import { otherThresholds, type Thresholds } from '../diagnosis/thresholds.ts';
import type { Instance, Volume } from '../inventory.ts';
import type { FleetMetrics } from '../load/fleet-metrics.ts';
import { mostUrgentFirst } from '../report/top-recommendations.ts';
import type { AuditNotice, NotRead } from '../schemas/audit-notice.ts';
import type { AuditResult, VolumeEvaluation } from '../schemas/audit-result.ts';
import type { Finding } from '../schemas/finding.ts';
import type { HostEvidence } from '../stripes/host-evidence.ts';
import { limitsAsOne } from '../stripes/load-as-one.ts';
import { idsOf, type Stripe, unlikeMembers } from '../stripes/stripe.ts';
import { isoFromEpochSeconds } from '../units.ts';
import type { Cleared } from './cleared.ts';
import { evaluateFleet } from './evaluate-fleet.ts';
import { configurationFindings } from './evaluate-instances.ts';
import type { EvaluatedVolume } from './evaluate-volume.ts';
import type { EvaluationContext, OnDiagnosed, OnEvaluated } from './evaluating.ts';
import { instancesToEvaluate } from './instances-to-evaluate.ts';
import { hostNotices, priceNotices, tagNotices } from './notices.ts';
import { Observed } from './observed.ts';
import { summaryOf } from './summary.ts';
import { withTags } from './tags-of-findings.ts';

export interface AuditInput {
  runId: string;
  volumes: readonly Volume[];
  instances: readonly Instance[];
  metrics: FleetMetrics;
  regionCatalogs: RegionCatalogs;
  /** The time that was asked for; 'of-all': what the metrics span; 'of-each': recordings of different times. */
  window: AuditWindow | 'of-all' | 'of-each';
  /** What it is evaluated by. */
  thresholds: Thresholds;
  /** What the run cost to read. */
  cost: AuditResult['cost'];
  /** Oddities that the reader of the input saw. */
  notices: readonly AuditNotice[];
  /** What the source of the metrics said it could not give. */
  incomplete: readonly NotRead[];
  /** What hosts said of how their volumes are joined, by instance id. */
  hosts?: ReadonlyMap<string, HostEvidence>;
  /** Whom the first of two passes cleared: evaluated by it, and not unknown for what was not read. */
  cleared?: Cleared;
  /** Called with each volume whose load is known, before its findings are made. */
  onDiagnosed?: OnDiagnosed;
  /** Called with the volumes of each instance, once they are evaluated. */
  onEvaluated?: OnEvaluated;
}

/** From the first to the end of the last period of these resources; null where none has a figure. */
export function windowOver(metrics: FleetMetrics, resourceIds: readonly string[]): AuditWindow | null {
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const id of resourceIds) {
    for (const { epochSeconds, periodSeconds } of metrics.of(id).values()) {
      start = Math.min(start, epochSeconds[0] as number);
      end = Math.max(end, (epochSeconds.at(-1) as number) + periodSeconds);
    }
  }
  return end > start ? { startEpochSeconds: start, endEpochSeconds: end } : null;
}

/** A volume that its instance throttled is not healthy, though nothing of its own is wrong. */
function withInstance(
  { evaluation }: EvaluatedVolume,
  volume: Volume,
  ofInstances: readonly Finding[],
): VolumeEvaluation {
  const throttled = Object.keys(evaluation.throttledMinutesByCause).some((cause) =>
    cause.startsWith('instance-'),
  );
  if (!throttled) return evaluation;
  const own = new Set(volume.attachments.map(({ instanceId }) => instanceId));
  const ids = ofInstances.filter(({ resource }) => own.has(resource.id)).map(({ id }) => id);
  const only = ids.length > 0 && evaluation.status === 'healthy';
  return { ...evaluation, status: only ? 'throttled-by-instance' : evaluation.status, instanceFindings: ids };
}

/** The prices that recommendation was made with, by Region. */
function pricesUsed({ volumes, regionCatalogs }: AuditInput): AuditResult['prices'] {
  return [...new Set(volumes.map(({ region }) => region))].map((region) => {
    const { prices, refreshedAt } = regionCatalogs(region);
    const { ebs, sources } = prices;
    return {
      region,
      refreshedAt,
      sources,
      ebsAsOf: ebs.known ? ebs.value.asOf : null,
    };
  });
}

function stripeFigures(stripe: Stripe): AuditResult['stripes'][number] {
  const { stripeId, name, instanceId, region, evidence, confidence } = stripe;
  const { kind, chunkKiB, mountPoints, builtWith } = stripe;
  const limits = limitsAsOne(stripe);
  return {
    ...{ stripeId, name, instanceId, region, volumeIds: idsOf(stripe), evidence, confidence },
    ...{ kind, chunkKiB, builtWith, mountPoints: [...mountPoints] },
    limits: limits.known ? limits.value : null,
    unlikeMembers: unlikeMembers(stripe),
  };
}

const accountsOf = (resources: readonly { account: string | null }[]): string[] =>
  [...new Set(resources.flatMap(({ account }) => account ?? []))].sort();

const emptyWindow: AuditWindow = { startEpochSeconds: 0, endEpochSeconds: 0 };

/** Evaluates the whole inventory. Its counts add up: volumes = evaluated + unknown. */
export function audit(input: AuditInput, onVolume: (evaluated: number) => void = () => {}): AuditResult {
  const { metrics } = input;
  const window = typeof input.window === 'object' ? input.window : windowOver(metrics, metrics.resourceIds());
  const toEvaluate = instancesToEvaluate(input.instances, input.volumes);
  const volumesOn = new Map(toEvaluate.map(({ instance, volumes }) => [instance.instanceId, volumes]));
  const context: EvaluationContext = {
    metrics,
    observed: new Observed(
      metrics,
      input.regionCatalogs,
      toEvaluate,
      input.hosts ?? new Map(),
      input.thresholds,
    ),
    thresholds: input.thresholds,
    windowOf: (id) => (input.window === 'of-each' ? windowOver(metrics, [id]) : window),
    instances: new Map(input.instances.map((instance) => [instance.instanceId, instance])),
    regionCatalogs: input.regionCatalogs,
    cleared: input.cleared ?? null,
    onDiagnosed: input.onDiagnosed ?? (() => {}),
    onEvaluated: input.onEvaluated ?? (() => {}),
    isRecorded: input.window === 'of-each',
    volumesOf: (id) => volumesOn.get(id) ?? [],
  };
  const fleet = evaluateFleet(input.volumes, toEvaluate, context, window ?? emptyWindow, onVolume);
  const ofInstances = [...fleet.instances.values()].flatMap((found) => (found.known ? found.value : []));
  const notEvaluated = toEvaluate.flatMap(({ instance: { instanceId } }) => {
    const found = fleet.instances.get(instanceId);
    return found === undefined || found.known ? [] : [{ instanceId, reason: found.reason }];
  });
  const evaluated = input.volumes.map((volume, place) => {
    const one = fleet.volumes[place] as EvaluatedVolume;
    return { ...one, evaluation: withInstance(one, volume, ofInstances) };
  });
  const unknown = evaluated.flatMap(({ evaluation: { volumeId, reason }, nothingToRead }) =>
    reason === null ? [] : [{ volumeId, reason, nothingToRead }],
  );
  const prices = pricesUsed(input);
  const others = otherThresholds(input.thresholds);
  const findings = [
    ...fleet.findings,
    ...ofInstances,
    ...configurationFindings(
      toEvaluate,
      new Set(ofInstances.map(({ resource }) => resource.id)),
      fleet,
      context,
    ),
  ];
  const inventory = new Set([
    ...input.volumes.map(({ volumeId }) => volumeId),
    ...toEvaluate.map(({ instance }) => instance.instanceId),
  ]);
  const evaluations = evaluated.map(({ evaluation }) => evaluation);
  const accounts = accountsOf([...input.volumes, ...input.instances]);
  return {
    runId: input.runId,
    summary: summaryOf(findings, evaluations),
    window: window && {
      start: isoFromEpochSeconds(window.startEpochSeconds),
      end: isoFromEpochSeconds(window.endEpochSeconds),
    },
    coverage: {
      volumes: evaluated.length,
      evaluated: evaluated.length - unknown.length,
      unknown,
      instances: {
        total: toEvaluate.length,
        evaluated: toEvaluate.length - notEvaluated.length,
        notEvaluated,
      },
      metricsWithoutResource: metrics.resourceIds().filter((id) => !inventory.has(id)),
      incomplete: [...input.incomplete],
    },
    findings: withTags(findings, input.volumes, input.instances).sort(mostUrgentFirst),
    volumes: evaluations,
    stripes: fleet.stripes.map(stripeFigures),
    prices,
    ...(Object.keys(others).length === 0 ? {} : { thresholds: others }),
    notices: [
      ...input.notices,
      ...hostNotices(input.hosts ?? new Map(), toEvaluate),
      ...tagNotices(input.volumes, fleet.stripes),
      ...priceNotices(prices),
    ],
    ...(accounts.length === 0 ? {} : { accounts }),
    cost: input.cost,
  };
}

/** Something that could have been read was not: what is missing is listed in the coverage. */
export const isPartial = ({ coverage }: AuditResult): boolean =>
  coverage.unknown.some(({ nothingToRead }) => !nothingToRead) ||
  coverage.metricsWithoutResource.length > 0 ||
  coverage.incomplete.length > 0;
