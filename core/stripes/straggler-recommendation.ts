/** What to do about a member of a stripe that is slower than its siblings: see why, then replace it by one like them. */

import type { Volume } from '../inventory.ts';
import { regionOrPlaceholder } from '../plan/step-commands.ts';
import { initializationRates } from '../recommendations/first-reads.ts';
import { run, safeVolumeId, volumesTarget, way } from '../recommendations/recommendation.ts';
import type { Recommendation, Risk } from '../schemas/finding.ts';
import type { Step } from '../schemas/recommendation.ts';
import type { Stripe } from './stripes.ts';

const onTheHost = (...commands: string[]): Step[] => [{ code: 'on-the-host' }, ...commands.map(run)];

/** LVM moves what is on a volume while it is in use; not onto a volume that is a leg of the same stripe. */
const replaceInLvm: Step[] = [
  { code: 'create-like-siblings' },
  ...onTheHost('sudo pvcreate <new-device>', 'sudo vgextend <volume-group> <new-device>'),
  { code: 'stays-in-use' },
  run('sudo pvmove <old-device> <new-device>'),
  run('sudo vgreduce <volume-group> <old-device>'),
  { code: 'detach-old-volume' },
];

const replaceInMirror: Step[] = [
  { code: 'create-like-siblings' },
  ...onTheHost(
    'sudo mdadm <md-device> --add <new-device>',
    'sudo mdadm <md-device> --replace <old-device> --with <new-device>',
  ),
  { code: 'await-recovery' },
  run('cat /proc/mdstat'),
  run('sudo mdadm <md-device> --remove <old-device>'),
  { code: 'detach-old-volume' },
];

/** A stripe of md has nothing to rebuild a member from: it stops, and gets a copy. */
const replaceInMdStripe = ({ volumeId, region }: Volume): Step[] => [
  { code: 'stop-and-unmount' },
  ...onTheHost('sudo mdadm --stop <md-device>'),
  { code: 'copy-like-siblings' },
  run(
    `aws ec2 copy-volumes --source-volume-id ${safeVolumeId(volumeId)} --region ${regionOrPlaceholder(region)}`,
  ),
  { code: 'replace-by-copy' },
  ...onTheHost('sudo mdadm --assemble --scan'),
  { code: 'keep-old-volume' },
];

function replacing({ builtWith, kind }: Stripe, volume: Volume): Step[] {
  if (builtWith === 'lvm') return replaceInLvm;
  if (builtWith === 'mdadm') return kind === 'stripe' ? replaceInMdStripe(volume) : replaceInMirror;
  return [{ code: 'array-unknown' }, ...onTheHost('lsblk')];
}

const initializationRate: Step = { code: 'initialization-rate', ...initializationRates };

/** @param isUnlike it is not configured as its siblings are. */
export function stragglerRecommendation(stripe: Stripe, volume: Volume, isUnlike: boolean): Recommendation[] {
  const ids = stripe.volumes.map(({ volumeId }) => safeVolumeId(volumeId)).join(' ');
  const region = regionOrPlaceholder(volume.region);
  const isUnsure: Risk[] = [
    ...(isUnlike ? [{ code: 'unlike-members' as const, count: 1 }] : []),
    ...(stripe.evidence === 'inferred'
      ? [{ code: 'inferred-stripe' as const, count: stripe.volumes.length }]
      : []),
  ];
  const isStopped = stripe.builtWith === 'mdadm' && stripe.kind === 'stripe';
  return [
    {
      ...way('investigate', 'initialization', [
        run(`aws ec2 describe-volume-status ${volumesTarget(volume)}`),
        run(
          `aws ec2 describe-volumes --volume-ids ${ids} --region ${region} --query 'Volumes[].[VolumeId,VolumeType,Size,Iops,Throughput,SnapshotId,CreateTime]' --output text`,
        ),
        initializationRate,
      ]),
      risks: isUnsure,
    },
    {
      ...way('recreate', 'replace-member', replacing(stripe, volume)),
      inPlace: !isStopped && stripe.builtWith !== null,
      risks: isStopped ? [{ code: 'downtime' }] : [],
    },
  ];
}
