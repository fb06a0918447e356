/** The audit of a fleet: every volume judged or unknown with a reason, every instance judged on its own metrics. */
import type { Markets } from '../catalogue/market.ts';
import type { AuditWindow } from '../diagnosis/audit-window.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import type { Instance, Volume } from '../inventory.ts';
import type { FleetMetrics } from '../load/fleet-metrics.ts';
import type { AuditResult, VolumeVerdict } from '../schemas/audit-result.ts';
import { type Finding, severityRank } from '../schemas/finding.ts';
import { isoFromEpochSeconds } from '../units.ts';
import {
  instanceFindings,
  instancesToJudge,
  type JudgedInstances,
  judgeInstances,
} from './judge-instances.ts';
import { type JudgedVolume, judgeVolume } from './judge-volume.ts';
import type { JudgeContext } from './judging.ts';

export interface AuditInput {
  runId: string;
  volumes: readonly Volume[];
  instances: readonly Instance[];
  metrics: FleetMetrics;
  markets: Markets;
  /** The time that was asked for; 'of-all': what the metrics span; 'of-each': recordings of different times. */
  window: AuditWindow | 'of-all' | 'of-each';
  /** What the run cost to read. */
  cost: AuditResult['cost'];
  /** Oddities that the reader of the input saw. */
  notices: readonly string[];
  /** What the source of the metrics said it could not give. */
  incomplete: readonly string[];
  /** Told of each volume whose load is known, before its findings are made. */
  onDiagnosed?: (diagnosed: DiagnosedVolume) => void;
}

/** From the first to the end of the last period of these resources; null where none has a figure. */
function windowOver(metrics: FleetMetrics, resourceIds: readonly string[]): AuditWindow | null {
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

const count = (finding: Finding, key: string): number => {
  const value = finding.evidence[key];
  return typeof value === 'number' ? value : 0;
};
const resourceId = ({ resource }: Finding): string => resource.volumeId ?? resource.instanceId ?? '';

/** What is about to happen, by the time that is left; all else comes after it. */
const secondsLeft = ({ evidence }: Finding): number => {
  const seconds = evidence['secondsToEmpty'];
  return typeof seconds === 'number' ? seconds : Number.MAX_VALUE;
};

/** By severity; within it what is about to happen, then what goes on before what is over, then the more minutes first. */
export const mostUrgentFirst = (a: Finding, b: Finding): number =>
  severityRank(a.severity) - severityRank(b.severity) ||
  secondsLeft(a) - secondsLeft(b) ||
  count(b, 'heldBackMinutesOfLastFive') - count(a, 'heldBackMinutesOfLastFive') ||
  count(b, 'heldBackMinutesWorst24h') - count(a, 'heldBackMinutesWorst24h') ||
  resourceId(a).localeCompare(resourceId(b)) ||
  a.kind.localeCompare(b.kind);

/** A volume that its instance held back is not healthy, though nothing of its own is wrong. */
function withInstance(
  { verdict }: JudgedVolume,
  volume: Volume,
  ofInstances: JudgedInstances['findings'],
): VolumeVerdict {
  const heldBack = Object.keys(verdict.heldBackMinutesByCause).some((cause) => cause.startsWith('instance-'));
  if (!heldBack) return verdict;
  const own = new Set(volume.attachments.map(({ instanceId }) => instanceId));
  const ids = ofInstances
    .filter(({ resource }) => resource.instanceId !== undefined && own.has(resource.instanceId))
    .map(({ id }) => id);
  const only = ids.length > 0 && verdict.verdict === 'healthy';
  return { ...verdict, verdict: only ? 'held-back-by-instance' : verdict.verdict, instanceFindings: ids };
}

/** The prices that advice was made with, by Region. */
function pricesUsed({ volumes, markets }: AuditInput): AuditResult['prices'] {
  return [...new Set(volumes.map(({ region }) => region))].map((region) => {
    const { prices, refreshedAt } = markets(region);
    const { ebs, sources } = prices;
    return {
      region,
      refreshedAt,
      sources,
      ebsAsOf: ebs.known ? ebs.value.asOf : null,
      ebsUnknownBecause: ebs.known ? null : ebs.because,
    };
  });
}

/** Without prices nothing can be told of money: a reader must not take silence for thrift. */
const unknownPrices = (prices: AuditResult['prices']): string[] =>
  prices.flatMap(({ region, ebsUnknownBecause }) =>
    ebsUnknownBecause === null
      ? []
      : [
          `${ebsUnknownBecause}: in ${region} nothing was looked for that could cost less, and advice has no price; \`stripewise catalog refresh --region ${region}\` reads them, a deployed audit reads them itself before it judges`,
        ],
  );

const emptyWindow: AuditWindow = { startEpochSeconds: 0, endEpochSeconds: 0 };

/** Judges the whole inventory. Its counts add up: volumes = judged + unknown. */
export function audit(input: AuditInput, onVolume: (judged: number) => void = () => {}): AuditResult {
  const { metrics } = input;
  const window = typeof input.window === 'object' ? input.window : windowOver(metrics, metrics.resourceIds());
  const toJudge = instancesToJudge(input.instances, input.volumes);
  const instances = judgeInstances(toJudge, metrics, window ?? emptyWindow);
  const byInstance = new Map(toJudge.map(({ instance, volumes }) => [instance.instanceId, volumes]));
  const context: JudgeContext = {
    metrics,
    windowOf: (id) => (input.window === 'of-each' ? windowOver(metrics, [id]) : window),
    instances: new Map(input.instances.map((instance) => [instance.instanceId, instance])),
    markets: input.markets,
    onDiagnosed: input.onDiagnosed ?? (() => {}),
    isRecorded: input.window === 'of-each',
    volumesOf: (id) => byInstance.get(id) ?? [],
  };
  const judged = input.volumes.map((volume, index) => {
    onVolume(index + 1);
    const one = judgeVolume(volume, context);
    return { ...one, verdict: withInstance(one, volume, instances.findings) };
  });
  const needs = new Map(judged.map(({ verdict, need }) => [verdict.volumeId, need]));
  const ofVolumes = judged.flatMap(({ findings }) => findings);
  const unknown = judged.flatMap(({ verdict: { volumeId, because }, nothingToRead }) =>
    because === null ? [] : [{ volumeId, because, nothingToRead }],
  );
  const prices = pricesUsed(input);
  const inventory = new Set([
    ...input.volumes.map(({ volumeId }) => volumeId),
    ...toJudge.map(({ instance }) => instance.instanceId),
  ]);
  return {
    runId: input.runId,
    window: window && {
      start: isoFromEpochSeconds(window.startEpochSeconds),
      end: isoFromEpochSeconds(window.endEpochSeconds),
    },
    coverage: {
      volumes: judged.length,
      judged: judged.length - unknown.length,
      unknown,
      instances: {
        total: toJudge.length,
        judged: toJudge.length - instances.notJudged.length,
        notJudged: instances.notJudged,
      },
      metricsWithoutResource: metrics.resourceIds().filter((id) => !inventory.has(id)),
      incomplete: [...input.incomplete],
    },
    findings: [
      ...ofVolumes,
      ...instanceFindings(
        toJudge,
        instances.findings,
        ofVolumes,
        input.markets,
        (id) => needs.get(id) ?? null,
      ),
    ].sort(mostUrgentFirst),
    volumes: judged.map(({ verdict }) => verdict),
    prices,
    notices: [...input.notices, ...unknownPrices(prices)],
    cost: input.cost,
  };
}

/** Something that could have been read was not: what is missing is listed in the coverage. */
export const isPartial = ({ coverage }: AuditResult): boolean =>
  coverage.unknown.some(({ nothingToRead }) => !nothingToRead) ||
  coverage.metricsWithoutResource.length > 0 ||
  coverage.incomplete.length > 0;
