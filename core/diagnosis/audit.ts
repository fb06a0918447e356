/** The audit of a fleet: every volume judged or unknown with a reason, every instance judged on its own metrics. */
import type { Instance, Volume } from '../inventory.ts';
import type { FleetMetrics } from '../load/fleet-metrics.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import { type Finding, severityRank } from '../schemas/finding.ts';
import { isoFromEpochSeconds } from '../units.ts';
import { judgeInstance } from './judge-instance.ts';
import { type AuditWindow, judgeVolume } from './judge-volume.ts';

export interface AuditInput {
  runId: string;
  volumes: readonly Volume[];
  instances: readonly Instance[];
  metrics: FleetMetrics;
  /** 'shared': one reply for all. 'own': recordings of different times, each judged over its own. */
  windows: 'shared' | 'own';
  /** What the run cost to read. */
  cost: AuditResult['cost'];
  /** Oddities that the reader of the input saw. */
  notices: readonly string[];
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

const mostUrgentFirst = (a: Finding, b: Finding): number =>
  severityRank(a.severity) - severityRank(b.severity) ||
  a.resource.region.localeCompare(b.resource.region) ||
  (a.resource.volumeId ?? a.resource.instanceId ?? '').localeCompare(
    b.resource.volumeId ?? b.resource.instanceId ?? '',
  ) ||
  a.kind.localeCompare(b.kind);

/** Instances that volumes are attached to, described or not: their metrics say enough. */
function instancesToJudge(input: AuditInput): Map<string, { instance: Instance; volumeIds: string[] }> {
  const described = new Map(input.instances.map((instance) => [instance.instanceId, instance]));
  const all = new Map<string, { instance: Instance; volumeIds: string[] }>();
  for (const instance of input.instances) all.set(instance.instanceId, { instance, volumeIds: [] });
  for (const volume of input.volumes) {
    for (const { instanceId } of volume.attachments) {
      const entry = all.get(instanceId) ?? {
        instance: described.get(instanceId) ?? {
          instanceId,
          instanceType: 'instance of unknown type',
          state: 'unknown',
          region: volume.region,
          account: volume.account,
        },
        volumeIds: [],
      };
      entry.volumeIds.push(volume.volumeId);
      all.set(instanceId, entry);
    }
  }
  return all;
}

/** Judges the whole inventory. Its counts add up: volumes = judged + unknown. */
export function audit(input: AuditInput, onVolume: (judged: number) => void = () => {}): AuditResult {
  const window = windowOver(input.metrics, input.metrics.resourceIds());
  const instances = instancesToJudge(input);
  const context = {
    metrics: input.metrics,
    windowOf: (id: string) => (input.windows === 'shared' ? window : windowOver(input.metrics, [id])),
    instances: new Map(input.instances.map((instance) => [instance.instanceId, instance])),
  };
  const judged = input.volumes.map((volume, index) => {
    onVolume(index + 1);
    return judgeVolume(volume, context);
  });
  const findings = judged.flatMap(({ findings }) => findings);
  const notJudged: { instanceId: string; because: string }[] = [];
  for (const { instance, volumeIds } of instances.values()) {
    const found = judgeInstance(instance, input.metrics.of(instance.instanceId), volumeIds);
    if (found.known) findings.push(...found.value);
    else notJudged.push({ instanceId: instance.instanceId, because: found.because });
  }
  const volumes = judged.map(({ verdict }) => verdict);
  const unknown = volumes.flatMap(({ volumeId, verdict, because }) =>
    verdict === 'unknown' ? [{ volumeId, because: because ?? 'no reason recorded' }] : [],
  );
  const inventory = new Set([...volumes.map(({ volumeId }) => volumeId), ...instances.keys()]);
  return {
    runId: input.runId,
    window: window && {
      start: isoFromEpochSeconds(window.startEpochSeconds),
      end: isoFromEpochSeconds(window.endEpochSeconds),
    },
    coverage: {
      volumes: volumes.length,
      judged: volumes.length - unknown.length,
      unknown,
      instances: { total: instances.size, judged: instances.size - notJudged.length, notJudged },
      metricsWithoutResource: input.metrics.resourceIds().filter((id) => !inventory.has(id)),
    },
    findings: findings.sort(mostUrgentFirst),
    volumes,
    notices: [...input.notices],
    cost: input.cost,
  };
}
