/**
 * Which way leads from what stands to what shall stand.
 * Sources: EBS user guide (modify-volume-requirements: no shrinking, four modifications in 24 hours), EC2 API reference
 * (ModifyVolume), mdadm(8) (--size: not of RAID0) and lvextend(8), read 2026-11-21.
 */
import type { Deployment } from '../../limits/volume-types.ts';
import type { RouteMember, RouteReason } from '../../schemas/plan-route.ts';
import { type Layout, provisioned } from '../layout.ts';
import type { Current } from './current.ts';

/**
 * create: nothing stands yet. modify: ModifyVolume of every member. snapshot: a new volume from a snapshot of the
 * old one. copy: new volumes, and the data copied as files. nothing: it is already so.
 */
export const routes = ['create', 'nothing', 'modify', 'snapshot', 'copy'] as const;
export type Route = (typeof routes)[number];

export interface Change {
  route: Route;
  reason: RouteReason;
}

function growthTrouble(next: Layout, { layout, builtWith }: Current): RouteReason | null {
  const { kind, members } = next;
  if (kind === 'single' || next.sizeGiB === layout.sizeGiB) return null;
  if (builtWith === undefined) return { code: 'joined-by-unknown', kind, members };
  if (kind === 'stripe') return builtWith === 'lvm' ? null : { code: 'mdadm-stripe-grown' };
  return builtWith === 'mdadm' ? null : { code: 'lvm-raid-grown', kind, members };
}

/** Why the members cannot stay; null where they can. */
function copyReason(next: Layout, current: Current): RouteReason | null {
  const { layout } = current;
  if (next.kind !== layout.kind || next.members !== layout.members) {
    const of = ({ kind, members }: Layout) => ({ kind, members });
    return { code: 'other-layout', from: of(layout), to: of(next) };
  }
  if (next.sizeGiB < layout.sizeGiB) {
    return { code: 'never-shrinks', fromGiB: layout.sizeGiB, toGiB: next.sizeGiB };
  }
  return growthTrouble(next, current);
}

/** Only what can be set: nothing else is changed. */
function memberOf(layout: Layout, deployment: Deployment): RouteMember {
  const { volumeType, sizeGiB, iops = null, throughputMiBps = null } = provisioned(layout, deployment);
  return { volumeType, sizeGiB, iops, throughputMiBps };
}

/** The way, and why it is this one. */
export function changeTo(next: Layout, current: Current | null, deployment: Deployment): Change {
  if (current === null) return { route: 'create', reason: { code: 'nothing-stands' } };
  const copy = copyReason(next, current);
  if (copy !== null) return { route: 'copy', reason: copy };
  const from = memberOf(current.layout, deployment);
  const to = memberOf(next, deployment);
  if (JSON.stringify(from) === JSON.stringify(to))
    return { route: 'nothing', reason: { code: 'unchanged', member: to } };
  if (next.volumeType === 'standard' || current.layout.volumeType === 'standard') {
    const reason = { code: 'magnetic' } as const;
    return next.kind === 'single' ? { route: 'snapshot', reason } : { route: 'copy', reason };
  }
  return { route: 'modify', reason: { code: 'modify-volume', members: next.members, from, to } };
}
