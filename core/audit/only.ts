/** Of a fleet some volumes, instances or stripes alone: judged with what shares their instances, told by themselves. */
import { BadInput } from '../errors.ts';
import type { Instance, Volume } from '../inventory.ts';
import type { FleetMetrics } from '../load/fleet-metrics.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import { type Finding, resourceIdOf } from '../schemas/finding.ts';
import { type AuditInput, windowOver } from './audit.ts';
import { connectedGroups, type Group } from './batches.ts';

interface Fleet {
  volumes: readonly Volume[];
  instances: readonly Instance[];
}

const instanceIdsOf = (volume: Volume): string[] => volume.attachments.map(({ instanceId }) => instanceId);

/** Of volumes, of described instances, and of those that are known by their volumes only. */
export const resourceIdsOf = ({ volumes, instances }: Fleet): Set<string> =>
  new Set([
    ...volumes.flatMap((volume) => [volume.volumeId, ...instanceIdsOf(volume)]),
    ...instances.map(({ instanceId }) => instanceId),
  ]);

/** What was asked for, out of a result; its counts are of that alone. */
export interface Picked {
  result: AuditResult;
  /** Those that were asked for, as far as they are described. */
  instances: Instance[];
}

/** Whether a finding is on one of these or names it, as an instance's does that says which volumes to move. */
const tellsOf = (ids: ReadonlySet<string>, { resource, evidence }: Finding): boolean =>
  [resourceIdOf(resource), resource.instanceId].some((id) => id !== undefined && ids.has(id)) ||
  Object.values(evidence).some((value) => Array.isArray(value) && value.some((id) => ids.has(id)));

/** First `narrow` of each part of the fleet, then, of what was judged, `missing` and `pick`. */
export class Only {
  private readonly ids: ReadonlySet<string>;
  private readonly volumes = new Map<string, Volume>();
  private readonly instances = new Map<string, Instance>();
  private readonly found = new Set<string>();
  private readonly excludedIds = new Set<string>();

  /** @throws BadInput where an id is empty: a variable that is not set in a script asks for nothing. */
  constructor(ids: readonly string[]) {
    if (ids.some((id) => id.trim() === ''))
      throw new BadInput('--only has an empty id: give the id of a volume, an instance or a stripe');
    this.ids = new Set(ids);
  }

  /** Of what the configuration excludes something may be asked for. */
  excluded(volumeIds: readonly string[]): void {
    for (const id of volumeIds) if (this.ids.has(id)) this.excludedIds.add(id);
  }

  isExcluded(volumeId: string): boolean {
    return this.excludedIds.has(volumeId);
  }

  /** Itself or, of an instance, a stripe: those are called after it; whether there is one is known when it was judged. */
  private isAsked = (resourceId: string): boolean =>
    [...this.ids].some((id) => id === resourceId || id.startsWith(`${resourceId}/`));

  /**
   * Whole groups that share instances, of those in which something is asked for: judged alone they get the same findings
   * as in the fleet.
   */
  narrow(fleet: Fleet): Group {
    const groups = connectedGroups(fleet.volumes, fleet.instances).filter((group) =>
      [...resourceIdsOf(group)].some(this.isAsked),
    );
    const narrowed = {
      volumes: groups.flatMap(({ volumes }) => volumes),
      instances: groups.flatMap(({ instances }) => instances),
    };
    for (const id of resourceIdsOf(narrowed)) this.found.add(id);
    for (const volume of narrowed.volumes) this.volumes.set(volume.volumeId, volume);
    for (const instance of narrowed.instances) this.instances.set(instance.instanceId, instance);
    return narrowed;
  }

  /** Of what was narrowed to; null where it is not described. */
  instance(instanceId: string): Instance | null {
    return this.instances.get(instanceId) ?? null;
  }

  /** What is asked for and was nowhere. */
  missing({ stripes }: Pick<AuditResult, 'stripes'>): string[] {
    const stripeIds = new Set(stripes.map(({ stripeId }) => stripeId));
    return [...this.ids].filter((id) => !this.found.has(id) && !stripeIds.has(id));
  }

  /** Nothing of what is asked for was anywhere. */
  isNowhere = (result: Pick<AuditResult, 'stripes'>): boolean =>
    this.missing(result).length === this.ids.size;

  /** Volumes that are asked for by themselves, by their instance or by their stripe. */
  private askedVolumes(stripes: AuditResult['stripes']): Set<string> {
    const members = stripes.flatMap(({ stripeId, volumeIds }) => (this.ids.has(stripeId) ? volumeIds : []));
    const others = [...this.volumes.values()].flatMap((volume) =>
      [volume.volumeId, ...instanceIdsOf(volume)].some((id) => this.ids.has(id)) ? [volume.volumeId] : [],
    );
    return new Set([...members, ...others]);
  }

  /** What was judged beside is left out, but what is found on an instance or a stripe of an asked volume. */
  pick(result: AuditResult): Picked {
    const volumeIds = this.askedVolumes(result.stripes);
    const volumes = result.volumes.filter(({ volumeId }) => volumeIds.has(volumeId));
    const told = new Set([
      ...volumes.flatMap(({ findings, instanceFindings }) => [...findings, ...instanceFindings]),
      ...result.findings
        .filter((finding) => tellsOf(this.ids, finding) || tellsOf(volumeIds, finding))
        .map(({ id }) => id),
    ]);
    const instanceIds = new Set([
      ...[...this.ids].filter((id) => this.instances.has(id)),
      ...volumes.flatMap(({ volumeId }) => instanceIdsOf(this.volumes.get(volumeId) as Volume)),
    ]);
    const { coverage } = result;
    const { excluded, ...ofAll } = coverage;
    const unknown = coverage.unknown.filter(({ volumeId }) => volumeIds.has(volumeId));
    const notJudged = coverage.instances.notJudged.filter(({ instanceId }) => instanceIds.has(instanceId));
    return {
      result: {
        ...result,
        volumes,
        stripes: result.stripes.filter(({ volumeIds: ids }) => ids.some((id) => volumeIds.has(id))),
        findings: result.findings.filter(({ id }) => told.has(id)),
        coverage: {
          ...ofAll,
          ...{ volumes: volumes.length, judged: volumes.length - unknown.length, unknown },
          instances: {
            total: instanceIds.size,
            judged: instanceIds.size - notJudged.length,
            notJudged,
          },
        },
      },
      instances: [...this.ids].flatMap((id) => this.instances.get(id) ?? []),
    };
  }
}

/** The same figures, of these resources alone: others are not missed. */
export const metricsOf = (metrics: FleetMetrics, isOne: (resourceId: string) => boolean): FleetMetrics => ({
  of: (id) => metrics.of(id),
  resourceIds: () => metrics.resourceIds().filter(isOne),
  repeatedPoints: (id) => metrics.repeatedPoints(id),
  unusableBecause: (id) => metrics.unusableBecause(id),
  series: metrics.series,
});

/** What was read of a whole fleet, narrowed before it is judged; the window stays that of the whole. */
export function narrowed(input: AuditInput, only: Only): AuditInput {
  const group = only.narrow(input);
  const { metrics, window } = input;
  const ofAll = window === 'of-all' ? windowOver(metrics, metrics.resourceIds()) : window;
  const ids = resourceIdsOf(group);
  return { ...input, ...group, metrics: metricsOf(metrics, (id) => ids.has(id)), window: ofAll ?? 'of-all' };
}
