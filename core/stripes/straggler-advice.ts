/** What to do about a member of a stripe that is slower than its siblings: see why, then replace it by one like them. */
import { way } from '../advice/advice-input.ts';
import { safeVolumeId, volumesTarget } from '../advice/command-target.ts';
import type { Volume } from '../inventory.ts';
import { regionOrPlaceholder } from '../plan/steps/names.ts';
import type { Recommendation, Risk } from '../schemas/finding.ts';
import type { Stripe } from './stripe.ts';

/** LVM moves what is on a volume while it is in use; not onto a volume that is a leg of the same stripe. */
const replaceInLvm = [
  'make a volume of the same type, size and figures, empty, and attach it',
  'on the host: pvcreate <new-device>, then vgextend <volume-group> <new-device>',
  'on the host: pvmove <old-device> <new-device>; it goes on while the volumes are in use, and takes its share of their I/O',
  'on the host: vgreduce <volume-group> <old-device>; then detach the old volume, and delete it when nobody misses anything',
];

const replaceInMirror = [
  'make a volume of the same type, size and figures, empty, and attach it',
  'on the host: mdadm <md-device> --add <new-device>, then mdadm <md-device> --replace <old-device> --with <new-device>',
  'when /proc/mdstat shows no recovery any more: mdadm <md-device> --remove <old-device>; then detach the old volume',
];

/** A stripe of md has nothing to rebuild a member from: it stops, and gets a copy. */
const replaceInMdStripe = (volume: Volume): string[] => [
  'stop what uses the array, unmount it, and stop it: mdadm --stop <md-device>',
  `aws ec2 copy-volumes --source-volume-id ${safeVolumeId(volume.volumeId)} --region ${regionOrPlaceholder(volume.region)}, with the type and figures of the others; a copy is slow too until it is initialised`,
  'detach the old volume, attach the copy, and start the array: mdadm --assemble --scan; keep the old one until all is there',
];

function replacing({ builtWith, kind }: Stripe, volume: Volume): string[] {
  if (builtWith === 'lvm') return replaceInLvm;
  if (builtWith === 'mdadm') return kind === 'stripe' ? replaceInMdStripe(volume) : replaceInMirror;
  return [
    'what joins the volumes is not known: lsblk on the host tells',
    'LVM moves the data off a volume while it is in use (pvmove); md replaces a member of RAID 1, 5, 6 and 10 while it is in use (mdadm --replace), and has to be stopped for a stripe',
  ];
}

/** @param isUnlike it is not configured as its siblings are. */
export function stragglerAdvice(stripe: Stripe, volume: Volume, isUnlike: boolean): Recommendation[] {
  const ids = stripe.volumes.map(({ volumeId }) => safeVolumeId(volumeId)).join(' ');
  const region = regionOrPlaceholder(volume.region);
  const figures = isUnlike
    ? ' It is not configured as its siblings are: give it their type and figures first.'
    : '';
  const inferred =
    stripe.evidence === 'inferred'
      ? ' That they are one stripe is inferred from their load: see lsblk first.'
      : '';
  const isUnsure: Risk[] = [
    ...(isUnlike ? [{ code: 'unlike-members' as const }] : []),
    ...(stripe.evidence === 'inferred'
      ? [{ code: 'inferred-stripe' as const, count: stripe.volumes.length }]
      : []),
  ];
  const isStopped = stripe.builtWith === 'mdadm' && stripe.kind === 'stripe';
  return [
    {
      ...way(
        'investigate',
        'initialization',
        `See whether it is still being initialised: a volume made from a snapshot or a copy is slow until all of its blocks were fetched.${figures}${inferred}`,
        [
          `aws ec2 describe-volume-status ${volumesTarget(volume)}`,
          `aws ec2 describe-volumes --volume-ids ${ids} --region ${region} --query 'Volumes[].[VolumeId,VolumeType,Size,Iops,Throughput,SnapshotId,CreateTime]' --output text`,
          'it is initialised at a rate of your choice when it is made with a VolumeInitializationRate (100 to 300 MiB/s), or by reading all of it once',
        ],
      ),
      risks: isUnsure,
    },
    {
      ...way(
        'recreate',
        'replace-member',
        'If it stays slow, replace this member by a new volume like its siblings. More IOPS or MiB/s for the stripe change nothing while one member is slow.',
        replacing(stripe, volume),
      ),
      inPlace: !isStopped && stripe.builtWith !== null,
      risks: isStopped ? [{ code: 'downtime' }] : [],
    },
  ];
}
