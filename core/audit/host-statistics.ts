/**
 * The findings of an instance and its volumes, held against what the volumes counted themselves: confirmed, refuted, or
 * neither. No finding goes for it: a refuted one stays, with low confidence.
 */
import type { Cause } from '../diagnosis/causes.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import { type Counted, countedPeriods } from '../diagnosis/draft.ts';
import { instanceKinds, minutesOf } from '../diagnosis/evaluate-instance.ts';
import type { AuditWindow, Thresholds } from '../diagnosis/thresholds.ts';
import { firstFew } from '../few.ts';
import { type Between, betweenReadings } from '../host/between-readings.ts';
import { type ExceededLimit, exceededLimits, type HostReading } from '../host/ebs-statistics.ts';
import {
  type HostStatistics,
  type Said,
  type Suspicion,
  saidOfNoTime,
  saidOfVolume,
  saidTogether,
} from '../host/host-statistics.ts';
import { isShared, type Volume } from '../inventory.ts';
import type { AuditNotice } from '../schemas/audit-notice.ts';
import {
  type AnyEvidence,
  type Finding,
  type FindingKind,
  volumeIdsOf,
  withEvidence,
} from '../schemas/finding.ts';
import { isoFromEpochSeconds } from '../units.ts';
import type { Observed } from './observed.ts';

interface Asked {
  readings: readonly HostReading[];
  window: AuditWindow;
  volumes: readonly Volume[];
  observed: Observed;
  thresholds: Thresholds;
}

// What CloudWatch saw between two readings.

/** Whole periods in it alone: what lies across its ends is unseen. */
function sumWithin(
  { epochSeconds, periodSeconds }: { epochSeconds: Float64Array; periodSeconds: number },
  { startEpochSeconds, endEpochSeconds }: Between,
  of: (period: number) => number,
): number {
  let sum = 0;
  for (let i = 0; i < epochSeconds.length; i++) {
    const start = epochSeconds[i] as number;
    if (start >= startEpochSeconds && start + periodSeconds <= endEpochSeconds) sum += of(i);
  }
  return sum;
}

const lengthOf = ({ startEpochSeconds, endEpochSeconds }: Between): number =>
  endEpochSeconds - startEpochSeconds;

const bothLimits = ['volume-iops', 'volume-throughput'] as const;

interface VolumeRule extends Counted {
  limits: readonly ExceededLimit[];
  isOnCredits?: true;
}

const volumeRules: Partial<Record<FindingKind, VolumeRule>> = {
  'throttled-volume-iops': { causes: ['volume-iops'], limits: ['volume-iops'] },
  'throttled-volume-throughput': { causes: ['volume-throughput'], limits: ['volume-throughput'] },
  'credits-exhausted': { causes: ['volume-credits'], limits: bothLimits, isOnCredits: true },
  'micro-burst': { causes: bothLimits, limits: bothLimits, onlyMicroBursts: true },
};

const instanceLimits: Partial<Record<FindingKind, readonly ExceededLimit[]>> = {
  'throttled-instance-iops': ['instance-iops'],
  'throttled-instance-throughput': ['instance-throughput'],
  'instance-credits-exhausted': ['instance-iops', 'instance-throughput'],
};

/** Minutes of each counted period, and those of the window. */
function minutesBy(diagnosed: DiagnosedVolume, counted: Counted, { window, thresholds }: Asked) {
  const { load, attribution } = diagnosed;
  const evaluated = { ...diagnosed, windowEndEpochSeconds: window.endEpochSeconds, thresholds };
  const minutes = new Float64Array(load.epochSeconds.length);
  let inWindow = 0;
  for (const i of countedPeriods(evaluated, counted)) {
    minutes[i] = attribution.throttledMinutes[i] as number;
    inWindow += minutes[i] as number;
  }
  return { minutes, inWindow };
}

/** A finding by one limit counts both where neither alone was enough for it. */
function ruleOf({ kind, resource, evidence }: Finding, own: number, rule: VolumeRule): VolumeRule {
  if (kind !== 'throttled-volume-iops' && kind !== 'throttled-volume-throughput') return rule;
  const { throttledMinutesInWindow = 0, bindingLimit }: AnyEvidence = evidence;
  const isOfBoth = resource.type === 'volume' && throttledMinutesInWindow > own;
  return {
    causes: isOfBoth ? bothLimits : rule.causes,
    limits: isOfBoth || bindingLimit === 'iops+throughput' ? bothLimits : rule.limits,
  };
}

function saidOf(finding: Finding, volume: Volume, rule: VolumeRule, asked: Asked): Said | null {
  const diagnosed = asked.observed.diagnosisOf(volume.volumeId);
  if (diagnosed === undefined) return null;
  const { load } = diagnosed;
  const own = minutesBy(diagnosed, rule, asked);
  const counted = ruleOf(finding, own.inWindow, rule);
  const { minutes, inWindow } = counted.causes === rule.causes ? own : minutesBy(diagnosed, counted, asked);
  const between = betweenReadings(asked.readings, volume.volumeId, asked.window);
  if (!between.known) return saidOfNoTime(between.reason, counted.limits);
  const seen = sumWithin(load, between.value, (i) =>
    Number.isNaN(load.iops[i] as number) ? 0 : load.periodSeconds,
  );
  const suspicion: Suspicion = {
    limits: counted.limits,
    isMicroBurst: counted.onlyMicroBursts === true,
    isOnCredits: rule.isOnCredits === true,
    isShared: isShared(volume),
    throttledMinutesInWindow: inWindow,
    throttledMinutes: sumWithin(load, between.value, (i) => minutes[i] as number),
    unseenSeconds: lengthOf(between.value) - seen,
  };
  return saidOfVolume(volume.volumeId, suspicion, between.value);
}

function saidOfVolumes(finding: Finding, rule: VolumeRule, asked: Asked): Said | null {
  const { membersConcerned }: AnyEvidence = finding.evidence;
  const ids = new Set(membersConcerned ?? volumeIdsOf(finding));
  return saidTogether(
    asked.volumes
      .filter(({ volumeId }) => ids.has(volumeId))
      .flatMap((volume) => saidOf(finding, volume, rule, asked) ?? []),
  );
}

/** Each of its volumes counts the time in which its instance throttled it: one is enough to confirm, all to refute. */
function saidOfInstance(
  { resource }: Finding,
  limits: readonly ExceededLimit[],
  cause: Cause,
  asked: Asked,
): Said | null {
  const evidence = asked.observed.evidenceOf(resource.id);
  if (evidence === null) return null;
  const minutes = minutesOf(evidence, cause);
  const inWindow = minutes.reduce((sum, one) => sum + one, 0);
  return saidTogether(
    asked.volumes.map(({ volumeId }) => {
      const between = betweenReadings(asked.readings, volumeId, asked.window);
      if (!between.known) return saidOfNoTime(between.reason, limits);
      const seen = sumWithin(evidence, between.value, () => evidence.periodSeconds);
      const suspicion: Suspicion = {
        ...{ limits, isMicroBurst: false, isOnCredits: cause === 'instance-credits', isShared: false },
        throttledMinutesInWindow: inWindow,
        throttledMinutes: sumWithin(evidence, between.value, (i) => minutes[i] as number),
        unseenSeconds: lengthOf(between.value) - seen,
      };
      return saidOfVolume(volumeId, suspicion, between.value);
    }),
  );
}

const confidenceBy = { confirms: 'high', refutes: 'low', 'says-nothing': null } as const;

function withStatistics(finding: Finding, said: Said | null): Finding {
  if (said === null) return finding;
  const hostStatistics: HostStatistics = { ...said, confidenceBefore: finding.confidence };
  const confidence = confidenceBy[said.says] ?? finding.confidence;
  switch (finding.kind) {
    case 'throttled-volume-iops':
    case 'throttled-volume-throughput':
    case 'credits-exhausted':
    case 'micro-burst':
    case 'throttled-instance-iops':
    case 'throttled-instance-throughput':
    case 'instance-credits-exhausted':
      return { ...withEvidence(finding, { hostStatistics }), confidence };
    default:
      return finding;
  }
}

/** The same findings in the same order; without a reading of the host they stay as they are. */
export function withHostStatistics(findings: readonly Finding[], asked: Asked): Finding[] {
  if (asked.readings.length === 0) return [...findings];
  return findings.map((finding) => {
    const rule = volumeRules[finding.kind];
    if (rule !== undefined) return withStatistics(finding, saidOfVolumes(finding, rule, asked));
    const limits = instanceLimits[finding.kind];
    const cause = instanceKinds.find(({ kind }) => kind === finding.kind)?.cause;
    if (limits === undefined || cause === undefined) return finding;
    return withStatistics(finding, saidOfInstance(finding, limits, cause, asked));
  });
}

// What the volumes counted, and CloudWatch did not show.

/** Less is not worth a word. */
const leastSeconds = 60;

const byInstance = (limit: ExceededLimit): boolean => limit.startsWith('instance-');

/** Volumes above a limit for a minute or more within the window, of which no finding says that they were throttled. */
export function exceededWithoutFinding(
  instanceId: string,
  findings: readonly Finding[],
  { readings, window, volumes }: Asked,
): AuditNotice[] {
  if (readings.length === 0) return [];
  const ofVolumes = findings.filter(({ kind }) => volumeRules[kind] !== undefined);
  const named = new Set(ofVolumes.flatMap((finding) => volumeIdsOf(finding)));
  const isNamed = findings.some(({ kind }) => instanceLimits[kind] !== undefined);
  const exceeded = volumes.flatMap(({ volumeId }) => {
    const between = betweenReadings(readings, volumeId, window);
    if (!between.known) return [];
    const { startEpochSeconds: start, endEpochSeconds: end, exceededSeconds } = between.value;
    const within = Math.min(end, window.endEpochSeconds) - Math.max(start, window.startEpochSeconds);
    const outside = lengthOf(between.value) - Math.max(0, within);
    return exceededLimits.flatMap((limit) => {
      const seconds = exceededSeconds[limit];
      const isKnown = byInstance(limit) ? isNamed : named.has(volumeId);
      if (isKnown || seconds - outside < leastSeconds) return [];
      return [{ volumeId, limit, exceededSeconds: Math.round(seconds), start, end }];
    });
  });
  if (exceeded.length === 0) return [];
  const start = Math.min(...exceeded.map((one) => one.start));
  const end = Math.max(...exceeded.map((one) => one.end));
  const most = exceeded
    .sort((a, b) => b.exceededSeconds - a.exceededSeconds)
    .map(({ volumeId, limit, exceededSeconds }) => ({ volumeId, limit, exceededSeconds }));
  return [
    {
      code: 'exceeded-without-finding',
      ...{ instanceId, volumes: firstFew(most), count: most.length },
      ...{ start: isoFromEpochSeconds(start), end: isoFromEpochSeconds(end) },
    },
  ];
}
