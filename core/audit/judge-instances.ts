/** The findings of all instances: what held back, by their own metrics; what is configured in vain, by the inventory. */
import { ebsCardAdvice } from '../advice/ebs-card-advice.ts';
import { instanceAdvice } from '../advice/instance-advice.ts';
import { unreachableAdvice } from '../advice/unreachable-advice.ts';
import type { Markets } from '../catalogue/market.ts';
import type { AuditWindow } from '../diagnosis/audit-window.ts';
import type { Draft } from '../diagnosis/draft.ts';
import { ebsCardImbalance } from '../diagnosis/ebs-cards.ts';
import { findingId } from '../diagnosis/finding-id.ts';
import { judgeInstance } from '../diagnosis/judge-instance.ts';
import { type NeedOf, unreachablePerformance } from '../diagnosis/unreachable.ts';
import type { Instance, Volume } from '../inventory.ts';
import type { FleetMetrics } from '../load/fleet-metrics.ts';
import type { Advice, Finding, FindingKind } from '../schemas/finding.ts';

export interface InstanceToJudge {
  instance: Instance;
  volumes: Volume[];
}

/** Instances that are described or have a volume attached: their metrics say enough. */
export function instancesToJudge(
  instances: readonly Instance[],
  volumes: readonly Volume[],
): InstanceToJudge[] {
  const all = new Map<string, InstanceToJudge>();
  for (const instance of instances) all.set(instance.instanceId, { instance, volumes: [] });
  for (const volume of volumes) {
    const { region, account } = volume;
    for (const { instanceId } of volume.attachments) {
      const undescribed = { instanceId, instanceType: null, state: 'unknown', region, account, name: null };
      const entry = all.get(instanceId) ?? {
        instance: { ...undescribed, bandwidthWeighting: null },
        volumes: [],
      };
      entry.volumes.push(volume);
      all.set(instanceId, entry);
    }
  }
  return [...all.values()];
}

function findingOf({ instanceId, name, region, account }: Instance, draft: Draft, advice: Advice[]): Finding {
  const resource = { instanceId, name, region, account };
  return { id: findingId(draft.kind, resource), resource, ...draft, advice };
}

const heldBackKinds: readonly FindingKind[] = [
  'throttled-volume-iops',
  'throttled-volume-throughput',
  'micro-burst',
];

/** Volumes that their own limit held back: nobody should be told to lower them. */
const heldBackIds = (ofVolumes: readonly Finding[]): ReadonlySet<string> =>
  new Set(
    ofVolumes.flatMap(({ kind, resource: { volumeId } }) =>
      volumeId !== undefined && heldBackKinds.includes(kind) ? [volumeId] : [],
    ),
  );

function configurationOfOne(
  { instance, volumes }: InstanceToJudge,
  markets: Markets,
  heldBack: ReadonlySet<string>,
  needOf: NeedOf,
): Finding[] {
  const market = markets(instance.region);
  const type = instance.instanceType === null ? undefined : market.instanceTypes.get(instance.instanceType);
  if (type === undefined) return [];
  const unreachable = unreachablePerformance(instance, type, volumes, market.prices.ebs, heldBack, needOf);
  const imbalance = ebsCardImbalance(instance, type, volumes);
  return [
    ...(unreachable === null
      ? []
      : [
          findingOf(
            instance,
            unreachable.draft,
            unreachableAdvice(unreachable, instance, type, volumes.length, market),
          ),
        ]),
    ...(imbalance === null ? [] : [findingOf(instance, imbalance.draft, ebsCardAdvice(imbalance, instance))]),
  ];
}

/**
 * What an instance's volumes have in vain. It needs no metrics of the instance: the type's limits, the volumes' figures
 * and the prices tell it.
 * @param ofVolumes the findings of all volumes.
 */
export function configurationFindings(
  toJudge: readonly InstanceToJudge[],
  markets: Markets,
  ofVolumes: readonly Finding[],
  needOf: NeedOf,
): Finding[] {
  const heldBack = heldBackIds(ofVolumes);
  return toJudge.flatMap((one) => configurationOfOne(one, markets, heldBack, needOf));
}

export interface JudgedInstances {
  findings: Finding[];
  notJudged: { instanceId: string; because: string }[];
}

/** Which instances held their volumes back, by their own metrics. */
export function judgeInstances(
  toJudge: readonly InstanceToJudge[],
  metrics: FleetMetrics,
  window: AuditWindow,
  markets: Markets,
): JudgedInstances {
  const judged: JudgedInstances = { findings: [], notJudged: [] };
  for (const { instance, volumes } of toJudge) {
    const { instanceId } = instance;
    const unusable = metrics.unusableBecause(instanceId);
    if (unusable !== null) {
      judged.notJudged.push({ instanceId, because: unusable });
      continue;
    }
    const volumeIds = volumes.map(({ volumeId }) => volumeId);
    const found = judgeInstance(instance, metrics.of(instanceId), volumeIds, window);
    if (!found.known) {
      judged.notJudged.push({ instanceId, because: found.because });
      continue;
    }
    const market = markets(instance.region);
    for (const finding of found.value) {
      const advice = instanceAdvice(finding.kind, instance, volumes.length, market);
      judged.findings.push({ ...finding, advice });
    }
  }
  return judged;
}
