/** The inventory from what the AWS CLI printed, one file per Region and account. */
import { readDescribeInstances, readDescribeVolumes } from '../adapters/files/aws-cli-inventory.ts';
import { BadInput } from '../core/errors.ts';
import type { Instance, Volume } from '../core/inventory.ts';

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
  volumeFiles: readonly string[],
  instanceFiles: readonly string[],
  tagKeys: readonly string[] = [],
): { volumes: Volume[]; instances: Instance[] } {
  const instances = instanceFiles.flatMap((path) => readDescribeInstances(path, tagKeys));
  const volumes = volumeFiles.flatMap((path) => readDescribeVolumes(path, tagKeys));
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
