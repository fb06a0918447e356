/**
 * Which way leads from what stands to what shall stand.
 * Sources: EBS user guide (modify-volume-requirements: no shrinking, four modifications in 24 hours), EC2 API reference
 * (ModifyVolume), mdadm(8) (--size: not of RAID0) and lvextend(8), read 2026-11-21.
 */
import { figure } from '../../figures.ts';
import type { Deployment } from '../../limits/volume-types.ts';
import { type Layout, provisioned } from '../layout.ts';
import type { Present } from './present.ts';
import { layoutText, memberText } from './provisioned.ts';

/**
 * create: nothing stands yet. modify: ModifyVolume of every member. snapshot: a new volume from a snapshot of the
 * old one. copy: new volumes, and the data copied as files. nothing: it is already so.
 */
export type Route = 'create' | 'nothing' | 'modify' | 'snapshot' | 'copy';

export interface Change {
  route: Route;
  because: string;
}

function growthTrouble(next: Layout, { layout, builtWith }: Present): string | null {
  if (next.kind === 'single' || next.sizeGiB === layout.sizeGiB) return null;
  const what = layoutText(next);
  if (builtWith === undefined) {
    return `${what} can be grown where it stands with some tools only, and what joins these volumes is not known`;
  }
  if (next.kind === 'stripe') {
    return builtWith === 'lvm' ? null : 'mdadm cannot use members that have grown in a stripe (RAID0)';
  }
  return builtWith === 'mdadm' ? null : `growing ${what} of LVM where it stands is not among the known ways`;
}

/** Why the members cannot stay; null where they can. */
function copyBecause(next: Layout, present: Present): string | null {
  const { layout } = present;
  if (next.kind !== layout.kind || next.members !== layout.members) {
    const [from, to] = [layoutText(layout), layoutText(next)];
    return `${from} cannot become ${to} where the data is: it is laid out over the volumes in another way`;
  }
  if (next.sizeGiB < layout.sizeGiB) {
    return `an EBS volume never shrinks: from ${figure(layout.sizeGiB)} to ${figure(next.sizeGiB)} GiB needs a new one`;
  }
  return growthTrouble(next, present);
}

/** The way, and why it is this one. */
export function changeTo(next: Layout, present: Present | null, deployment: Deployment): Change {
  if (present === null) return { route: 'create', because: 'nothing stands there yet' };
  const copy = copyBecause(next, present);
  if (copy !== null) return { route: 'copy', because: copy };
  const from = memberText(provisioned(present.layout, deployment));
  const to = memberText(provisioned(next, deployment));
  if (from === to) return { route: 'nothing', because: `it already is ${to}` };
  if (next.volumeType === 'standard' || present.layout.volumeType === 'standard') {
    const because = 'EC2 changes no volume from or to standard (magnetic) where it stands';
    return next.kind === 'single' ? { route: 'snapshot', because } : { route: 'copy', because };
  }
  const each = next.members === 1 ? 'the volume' : `${next.members} volumes alike`;
  return { route: 'modify', because: `ModifyVolume changes ${each} while in use, from ${from} to ${to}` };
}
