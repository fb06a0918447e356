/** How volumes get onto another EBS card: detached and attached again. */
import type { CardImbalance, CardMove } from '../diagnosis/ebs-cards.ts';
import type { Instance } from '../inventory.ts';
import type { Recommendation } from '../schemas/finding.ts';
import { unknownEffect } from './advice-input.ts';
import { instanceTarget, safeVolumeId, volumesTarget, volumeTarget } from './command-target.ts';

const steps = ({ volume, toCard }: CardMove, instance: Instance): string[] => [
  `aws ec2 detach-volume ${volumeTarget(volume)}`,
  `aws ec2 wait volume-available ${volumesTarget(volume)}`,
  `aws ec2 attach-volume --volume-id ${safeVolumeId(volume.volumeId)} ${instanceTarget(instance)} --device <device> --ebs-card-index ${toCard}`,
];

const mostNamed = 6;

/** "vol-1 to card 1, vol-2 to card 0". */
function movesText(moves: readonly CardMove[]): string {
  const named = moves
    .slice(0, mostNamed)
    .map(({ volume, toCard }) => `${safeVolumeId(volume.volumeId)} to card ${toCard}`);
  const rest = moves.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

export const ebsCardAdvice = ({ moves }: CardImbalance, instance: Instance): Recommendation[] => [
  {
    ...{ action: 'move-card', purpose: 'use-figures', inPlace: false, sizedBy: null },
    change: {
      of: 'cards',
      moves: moves.map(({ volume, toCard }) => ({ volumeId: volume.volumeId, toCard })),
    },
    effect: unknownEffect,
    ...{ monthlyUsdDelta: 0, priceUnknownReason: null },
    risks: [{ code: 'downtime' }, { code: 'stripe-in-use' }],
    text: `Move ${movesText(moves)}: detach and attach again. The choice takes one volume at a time, each time the one that helps most; others of the same figures do as well. Never detach one member of a stripe while the stripe is in use: stop what uses it and the array as a whole first.`,
    steps: [
      'stop what uses the volumes and unmount them; of a stripe, stop the whole array (a root volume can only be detached while the instance is stopped: leave it)',
      ...moves.flatMap((move) => steps(move, instance)),
      'start the array and mount again; nothing on the volumes changes',
    ],
  },
];
