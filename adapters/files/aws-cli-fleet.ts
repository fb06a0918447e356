/** A fleet out of files of the AWS CLI, one file per Region and account, and the metrics that were read of it. */
import type { AuditInput } from '../../core/audit/audit.ts';
import { withoutExcluded } from '../../core/audit/excluded.ts';
import { metricsOf, resourceIdsOf } from '../../core/audit/selected-resources.ts';
import type { KeptTags } from '../../core/config/tags.ts';
import { BadInput } from '../../core/errors.ts';
import type { Instance, Volume } from '../../core/inventory.ts';
import { finestEbsPeriodSeconds, MetricCollector } from '../../core/load/metrics.ts';
import { readDescribeInstances, readDescribeVolumes } from './aws-cli-inventory.ts';
import { type MetricReplyOddities, readGetMetricData } from './aws-cli-metrics.ts';
import type { TextFile } from './text-file.ts';

/** @throws BadInput where an id comes twice. */
export function requireOnce(ids: readonly string[], what: string, remedy = 'give each file once'): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw new BadInput(`${what} ${id} is described twice: ${remedy}`);
    seen.add(id);
  }
}

/** EC2 says the owner with instances only: an attached volume has its instance's, of any other it is unknown. */
function withAccounts(volumes: readonly Volume[], instances: readonly Instance[]): Volume[] {
  const byInstance = new Map(instances.map(({ instanceId, account }) => [instanceId, account]));
  return volumes.map((volume) => {
    const [attachment] = volume.attachments;
    const ofInstance = attachment === undefined ? undefined : byInstance.get(attachment.instanceId);
    return { ...volume, account: volume.account ?? ofInstance ?? null };
  });
}

/**
 * @param tagKeys the tags that are kept of each.
 * @throws BadInput where a file cannot be used or a resource is described twice.
 */
export function readInventory(
  volumeFiles: readonly TextFile[],
  instanceFiles: readonly TextFile[],
  tagKeys: readonly string[] = [],
): { volumes: Volume[]; instances: Instance[] } {
  const instances = instanceFiles.flatMap((file) => readDescribeInstances(file, tagKeys));
  const volumes = volumeFiles.flatMap((file) => readDescribeVolumes(file, tagKeys));
  requireOnce(
    volumes.map(({ volumeId }) => volumeId),
    'volume',
  );
  requireOnce(
    instances.map(({ instanceId }) => instanceId),
    'instance',
  );
  return { volumes: withAccounts(volumes, instances), instances };
}

export interface DescribedFleet {
  inventory: { volumes: Volume[]; instances: Instance[] };
  excludedIds: readonly string[];
  /** Of what is left out: what is known of them is nobody's, and not missed in the inventory. */
  unread: ReadonlySet<string>;
}

/** @throws BadInput where a file cannot be used or a resource is described twice. */
export function readFleet(
  volumes: readonly TextFile[],
  instances: readonly TextFile[],
  tags: KeptTags,
): DescribedFleet {
  const described = readInventory(volumes, instances, tags.keys);
  const left = withoutExcluded(described.volumes, described.instances, tags.exclude);
  const inventory = { volumes: left.volumes, instances: left.instances };
  const kept = resourceIdsOf(inventory);
  const unread = new Set([...resourceIdsOf(described)].filter((id) => !kept.has(id)));
  return { inventory, excludedIds: left.excludedIds, unread };
}

/** Replies of CloudWatch, read one file after the other: of each its points alone are kept. */
export class MetricReplies {
  private readonly collector = new MetricCollector(finestEbsPeriodSeconds);
  private readonly oddities: MetricReplyOddities[] = [];
  private readonly unread: ReadonlySet<string>;
  private readonly isAsked: (resourceId: string) => boolean;

  /** @param asked of what it matters that something is missing; null: of all but what is left out. */
  constructor({ unread }: Pick<DescribedFleet, 'unread'>, asked: ReadonlySet<string> | null = null) {
    this.unread = unread;
    this.isAsked = (id) => asked?.has(id) ?? !unread.has(id);
  }

  /** @throws BadInput where the file cannot be used. */
  add(file: TextFile): void {
    this.oddities.push(readGetMetricData(file, this.collector, this.isAsked));
  }

  finish(): AuditInput['read'] {
    return {
      metrics: metricsOf(this.collector.finish(), (id) => !this.unread.has(id)),
      window: 'of-all',
      notices: this.oddities.flatMap(({ notices }) => notices),
      incomplete: this.oddities.flatMap(({ incomplete }) => incomplete),
    };
  }
}
