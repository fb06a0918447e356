/** Was an instance throttled by its own EBS limits? Findings from its evidence, period by period. */

import type { EbsFigures } from '../catalog/instance-types.ts';
import type { Instance } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import { maximum, minimum } from '../load/series.ts';
import type { Evidence } from '../schemas/evidence.ts';
import type { ByKind, FindingFields, FindingKind, Limit, Severity } from '../schemas/finding.ts';
import type { InstanceReason } from '../schemas/unknown-reasons.ts';
import { secondsPerMinute } from '../units.ts';
import { type Cause, causeCode, type Proof, proofs } from './causes.ts';
import { findingId, instanceResource } from './draft.ts';
import type { InstanceEvidence } from './instance-evidence.ts';
import { type AuditWindow, isEnoughKnown, type Thresholds } from './thresholds.ts';
import {
  countEvidence,
  countThrottled,
  evidenceOver,
  exhaustedSeverity,
  type Throttled,
  throttledSeverity,
  whenSeen,
} from './throttled.ts';

/**
 * Does a throttled period count for a finding? Not a burst of seconds. What only the sum over the volumes shows counts where one
 * of them was seen to wait; a check counts unless all of them are known, and none waited.
 */
export function isCounted({ proof, felt, microBurst, shares }: InstanceEvidence, period: number): boolean {
  if (microBurst[period] === 1) return false;
  const by = proofs[proof[period] as number];
  return felt[period] === 1 || by === 'balance' || (by === 'check' && shares === null);
}

/** Throttled minutes of each period that count for a finding of this cause. */
export function minutesOf(evidence: InstanceEvidence, asked: Cause): Float64Array {
  const { cause, minutes } = evidence;
  const code = causeCode[asked];
  return minutes.map((throttled, i) => (cause[i] === code && isCounted(evidence, i) ? throttled : 0));
}

export const instanceKinds = [
  {
    cause: 'instance-iops',
    kind: 'throttled-instance-iops',
    severityOf: throttledSeverity,
  },
  {
    cause: 'instance-throughput',
    kind: 'throttled-instance-throughput',
    severityOf: throttledSeverity,
  },
  {
    cause: 'instance-credits',
    kind: 'instance-credits-exhausted',
    severityOf: exhaustedSeverity,
  },
] as const satisfies readonly {
  cause: Cause;
  kind: FindingKind;
  severityOf: (held: Throttled, thresholds: Thresholds) => Severity | null;
}[];

type InstanceKind = (typeof instanceKinds)[number]['kind'];

/** A finding on an instance before it is recommended. */
export type InstanceFinding = ByKind<Omit<FindingFields, 'recommendations'>, Evidence, InstanceKind>;

/** As the finding tells what an instance's credits rest on. */
const balanceBases = { published: 'metric', modelled: 'simulated', none: 'none' } as const;

/** What most of the counted minutes rest on. */
function decidedBy(evidence: InstanceEvidence, counted: Float64Array): Proof {
  const periods = proofs.map(() => 0);
  counted.forEach((minutes, i) => {
    const proof = evidence.proof[i] as number;
    if (minutes > 0) periods[proof] = (periods[proof] as number) + 1;
  });
  return proofs[periods.indexOf(Math.max(...periods))] as Proof;
}

function evidenceOf(
  evidence: InstanceEvidence,
  held: Throttled,
  instance: Instance,
  volumeIds: readonly string[],
  by: Proof,
) {
  const { load, balance } = evidence;
  return {
    instanceType: instance.instanceType,
    ...countEvidence(held),
    lowestIoBalancePercent: minimum(balance.io),
    lowestByteBalancePercent: minimum(balance.bytes),
    balanceBasis: balanceBases[balance.source],
    replayDeviationPoints: balance.replayDeviationPoints,
    topIopsOfAllVolumes: maximum(load.iops),
    topMiBpsOfAllVolumes: maximum(load.mibps),
    volumes: [...volumeIds],
    decidedBy: by === 'rate' ? ('sum-of-volumes' as const) : by,
  };
}

/** What the instance is limited to: on credits its maximum, without them its baseline; null where that is not known. */
function limitOf(
  kind: InstanceKind,
  { baselineIops, maximumIops, baselineMiBps, maximumMiBps }: EbsFigures,
  balance: InstanceEvidence['balance'],
): Limit | null {
  const isOfCredits = kind === 'instance-credits-exhausted';
  // The bucket that is emptier is the one that ended.
  const isIops = isOfCredits
    ? (minimum(balance.io) ?? 100) <= (minimum(balance.bytes) ?? 100)
    : kind === 'throttled-instance-iops';
  const [baseline, most] = isIops ? [baselineIops, maximumIops] : [baselineMiBps, maximumMiBps];
  const value = isOfCredits ? baseline : most;
  if (Number.isNaN(value)) return null;
  const what = isOfCredits ? 'baseline' : most > baseline ? 'burst' : 'maximum';
  return { what, value, unit: isIops ? 'IOPS' : 'MiB/s', scope: 'instance' };
}

/**
 * The findings of one instance; unknown where too little is known of it.
 * @param figures what the instance can do with EBS; null where nobody tells.
 */
export function evaluateInstance(
  instance: Instance,
  evidence: InstanceEvidence | null,
  figures: EbsFigures | null,
  volumeIds: readonly string[],
  window: AuditWindow,
  thresholds: Thresholds,
): Known<InstanceFinding[], InstanceReason> {
  if (evidence === null) {
    return unknown({ code: 'no-ebs-metrics', isStopped: instance.state === 'stopped' });
  }
  const resource = instanceResource(instance);
  const findings = instanceKinds.flatMap(({ cause, kind, severityOf }): InstanceFinding[] => {
    // Most instances throttle nothing.
    if (!evidence.cause.includes(causeCode[cause])) return [];
    const minutes = minutesOf(evidence, cause);
    const held = countThrottled(evidence, minutes, window.endEpochSeconds);
    const severity = severityOf(held, thresholds);
    if (severity === null) return [];
    const by = decidedBy(evidence, minutes);
    return [
      {
        id: findingId(kind, resource),
        ...{ kind, severity, resource, ...whenSeen(held) },
        limit: figures && limitOf(kind, figures, evidence.balance),
        confidence: by === 'check' ? ('high' as const) : ('medium' as const),
        ...evidenceOver(evidence, evidence.epochSeconds.length * evidence.periodSeconds),
        demand: null,
        evidence: evidenceOf(evidence, held, instance, volumeIds, by),
      },
    ];
  });
  if (findings.length === 0 && !evidence.isWhole) {
    return unknown({ code: 'volumes-in-part' });
  }
  const knownSeconds = evidence.epochSeconds.length * evidence.periodSeconds;
  return findings.length > 0 || isEnoughKnown(knownSeconds, window)
    ? known(findings)
    : unknown({ code: 'too-few-minutes-of-ebs', knownMinutes: knownSeconds / secondsPerMinute });
}
