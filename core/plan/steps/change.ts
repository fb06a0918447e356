/**
 * Which way leads from what stands to what shall stand.
 * Sources: EBS user guide (modify-volume-requirements: no shrinking, four modifications in 24 hours), EC2 API reference
 * (ModifyVolume), mdadm(8) (--size: not of RAID0) and lvextend(8), read 2026-11-21.
 */
import type { Deployment } from '../../limits/volume-types.ts';
import type { RouteMember, RouteReason } from '../../schemas/plan-route.ts';
import { type Layout, provisioned } from '../layout.ts';
import type { Present } from './present.ts';

/**
 * create: nothing stands yet. modify: ModifyVolume of every member. snapshot: a new volume from a snapshot of the
 * old one. copy: new volumes, and the data copied as files. nothing: it is already so.
 */
export const routes = ['create', 'nothing', 'modify', 'snapshot', 'copy'] as const;
export type Route = (typeof routes)[number];

export interface Change {
  route: Route;
  because: RouteReason;
}

function growthTrouble(next: Layout, { layout, builtWith }: Present): RouteReason | null {
  const { kind, members } = next;
  if (kind === 'single' || next.sizeGiB === layout.sizeGiB) return null;
  if (builtWith === undefined) return { code: 'joined-by-unknown', kind, members };
  if (kind === 'stripe') return builtWith === 'lvm' ? null : { code: 'mdadm-stripe-grown' };
  return builtWith === 'mdadm' ? null : { code: 'lvm-raid-grown', kind, members };
}

/** Why the members cannot stay; null where they can. */
function copyBecause(next: Layout, present: Present): RouteReason | null {
  const { layout } = present;
  if (next.kind !== layout.kind || next.members !== layout.members) {
    const of = ({ kind, members }: Layout) => ({ kind, members });
    return { code: 'other-layout', from: of(layout), to: of(next) };
  }
  if (next.sizeGiB < layout.sizeGiB) {
    return { code: 'never-shrinks', fromGiB: layout.sizeGiB, toGiB: next.sizeGiB };
  }
  return growthTrouble(next, present);
}

/** Only what can be set: nothing else is changed. */
function memberOf(layout: Layout, deployment: Deployment): RouteMember {
  const { volumeType, sizeGiB, iops = null, throughputMiBps = null } = provisioned(layout, deployment);
  return { volumeType, sizeGiB, iops, throughputMiBps };
}

/** The way, and why it is this one. */
export function changeTo(next: Layout, present: Present | null, deployment: Deployment): Change {
  if (present === null) return { route: 'create', because: { code: 'nothing-stands' } };
  const copy = copyBecause(next, present);
  if (copy !== null) return { route: 'copy', because: copy };
  const from = memberOf(present.layout, deployment);
  const to = memberOf(next, deployment);
  if (JSON.stringify(from) === JSON.stringify(to))
    return { route: 'nothing', because: { code: 'unchanged', member: to } };
  if (next.volumeType === 'standard' || present.layout.volumeType === 'standard') {
    const because = { code: 'magnetic' } as const;
    return next.kind === 'single' ? { route: 'snapshot', because } : { route: 'copy', because };
  }
  return { route: 'modify', because: { code: 'modify-volume', members: next.members, from, to } };
}
