/** Of a fleet some volumes, instances or stripes alone: read and judged with what shares their instances. */
import type { Instance, Volume } from '../inventory.ts';
import type { FleetMetrics } from '../load/fleet-metrics.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import { type Finding, resourceIdOf, volumeIdsOf } from '../schemas/finding.ts';
import { type AuditInput, windowOver } from './audit.ts';
import { connectedGroups, type Group } from './batches.ts';

const instanceIdsOf = (volume: Volume): string[] => volume.attachments.map(({ instanceId }) => instanceId);

export type Picked = Pick<AuditResult, 'volumes' | 'stripes' | 'findings'>;

export class Only {
  private readonly ids: ReadonlySet<string>;
  /** The asked volumes, and those on asked instances. */
  private readonly volumeIds: Set<string>;
  private readonly found = new Set<string>();

  constructor(ids: readonly string[]) {
    this.ids = new Set(ids);
    this.volumeIds = new Set(ids);
  }

  /** A stripe is called after its instance; whether there is one of that name is known when it was judged. */
  private isAskedInstance = (instanceId: string): boolean =>
    [...this.ids].some((id) => id === instanceId || id.startsWith(`${instanceId}/`));

  /**
   * Whole groups that share instances, of those in which something is asked for: judged alone they get the same findings
   * as in the fleet.
   */
  narrow(fleet: { volumes: readonly Volume[]; instances: readonly Instance[] }): Group {
    const groups = connectedGroups(fleet.volumes, fleet.instances).filter(({ volumes, instances }) => {
      const instanceIds = [
        ...instances.map(({ instanceId }) => instanceId),
        ...volumes.flatMap(instanceIdsOf),
      ];
      return instanceIds.some(this.isAskedInstance) || volumes.some(({ volumeId }) => this.ids.has(volumeId));
    });
    const narrowed = {
      volumes: groups.flatMap(({ volumes }) => volumes),
      instances: groups.flatMap(({ instances }) => instances),
    };
    for (const { instanceId } of narrowed.instances) this.found.add(instanceId);
    for (const volume of narrowed.volumes) {
      for (const id of [volume.volumeId, ...instanceIdsOf(volume)]) this.found.add(id);
      if (instanceIdsOf(volume).some((id) => this.ids.has(id))) this.volumeIds.add(volume.volumeId);
    }
    return narrowed;
  }

  /** What is asked for and was nowhere. */
  missing(stripes: AuditResult['stripes']): string[] {
    const stripeIds = new Set(stripes.map(({ stripeId }) => stripeId));
    return [...this.ids].filter((id) => !this.found.has(id) && !stripeIds.has(id));
  }

  /** Volumes, stripes and findings of what is asked for, without the rest that was judged beside. */
  pick({ volumes, stripes, findings }: AuditResult): Picked {
    const members = stripes.flatMap(({ stripeId, volumeIds }) => (this.ids.has(stripeId) ? volumeIds : []));
    const ids = new Set([...this.volumeIds, ...members]);
    const picked = volumes.filter(({ volumeId }) => ids.has(volumeId));
    const ofInstances = new Set(picked.flatMap(({ instanceFindings }) => instanceFindings));
    const isOfIt = (finding: Finding): boolean =>
      ofInstances.has(finding.id) ||
      [resourceIdOf(finding.resource), finding.resource.instanceId ?? ''].some((id) => this.ids.has(id)) ||
      volumeIdsOf(finding).some((id) => ids.has(id));
    return {
      volumes: picked,
      stripes: stripes.filter(({ volumeIds }) => volumeIds.some((id) => ids.has(id))),
      findings: findings.filter(isOfIt),
    };
  }
}

/** The same figures, of these resources alone: others are not missed. */
function metricsOf(metrics: FleetMetrics, { volumes, instances }: Group): FleetMetrics {
  const ids = new Set([
    ...volumes.flatMap((volume) => [volume.volumeId, ...instanceIdsOf(volume)]),
    ...instances.map(({ instanceId }) => instanceId),
  ]);
  return {
    of: (id) => metrics.of(id),
    resourceIds: () => metrics.resourceIds().filter((id) => ids.has(id)),
    repeatedPoints: (id) => metrics.repeatedPoints(id),
    unusableBecause: (id) => metrics.unusableBecause(id),
    series: metrics.series,
  };
}

/** What was read of a whole fleet, narrowed before it is judged; the window stays that of the whole. */
export function narrowed(input: AuditInput, only: Only): AuditInput {
  const group = only.narrow(input);
  const { metrics, window, hosts } = input;
  const instanceIds = new Set(group.instances.map(({ instanceId }) => instanceId));
  const ofAll = window === 'of-all' ? windowOver(metrics, metrics.resourceIds()) : window;
  return {
    ...input,
    ...group,
    metrics: metricsOf(metrics, group),
    window: ofAll ?? 'of-all',
    ...(hosts === undefined ? {} : { hosts: new Map([...hosts].filter(([id]) => instanceIds.has(id))) }),
  };
}
