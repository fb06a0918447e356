/** The volumes and instances of a Region, each list held against the other: what one left out, the other names. */
import { Unreadable } from '../../core/errors.ts';
import { firstFew } from '../../core/few.ts';
import type { Instance, Volume } from '../../core/inventory.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';

interface Described {
  instances: Instance[];
  /** Of the volumes that EC2 names as theirs. */
  attachedVolumeIds: string[];
}

export interface DescribeFrom {
  /** All, or those of these ids that are there. */
  describeVolumes(volumeIds?: readonly string[]): Promise<Volume[]>;
  describeInstances(instanceIds?: readonly string[]): Promise<Described>;
}

/** What can be done without is said to be missing; any error but ours is a mistake and thrown. */
export async function orMissing<T>(
  read: () => Promise<T>,
  instead: T,
  missing: (reason: string) => AuditNotice,
  incomplete: AuditNotice[],
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    incomplete.push(missing(error.message));
    return instead;
  }
}

const without = (ids: Iterable<string>, known: ReadonlySet<string>): string[] =>
  [...new Set(ids)].filter((id) => !known.has(id));

/** Instances that volumes are attached to and the list did not have, asked for by id; some are not for us to see. */
async function withOwners(
  from: DescribeFrom,
  volumes: readonly Volume[],
  described: Described,
  incomplete: AuditNotice[],
): Promise<Described> {
  const known = new Set(described.instances.map(({ instanceId }) => instanceId));
  const owners = volumes.flatMap(({ attachments }) => attachments.map(({ instanceId }) => instanceId));
  const unlisted = without(owners, known);
  if (unlisted.length === 0) return described;
  const none: Described = { instances: [], attachedVolumeIds: [] };
  const more = await orMissing(
    () => from.describeInstances(unlisted),
    none,
    (reason) => ({
      code: 'instances-unlisted',
      ...{ instanceIds: firstFew(unlisted), count: unlisted.length, reason },
    }),
    incomplete,
  );
  return {
    instances: [...described.instances, ...more.instances],
    attachedVolumeIds: [...described.attachedVolumeIds, ...more.attachedVolumeIds],
  };
}

/** Volumes that instances name and the list did not have, asked for by id: attached meanwhile, or lost with a page. */
async function withAttached(
  from: DescribeFrom,
  volumes: readonly Volume[],
  { attachedVolumeIds }: Described,
  incomplete: AuditNotice[],
): Promise<Volume[]> {
  const unlisted = without(attachedVolumeIds, new Set(volumes.map(({ volumeId }) => volumeId)));
  if (unlisted.length === 0) return [...volumes];
  const notSeen = (ids: readonly string[], reason: string | null): AuditNotice => ({
    code: 'volumes-unlisted',
    ...{ volumeIds: firstFew(ids), count: ids.length, reason },
  });
  const before = incomplete.length;
  const more = await orMissing(
    () => from.describeVolumes(unlisted),
    [],
    (reason) => notSeen(unlisted, reason),
    incomplete,
  );
  const missing = without(unlisted, new Set(more.map(({ volumeId }) => volumeId)));
  if (missing.length > 0 && incomplete.length === before) incomplete.push(notSeen(missing, null));
  return [...volumes, ...more];
}

/**
 * Adds to `incomplete` what could not be read.
 * @throws Unreadable where the volumes themselves cannot be listed.
 */
export async function wholeInventory(
  from: DescribeFrom,
  incomplete: AuditNotice[],
): Promise<{ volumes: Volume[]; instances: Instance[] }> {
  const volumes = await from.describeVolumes();
  const described = await orMissing<Described | null>(
    () => from.describeInstances(),
    null,
    (reason) => ({ code: 'instances-not-read', reason }),
    incomplete,
  );
  if (described === null) return { volumes, instances: [] };
  const whole = await withOwners(from, volumes, described, incomplete);
  return { volumes: await withAttached(from, volumes, whole, incomplete), instances: whole.instances };
}
