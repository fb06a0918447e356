/** Layouts and their members in words, and what of them is legal. */
import { IllegalConfiguration } from '../../errors.ts';
import { figure } from '../../figures.ts';
import { volumeLimits } from '../../limits/volume-limits.ts';
import type { Deployment, VolumeConfiguration } from '../../limits/volume-types.ts';
import { type Layout, provisioned } from '../layout.ts';

/** One volume in words: gp3, 500 GiB, 3,000 IOPS, 125 MiB/s. */
export function memberText({ volumeType, sizeGiB, iops, throughputMiBps }: VolumeConfiguration): string {
  return [
    volumeType,
    `${figure(sizeGiB)} GiB`,
    ...(iops === undefined ? [] : [`${figure(iops)} IOPS`]),
    ...(throughputMiBps === undefined ? [] : [`${figure(throughputMiBps)} MiB/s`]),
  ].join(', ');
}

/** What of a member becomes less, from -> to; the size never does where the volume stays. */
export function lowered(from: Layout, to: Layout): string[] {
  const figures = [
    ...(to.iops < from.iops ? [`${figure(from.iops)} -> ${figure(to.iops)} IOPS`] : []),
    ...(to.throughputMiBps < from.throughputMiBps
      ? [`${figure(from.throughputMiBps)} -> ${figure(to.throughputMiBps)} MiB/s`]
      : []),
  ];
  return figures.length === 0 ? [] : [figures.join(', ')];
}

const kindNames = { stripe: 'a stripe', raid10: 'a RAID10', raid5: 'a RAID5' } as const;

/** one volume, a stripe of 5, a RAID10 of 4. */
export const layoutText = ({ kind, members }: Layout): string =>
  kind === 'single' ? 'one volume' : `${kindNames[kind]} of ${members}`;

/** What a snippet is of, as its first line says it. */
export function heading(layout: Layout, deployment: Deployment): string {
  const text = layoutText(layout);
  const member = memberText(provisioned(layout, deployment));
  return `${text[0]?.toUpperCase()}${text.slice(1)}${layout.members === 1 ? '' : ', each'}: ${member}.`;
}

/** An instance takes 128 attachments at most, and one is its root volume (EC2 user guide, volume_limits). */
export const mostMembers = 127;

const membersRule: Record<Layout['kind'], { fits: (members: number) => boolean; rule: string }> = {
  single: { fits: (members) => members === 1, rule: 'a single volume has 1 member' },
  stripe: { fits: (members) => members >= 2, rule: 'a stripe has 2 or more' },
  raid10: { fits: (members) => members >= 4 && members % 2 === 0, rule: 'a RAID10 has 4, 6, 8 or more' },
  raid5: { fits: (members) => members >= 3, rule: 'a RAID5 has 3 or more' },
};

/** @throws IllegalConfiguration where EBS would refuse a member, or the members make no such layout. */
export function requireLegal(layout: Layout, deployment: Deployment): void {
  const { fits, rule } = membersRule[layout.kind];
  if (!Number.isInteger(layout.members) || !fits(layout.members) || layout.members > mostMembers) {
    throw new IllegalConfiguration(
      `${layout.members} members are not a ${layout.kind}: ${rule}, and ${mostMembers} at most`,
    );
  }
  volumeLimits(provisioned(layout, deployment));
}
