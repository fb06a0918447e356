/** Was an instance held back by its own EBS limits? Findings from its evidence, period by period. */
import type { Instance } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import { maximum, minimum } from '../load/series.ts';
import type { Finding, FindingKind, Severity } from '../schemas/finding.ts';
import { secondsPerMinute } from '../units.ts';
import { type AuditWindow, isEnoughKnown } from './audit-window.ts';
import { type Cause, causeCode, type Proof, proofs } from './causes.ts';
import { findingId } from './finding-id.ts';
import type { InstanceEvidence } from './instance-evidence.ts';
import type { Thresholds } from './thresholds.ts';
import {
  countEvidence,
  countHeldBack,
  exhaustedSeverity,
  type HeldBack,
  sinceOf,
  throttledSeverity,
  whenText,
} from './throttled.ts';

/** Minutes of one cause; what only the sum over the volumes shows counts where one of them was seen to wait. */
function minutesOf({ cause, minutes, proof, felt }: InstanceEvidence, wanted: Cause): Float64Array {
  const code = causeCode[wanted];
  const counted = new Float64Array(cause.length);
  for (let i = 0; i < cause.length; i++) {
    const isProved = proofs[proof[i] as number] !== 'rate' || felt[i] === 1;
    if (cause[i] === code && isProved) counted[i] = minutes[i] as number;
  }
  return counted;
}

const kinds = [
  {
    cause: 'instance-iops',
    kind: 'throttled-instance-iops',
    severityOf: throttledSeverity,
    says: 'its volumes together asked for more IOPS than the instance may do',
  },
  {
    cause: 'instance-throughput',
    kind: 'throttled-instance-throughput',
    severityOf: throttledSeverity,
    says: 'its volumes together asked for more MiB/s than the instance may do',
  },
  {
    cause: 'instance-credits',
    kind: 'instance-credits-exhausted',
    severityOf: exhaustedSeverity,
    says: 'its EBS burst credits were used up, so it fell to its baseline',
  },
] as const satisfies readonly {
  cause: Cause;
  kind: FindingKind;
  severityOf: (held: HeldBack, thresholds: Thresholds) => Severity | null;
  says: string;
}[];

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
  counted: Float64Array,
  held: HeldBack,
  instance: Instance,
  volumeIds: readonly string[],
) {
  const { load, balance } = evidence;
  const by = decidedBy(evidence, counted);
  return {
    instanceType: instance.instanceType,
    ...countEvidence(held),
    lowestIoBalancePercent: minimum(balance.io),
    lowestByteBalancePercent: minimum(balance.bytes),
    balance: balance.source,
    replayDeviationPoints: balance.replayDeviationPoints,
    topIopsOfAllVolumes: maximum(load.iops),
    topMiBpsOfAllVolumes: maximum(load.mibps),
    volumes: [...volumeIds],
    decidedBy: by === 'rate' ? 'the sum over its volumes, at its limit while they wait' : by,
    confidence: by === 'check' ? 'high' : 'medium',
  };
}

/** The findings of one instance; unknown where too little is known of it. */
export function judgeInstance(
  instance: Instance,
  evidence: InstanceEvidence | null,
  volumeIds: readonly string[],
  window: AuditWindow,
  thresholds: Thresholds,
): Known<Omit<Finding, 'advice'>[]> {
  if (evidence === null) {
    const state = instance.state === 'stopped' ? ' (it is stopped)' : '';
    return unknown(
      `no EBS metrics of its own in the window: no exceeded check, no EBS balance${state}; and the sum over its volumes says nothing without the limits of its type`,
    );
  }
  const { instanceId, name, region, account } = instance;
  const resource = { instanceId, name, region, account };
  const findings = kinds.flatMap(({ cause, kind, severityOf, says }) => {
    // Most instances hold nothing back.
    if (!evidence.cause.includes(causeCode[cause])) return [];
    const minutes = minutesOf(evidence, cause);
    const held = countHeldBack(evidence, minutes, window.endEpochSeconds);
    const severity = severityOf(held, thresholds);
    if (severity === null) return [];
    const reason = `${instance.instanceType ?? 'the instance'} held its volumes back ${whenText(held, thresholds)}: ${says}`;
    const why = evidenceOf(evidence, minutes, held, instance, volumeIds);
    return [
      {
        id: findingId(kind, resource),
        kind,
        severity,
        resource,
        since: sinceOf(held),
        reason,
        evidence: why,
      },
    ];
  });
  if (findings.length === 0 && !evidence.isWhole) {
    return unknown(
      'no EBS metrics of its own in the window, and the load of some of its volumes is not known: their sum says too little',
    );
  }
  const knownSeconds = evidence.epochSeconds.length * evidence.periodSeconds;
  return findings.length > 0 || isEnoughKnown(knownSeconds, window)
    ? known(findings)
    : unknown(
        `only ${knownSeconds / secondsPerMinute} minutes of its EBS metrics are there: too little to judge it`,
      );
}
