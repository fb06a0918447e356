/** What is to be done with the guests so that they are what EC2 says. */
import type { Throttle } from '../lab/throttle.ts';
import type { Disk } from '../lab/vm.ts';

/** An instance that runs, as EC2 tells it. */
export interface DesiredGuest {
  instanceId: string;
  /** What all its volumes get together. */
  limit: Throttle;
  /** Its data volumes: the guest has a root disk of its own. */
  disks: readonly Disk[];
}

/** `changing`: its disks are coming or going. */
export type GuestState = 'starting' | 'running' | 'changing' | 'failed' | 'ending';

export interface PresentGuest {
  instanceId: string;
  state: GuestState;
  disks: readonly Disk[];
}

/** What a guest's disks have to become, in this order. */
export interface DiskChanges {
  detach: readonly string[];
  modify: readonly Disk[];
  attach: readonly Disk[];
}

export type Action =
  | { kind: 'boot'; guest: DesiredGuest }
  | { kind: 'end'; instanceId: string }
  | { kind: 'change'; instanceId: string; changes: DiskChanges };

const isSame = (a: Throttle, b: Throttle): boolean => JSON.stringify(a) === JSON.stringify(b);

/** @param isFree a disk can be in one guest at a time: Multi-Attach is not emulated. */
function changesOf(
  desired: DesiredGuest,
  present: PresentGuest,
  isFree: (disk: Disk) => boolean,
): DiskChanges | null {
  const here = new Map(present.disks.map((disk) => [disk.volumeId, disk]));
  const ids = new Set(desired.disks.map(({ volumeId }) => volumeId));
  const detach = [...here.keys()].filter((volumeId) => !ids.has(volumeId));
  const modify = desired.disks.filter(({ volumeId, throttle }) => {
    const now = here.get(volumeId);
    return now !== undefined && !isSame(now.throttle, throttle);
  });
  const attach = desired.disks.filter((disk) => !here.has(disk.volumeId) && isFree(disk));
  return detach.length + modify.length + attach.length === 0 ? null : { detach, modify, attach };
}

/**
 * A guest that is starting or changing is left to it, unless its instance is gone; one that failed stays so until then.
 *
 * @param maxStarting at once: each start keeps a processor busy for seconds.
 */
export function actionsFor(
  desired: readonly DesiredGuest[],
  present: readonly PresentGuest[],
  maxStarting: number,
): Action[] {
  const desiredIds = new Set(desired.map(({ instanceId }) => instanceId));
  const byId = new Map(present.map((guest) => [guest.instanceId, guest]));
  const holder = new Map(
    present.flatMap(({ instanceId, disks }) => disks.map(({ volumeId }) => [volumeId, instanceId] as const)),
  );
  const isFree = ({ volumeId }: Disk): boolean => !holder.has(volumeId);

  const ends = present
    .filter(({ instanceId, state }) => !desiredIds.has(instanceId) && state !== 'ending')
    .map(({ instanceId }): Action => ({ kind: 'end', instanceId }));
  const changes = desired.flatMap((guest): Action[] => {
    const now = byId.get(guest.instanceId);
    const different = now?.state === 'running' ? changesOf(guest, now, isFree) : null;
    return different === null ? [] : [{ kind: 'change', instanceId: guest.instanceId, changes: different }];
  });
  const starting = present.filter(({ state }) => state === 'starting').length;
  const boots = desired
    .filter(({ instanceId }) => !byId.has(instanceId))
    .slice(0, Math.max(0, maxStarting - starting))
    .map((guest): Action => ({ kind: 'boot', guest: { ...guest, disks: guest.disks.filter(isFree) } }));
  return [...ends, ...changes, ...boots];
}
