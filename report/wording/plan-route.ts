/** Why a layout is reached in the way that it is, in words. */
import { figure } from '../../core/figures.ts';
import type { Layout } from '../../core/plan/layout.ts';
import type { RouteMember, RouteReason } from '../../core/schemas/plan-route.ts';
import { type WordsByCode, wordsOf } from './by-code.ts';

const kindNames = { single: 'one volume', stripe: 'a stripe of', raid10: 'a RAID10 of', raid5: 'a RAID5 of' };

/** One volume, a stripe of 5, a RAID10 of 4. */
export const membersText = ({ kind, members }: Pick<Layout, 'kind' | 'members'>): string =>
  kind === 'single' ? kindNames.single : `${kindNames[kind]} ${members}`;

/** "gp3, 500 GiB, 3,000 IOPS, 125 MiB/s". */
const memberText = ({ volumeType, sizeGiB, iops, throughputMiBps }: RouteMember): string =>
  [
    volumeType,
    `${figure(sizeGiB)} GiB`,
    ...(iops === null ? [] : [`${figure(iops)} IOPS`]),
    ...(throughputMiBps === null ? [] : [`${figure(throughputMiBps)} MiB/s`]),
  ].join(', ');

const texts: WordsByCode<RouteReason> = {
  'nothing-stands': () => 'nothing stands there yet',
  unchanged: ({ member }) => `it already is ${memberText(member)}`,
  'modify-volume': ({ members, from, to }) =>
    `ModifyVolume changes ${members === 1 ? 'the volume' : `${members} volumes alike`} while in use, from ${memberText(from)} to ${memberText(to)}`,
  'other-layout': ({ from, to }) =>
    `${membersText(from)} cannot become ${membersText(to)} where the data is: it is laid out over the volumes in another way`,
  'never-shrinks': ({ fromGiB, toGiB }) =>
    `an EBS volume never shrinks: from ${figure(fromGiB)} to ${figure(toGiB)} GiB needs a new one`,
  'joined-by-unknown': (one) =>
    `${membersText(one)} can be grown where it stands with some tools only, and what joins these volumes is not known`,
  'mdadm-stripe-grown': () => 'mdadm cannot use members that have grown in a stripe (RAID0)',
  'lvm-raid-grown': (one) => `growing ${membersText(one)} of LVM where it stands is not among the known ways`,
  magnetic: () => 'EC2 changes no volume from or to standard (magnetic) where it stands',
};

export const routeText = (reason: RouteReason): string => wordsOf<RouteReason>(texts, reason);
