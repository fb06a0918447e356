/** What of a layout and its members is legal, and the figures of a member. */
import { IllegalConfiguration } from '../../errors.ts';
import { figure } from '../../figures.ts';
import { volumeLimits } from '../../limits/volume-limits.ts';
import type { Deployment, VolumeConfiguration } from '../../limits/volume-types.ts';
import { type Layout, provisioned } from '../layout.ts';

/** gp3, 500 GiB, 3,000 IOPS, 125 MiB/s. */
export function memberText({ volumeType, sizeGiB, iops, throughputMiBps }: VolumeConfiguration): string {
  return [
    volumeType,
    `${figure(sizeGiB)} GiB`,
    ...(iops === undefined ? [] : [`${figure(iops)} IOPS`]),
    ...(throughputMiBps === undefined ? [] : [`${figure(throughputMiBps)} MiB/s`]),
  ].join(', ');
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
