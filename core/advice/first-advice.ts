/**
 * Advice that needs no replay to be right. Where the right size is known it is named with its price (remove what is not
 * used; leave the credit bucket of gp2 for a gp3 that does all the time what the burst did for a while). Where it is
 * not, the way is named and no size: a throttled rate shows the limit and not the need.
 */
import { figure } from '../figures.ts';
import { gp3Figures } from '../limits/volume-limits.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import { monthlyUsd, roundUsd } from '../prices/volume-price.ts';
import type { Advice, FindingKind } from '../schemas/finding.ts';
import { type AdviceInput, way } from './advice-input.ts';
import { volumeTarget } from './command-target.ts';
import { raise } from './raise-advice.ts';

function removeUnused({ volume, usd }: AdviceInput, attached: boolean): Advice {
  const steps = [
    `aws ec2 create-snapshot ${volumeTarget(volume)}`,
    'wait until the snapshot is completed, and check that it can be restored; it costs by what is stored',
    ...(attached ? [`aws ec2 detach-volume ${volumeTarget(volume)}`] : []),
    `aws ec2 delete-volume ${volumeTarget(volume)}`,
  ];
  return {
    ...way('Ask its owner; if nobody needs it, keep a snapshot and delete the volume.'),
    monthlyUsdDelta: usd.known ? -usd.value : null,
    how: attached
      ? [
          'unmount it on the instance (a root volume can only be detached while the instance is stopped)',
          ...steps,
        ]
      : steps,
  };
}

function leaveTheBucket({ draft, siblings, volume, limits, config, prices }: AdviceInput): Advice {
  const iops = Math.max(gp3Figures.freeIops, limits.burstIops);
  const throughputMiBps = Math.max(gp3Figures.freeMiBps, Math.ceil(limits.burstMiBps));
  const next: VolumeConfiguration = { ...config, volumeType: 'gp3', iops, throughputMiBps };
  const before = draft.evidence['heldBackMinutesInWindow'];
  const outposts =
    config.deployment === 'outposts'
      ? ' See first that the Outpost offers gp3; the price is the Region’s.'
      : '';
  const alsoAtBurst = siblings.some(({ kind }) => kind.startsWith('throttled-volume-'));
  const caveat = alsoAtBurst
    ? ' It was held back at the burst limit too: for that it needs more than these figures.'
    : '';
  return {
    action: `Change it in place to gp3 with ${figure(iops)} IOPS and ${figure(throughputMiBps)} MiB/s: the gp2 burst all the time, without credits.${caveat}${outposts}`,
    monthlyUsdDelta: prices.known
      ? roundUsd(monthlyUsd(next, prices.value).total - monthlyUsd(config, prices.value).total)
      : null,
    throttledMinutesBefore: typeof before === 'number' ? before : null,
    throttledMinutesAfter: null,
    how: [
      `aws ec2 modify-volume ${volumeTarget(volume)} --volume-type gp3 --iops ${iops} --throughput ${throughputMiBps}`,
      'name IOPS and throughput as above: what EC2 takes without them is documented in two ways',
      'no downtime; a volume can be modified 4 times in 24 h, each after the one before is completed',
    ],
  };
}

function credits(input: AdviceInput): Advice {
  if (input.config.volumeType === 'gp2') return leaveTheBucket(input);
  return way(
    'A larger volume of this type has a higher baseline; small random I/O belongs on gp3, where it costs no credits.',
  );
}

const byKind: Partial<Record<FindingKind, (input: AdviceInput) => Advice>> = {
  'credits-exhausted': credits,
  'credits-will-exhaust': credits,
  'throttled-volume-iops': (input) => raise(input, 'iops'),
  'throttled-volume-throughput': (input) => raise(input, 'throughput'),
  'micro-burst': () =>
    way(
      'Spread the burst (checkpoint, flush and batch settings), or size for its peak and not for the average.',
    ),
  stalled: () =>
    way(
      'Look at the host’s I/O errors and at the AWS Health events of that time; open a case if it returns.',
    ),
  idle: (input) => removeUnused(input, true),
  unattached: (input) => removeUnused(input, false),
};

/** The advice of one finding of a volume. */
export function firstAdvice(input: AdviceInput): Advice[] {
  const advise = byKind[input.draft.kind];
  return advise === undefined ? [] : [advise(input)];
}
