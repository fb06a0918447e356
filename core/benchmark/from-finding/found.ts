/** What a finding is about, out of an audit of its resource. */
import type { Instance } from '../../inventory.ts';
import type { AuditResult } from '../../schemas/audit-result.ts';
import { type Finding, instanceIdOf, volumeIdsOf } from '../../schemas/finding.ts';
import type { HostArray, HostEvidence } from '../../stripes/host-evidence.ts';
import type { FindingInAccount } from './compared.ts';
import type { SeenVolume } from './observed-load.ts';

/** Of all operations of an instance: with less a volume carries no load. */
const minShare = 0.01;

const opsOf = ({ diagnosed: { load } }: SeenVolume): number =>
  load.ops.reduce((sum, ops) => sum + (Number.isNaN(ops) ? 0 : ops), 0);

/** Those of an instance that carry its load. */
function carryingOn(instanceId: string, all: readonly SeenVolume[]): SeenVolume[] {
  const on = all.filter(({ diagnosed: { volume } }) =>
    volume.attachments.some((attachment) => attachment.instanceId === instanceId),
  );
  const total = on.reduce((sum, one) => sum + opsOf(one), 0);
  return on.filter((one) => opsOf(one) >= minShare * total && opsOf(one) > 0);
}

/** The volumes that carry the load of the finding, with what was read of them. */
export interface SeenFinding {
  found: FindingInAccount;
  seen: SeenVolume[];
}

export function seenFinding(
  finding: Finding,
  { stripes }: Pick<AuditResult, 'stripes'>,
  all: readonly SeenVolume[],
  instanceWith: (instanceId: string) => Instance | null,
): SeenFinding {
  const { resource } = finding;
  const isOfInstance = resource.type === 'instance';
  const ids = volumeIdsOf(finding);
  const seen = isOfInstance
    ? carryingOn(resource.id, all)
    : all.filter(({ diagnosed }) => ids.includes(diagnosed.volume.volumeId));
  const volumes = seen.map(({ diagnosed }) => diagnosed.volume);
  const members = new Set(volumes.map(({ volumeId }) => volumeId));
  const stripe = stripes.find(({ stripeId, volumeIds }) =>
    isOfInstance
      ? volumeIds.length === members.size && volumeIds.every((id) => members.has(id))
      : stripeId === resource.id,
  );
  const instanceId = instanceIdOf(resource) ?? volumes[0]?.attachments[0]?.instanceId;
  return {
    seen,
    found: {
      finding,
      stripe: stripe ?? null,
      volumes,
      instance: instanceId === undefined ? null : instanceWith(instanceId),
    },
  };
}

/** What hosts said when a run was made, for another look at the same volumes. */
export function hostsOf({ stripes }: Pick<AuditResult, 'stripes'>): Map<string, HostEvidence> {
  const hosts = new Map<string, HostEvidence>();
  for (const { evidence, instanceId, name, kind, chunkKiB, volumeIds, mountPoints, builtWith } of stripes) {
    if (evidence !== 'host' || name === null) continue;
    const host = hosts.get(instanceId) ?? { arrays: [], singleVolumeIds: [], notes: [] };
    hosts.set(instanceId, host);
    host.arrays.push({
      ...{ name, chunkKiB, mountPoints, builtWith },
      kind: (kind ?? 'stripe') as HostArray['kind'],
      memberVolumeIds: volumeIds,
    });
  }
  return hosts;
}
