/** How volumes get onto another EBS card: detached and attached again. */
import type { CardImbalance, CardMove } from '../diagnosis/ebs-cards.ts';
import type { Instance } from '../inventory.ts';
import type { Recommendation } from '../schemas/finding.ts';
import type { Step } from '../schemas/recommendation.ts';
import { instanceTarget, safeVolumeId, volumesTarget, volumeTarget } from './command-target.ts';
import { run, way } from './recommendation-input.ts';

const steps = ({ volume, toCard }: CardMove, instance: Instance): Step[] => [
  run(`aws ec2 detach-volume ${volumeTarget(volume)}`),
  run(`aws ec2 wait volume-available ${volumesTarget(volume)}`),
  run(
    `aws ec2 attach-volume --volume-id ${safeVolumeId(volume.volumeId)} ${instanceTarget(instance)} --device <device> --ebs-card-index ${toCard}`,
  ),
];

/** The moves take one volume at a time, each time the one that helps most: others of the same figures do as well. */
export const ebsCardRecommendation = ({ moves }: CardImbalance, instance: Instance): Recommendation[] => [
  {
    ...way('move-card', 'use-figures', [
      { code: 'stop-and-unmount' },
      ...moves.flatMap((move) => steps(move, instance)),
      { code: 'start-and-mount' },
    ]),
    change: {
      of: 'cards',
      moves: moves.map(({ volume, toCard }) => ({ volumeId: volume.volumeId, toCard })),
    },
    monthlyUsdDelta: 0,
    risks: [{ code: 'downtime' }, { code: 'stripe-in-use' }],
  },
];
