/** The findings of all instances: what held back, by their own metrics; what is configured in vain, by the inventory. */
import { ebsCardAdvice } from '../advice/ebs-card-advice.ts';
import { type InstanceToAdvise, instanceAdvice } from '../advice/instance-advice.ts';
import { loweringOf } from '../advice/lowering.ts';
import type { NeedOf } from '../advice/savings/observed-need.ts';
import { largerForAll, lowerAdvice } from '../advice/unreachable-advice.ts';
import type { InstanceType } from '../catalogue/instance-type.ts';
import type { Markets } from '../catalogue/market.ts';
import type { AuditWindow } from '../diagnosis/audit-window.ts';
import type { Draft } from '../diagnosis/draft.ts';
import { ebsCardImbalance } from '../diagnosis/ebs-cards.ts';
import { findingId } from '../diagnosis/finding-id.ts';
import { judgeInstance } from '../diagnosis/judge-instance.ts';
import { thresholds } from '../diagnosis/thresholds.ts';
import { unreachablePerformance } from '../diagnosis/unreachable.ts';
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

export interface JudgedInstances {
  /** Without advice: what to do depends on what the volumes need. */
  findings: Omit<Finding, 'advice'>[];
  notJudged: { instanceId: string; because: string }[];
}

/** Which instances held their volumes back, by their own metrics. */
export function judgeInstances(
  toJudge: readonly InstanceToJudge[],
  metrics: FleetMetrics,
  window: AuditWindow,
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
    if (found.known) judged.findings.push(...found.value);
    else judged.notJudged.push({ instanceId, because: found.because });
  }
  return judged;
}

interface AdvisedDraft {
  draft: Draft;
  advice: Advice[];
}

/** What its volumes have that it cannot reach. With findings of its own, a larger instance is named there already. */
function unreachableOf(
  to: InstanceToAdvise,
  type: InstanceType,
  heldBack: ReadonlySet<string>,
  isNamed: boolean,
): AdvisedDraft[] {
  const { instance, volumes, market, needOf } = to;
  const { ebs } = market.prices;
  const found = unreachablePerformance(instance, type, volumes, ebs, heldBack);
  if (found === null || !ebs.known) return [];
  const lowering = loweringOf(found, needOf, ebs.value);
  const { savedUsd, lowered, isSure } = lowering;
  const evidence = {
    ...found.draft.evidence,
    advisedSavingMonthlyUsd: lowered.length === 0 ? null : savedUsd,
    volumesToLower: lowered.map(({ volume }) => volume.volumeId),
  };
  const severity = isSure && savedUsd >= thresholds.unreachableWarningUsd ? 'warning' : 'info';
  const advice = [
    lowerAdvice(lowering),
    ...(isNamed ? [] : [largerForAll(found, instance, type, volumes.length, market)]),
  ];
  return [{ draft: { ...found.draft, severity, evidence }, advice }];
}

/** By the type's limits, the volumes' figures and the prices: it needs no metrics of the instance. */
function configurationOfOne(
  to: InstanceToAdvise,
  heldBack: ReadonlySet<string>,
  isNamed: boolean,
): Finding[] {
  const { instance, volumes, market } = to;
  const { instanceType, instanceId, name, region, account } = instance;
  const type = instanceType === null ? undefined : market.instanceTypes.get(instanceType);
  if (type === undefined) return [];
  const imbalance = ebsCardImbalance(instance, type, volumes);
  const resource = { instanceId, name, region, account };
  return [
    ...unreachableOf(to, type, heldBack, isNamed),
    ...(imbalance === null ? [] : [{ draft: imbalance.draft, advice: ebsCardAdvice(imbalance, instance) }]),
  ].map(({ draft, advice }) => ({ id: findingId(draft.kind, resource), resource, ...draft, advice }));
}

/**
 * The findings of all instances with advice: what held back, and what is configured in vain.
 * @param held the findings by their own metrics.
 * @param ofVolumes the findings of all volumes.
 */
export function instanceFindings(
  toJudge: readonly InstanceToJudge[],
  held: JudgedInstances['findings'],
  ofVolumes: readonly Finding[],
  markets: Markets,
  needOf: NeedOf,
): Finding[] {
  const heldBack = heldBackIds(ofVolumes);
  return toJudge.flatMap(({ instance, volumes }) => {
    const own = held.filter(({ resource }) => resource.instanceId === instance.instanceId);
    const to = { instance, volumes, market: markets(instance.region), needOf };
    return [
      ...own.map((finding) => ({ ...finding, advice: instanceAdvice(finding.kind, to) })),
      ...configurationOfOne(to, heldBack, own.length > 0),
    ];
  });
}
